-- Stores lines of the program, all or none; with the line of a trip's end the trip is done.
--
-- ARGV[3] is the name of the data set, ARGV[4] the maximum number of events; then follow four values for each line: its number,
-- the trip (empty without one), `end` for the end of the trip, and the line.
-- Returns `reset` and `over` as sync.lua does, `lost` and the trips that are not this worker's, or `stored` and the last number.
if redis.call('GET', origin) ~= ARGV[3] then return {'reset'} end
if redis.call('GET', parts .. part) ~= me then return {'over'} end
-- Lines up to this one are stored: the answer to an earlier call was lost.
local last = tonumber(redis.call('HGET', published, me) or '0')
local lost = {}
for index = 5, #ARGV, 4 do
    local trip = ARGV[index + 1]
    if tonumber(ARGV[index]) > last and trip ~= '' and redis.call('HGET', followed, trip) ~= me then
        lost[#lost + 1] = trip
    end
end
if #lost > 0 then return {'lost', lost} end
for index = 5, #ARGV, 4 do
    local number, trip, kind, line = ARGV[index], ARGV[index + 1], ARGV[index + 2], ARGV[index + 3]
    if tonumber(number) > last then
        redis.call('XADD', events, 'MAXLEN', '~', ARGV[4], '*', 'worker', me, 'number', number, 'event', line)
        redis.call('HSET', published, me, number)
        if kind == 'end' then
            redis.call('HDEL', followed, trip)
            redis.call('SREM', removing, trip)
            -- Entries of this millisecond were added before.
            redis.call('ZADD', ended, text(now() + 1), trip)
        end
    end
end
return {'stored', ARGV[#ARGV - 3]}
