-- Renews the lease, handles new entries, and takes trips as far as there is room.
--
-- ARGV[3] is the name of the data set, ARGV[4] the lease in milliseconds, ARGV[5] the maximum number of trips; then follow
-- four values for each entry: its ID, `add`, `remove` or `reject`, the trip or the reason, and the fields as JSON.
-- Returns `reset` for another data set, `over` if the part belongs to no one or to another worker, or else `held`, the time,
-- the number of the last stored line, the trips of this worker, and those of them that are to be removed.
if redis.call('GET', origin) ~= ARGV[3] then return {'reset'} end
if redis.call('GET', parts .. part) ~= me then return {'over'} end
redis.call('PEXPIRE', parts .. part, ARGV[4])
redis.call('HSET', workers, me, part)
-- restore.lua has no question about an end after a lease.
redis.call('ZREMRANGEBYSCORE', ended, '-inf', text(now() - 2 * tonumber(ARGV[4])))

local function reject(entry, reason, fields)
    redis.call('XADD', rejected, 'MAXLEN', '~', 100000, '*', 'entry', entry, 'reason', reason, 'fields', fields, 'worker', me)
end

-- The place of an entry in the order of the stream: its time in units of 1/4096 ms.
local function place(entry)
    local milliseconds, number = string.match(entry, '^(%d+)-(%d+)$')
    return tonumber(milliseconds) * 4096 + math.min(tonumber(number), 4095)
end

for index = 6, #ARGV, 4 do
    local entry, action, value, fields = ARGV[index], ARGV[index + 1], ARGV[index + 2], ARGV[index + 3]
    -- Another worker can have handled it.
    if redis.call('XDEL', trips, entry) == 1 then
        local isFollowed = redis.call('HEXISTS', followed, value) == 1
        if action == 'reject' then
            reject(entry, value, fields)
        elseif action == 'add' then
            local order = place(entry)
            -- Redis can have lost that a worker has read this entry.
            local isOld = order < tonumber(redis.call('ZSCORE', ended, value) or '0') * 4096
            if isFollowed and redis.call('SISMEMBER', removing, value) == 1 then
                reject(entry, 'The trip is being removed.', fields)
            elseif isFollowed then
                reject(entry, 'The trip is followed already.', fields)
            elseif isOld then
                reject(entry, 'The trip has ended since the entry was added.', fields)
            elseif redis.call('ZADD', waiting, 'NX', text(order), value) == 0 then
                reject(entry, 'The trip waits already.', fields)
            else
                redis.call('ZREM', ended, value)
            end
        elseif isFollowed then
            redis.call('SADD', removing, value)
        elseif redis.call('ZREM', waiting, value) == 1 then
            -- It ended with this entry: a later one adds it again.
            redis.call('ZADD', ended, string.format('%.6f', place(entry) / 4096), value)
            reject(entry, 'The trip was removed before it was followed.', fields)
        else
            reject(entry, 'The trip to remove is not followed.', fields)
        end
    end
end

local mine, orphans, owners, isHeld = {}, {}, {}, {}
local all = redis.call('HGETALL', followed)
for index = 1, #all, 2 do
    local trip, owner = all[index], all[index + 1]
    if isHeld[owner] == nil then isHeld[owner] = holds(owner) or false end
    if owner == me then
        mine[#mine + 1] = trip
    elseif isHeld[owner] then
        owners[owner] = true
    else
        orphans[#orphans + 1] = {trip, owner}
    end
end
local room = tonumber(ARGV[5]) - #mine
for _, orphan in ipairs(orphans) do
    if room > 0 then
        redis.call('HSET', followed, orphan[1], me)
        mine[#mine + 1] = orphan[1]
        room = room - 1
    else
        owners[orphan[2]] = true
    end
end
for _, worker in ipairs(redis.call('HKEYS', workers)) do
    if not owners[worker] and not holds(worker) then
        redis.call('HDEL', workers, worker)
        redis.call('HDEL', published, worker)
    end
end
if room > 0 then
    local taken = redis.call('ZPOPMIN', waiting, room)
    for index = 1, #taken, 2 do
        redis.call('HSET', followed, taken[index], me)
        mine[#mine + 1] = taken[index]
    end
end

local leaving = {}
for _, trip in ipairs(redis.call('SMEMBERS', removing)) do
    local owner = redis.call('HGET', followed, trip)
    if owner == me then leaving[#leaving + 1] = trip end
    if not owner then redis.call('SREM', removing, trip) end
end
return {'held', text(now()), redis.call('HGET', published, me) or '0', mine, leaving}
