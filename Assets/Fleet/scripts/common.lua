-- What all scripts share. Redis runs a script as a whole or, if it may not write, not at all.
--
-- KEYS are those of keys.py, in its order. ARGV[1] is the worker and ARGV[2] its part of the quota.
local trips, waiting, followed, removing, ended, workers, published, events, rejected, origin, parts = unpack(KEYS)
local me, part = ARGV[1], ARGV[2]

-- The time of the server in milliseconds.
local function now()
    local time = redis.call('TIME')
    return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- Whether a worker's lease of its part is not over.
local function holds(worker)
    local number = redis.call('HGET', workers, worker)
    return number and redis.call('GET', parts .. number) == worker
end

-- A number as Redis reads it; Lua would write a large one with an exponent.
local function text(number)
    return string.format('%.0f', number)
end
