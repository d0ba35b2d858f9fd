-- Leases a part of the quota that no worker has.
--
-- ARGV[3] names this data set if it has no name yet, ARGV[4] is the lease in milliseconds, ARGV[5] the number of parts.
-- Returns the name of the data set, the number of the part (0 if all are leased), and the time.
redis.call('SET', origin, ARGV[3], 'NX')
local found = 0
-- The answer to an earlier call can have been lost.
for number = 1, tonumber(ARGV[5]) do
    if redis.call('GET', parts .. number) == me then found = number end
end
for number = 1, tonumber(ARGV[5]) do
    if found == 0 and redis.call('SET', parts .. number, me, 'NX', 'PX', ARGV[4]) then found = number end
end
if found > 0 then redis.call('HSET', workers, me, found) end
return {redis.call('GET', origin), found, text(now())}
