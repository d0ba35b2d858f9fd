-- Writes trips again that Redis has lost; or leaves the trips of this worker, and its part, to others.
--
-- ARGV[3] names this data set if it has no name, ARGV[4] is the lease in milliseconds, ARGV[5] the time of the server when this
-- worker's lease ends, ARGV[6] `keep` or `leave`; then follow the trips.
-- Returns `held`, the name of the data set, the time and the trips that others follow or that have ended if this worker keeps
-- its part, `left` if it does not, and `over` if its lease has ended: others can have followed its trips to their ends since.
redis.call('SET', origin, ARGV[3], 'NX')
local isKept = ARGV[6] == 'keep'
local holder = redis.call('GET', parts .. part)
if holder ~= me and now() >= tonumber(ARGV[5]) then return {'over'} end
if isKept then
    if holder and holder ~= me then return {'left'} end
    redis.call('SET', parts .. part, me, 'PX', ARGV[4])
    redis.call('HSET', workers, me, part)
elseif holder == me then
    redis.call('DEL', parts .. part)
end
local refused = {}
for index = 7, #ARGV do
    local trip = ARGV[index]
    local owner = redis.call('HGET', followed, trip)
    -- The trip can have ended: the answer to an earlier call was lost, or Redis has lost who followed it.
    local isDone = redis.call('ZSCORE', ended, trip)
    if isKept and (isDone or owner and owner ~= me and holds(owner)) then
        refused[#refused + 1] = trip
    elseif isKept then
        redis.call('HSET', followed, trip, me)
        redis.call('ZREM', waiting, trip)
    elseif not isDone and not owner then
        redis.call('ZADD', waiting, 'NX', 0, trip)
    end
end
if isKept then return {'held', redis.call('GET', origin), text(now()), refused} end
return {'left'}
