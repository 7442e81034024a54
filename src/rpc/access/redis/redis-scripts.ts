/*
 * The scripts of the Redis quota store. Redis runs each of them atomically, and writes its effects to the append-only
 * file before it answers. Numbers are formatted with %.0f, because Lua would write large ones with an exponent.
 *
 * Keys, all with the prefix `heddle:`
 * - `token:<id>`: hash with the record of a token; `left` is the balance. Expires a month after the token.
 * - `tokens`: sorted set of ids by the time at which their tokens expire, in milliseconds.
 * - `revocations`: sorted set of revoked ids by sequence number, the latest 10,000; `revocation`: the last number.
 * - `rate:<id>`: the time at which the bucket of a token's rate is empty, in microseconds. Expires when it is.
 * - `address:<policy>:<address>`: the same for the rate of an address.
 * - `usage:<day>:<id>`: hash with what a token used on a day: its subject, and the calls and units of each method.
 * - `usage:<day>`: sorted set of the ids with such a hash, all with score 0. Both expire some 400 days later.
 */

/** KEYS: record, index. ARGV: id, token's expiry, record's expiry, fields and values. Returns the stored record. */
export const REGISTER = `
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], unpack(ARGV, 4))
  redis.call('PEXPIREAT', KEYS[1], ARGV[3])
  redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
end
return redis.call('HGETALL', KEYS[1])`;

/**
 * KEYS: record. ARGV: units, units of the call that needs them. Returns the number handed out: beyond the call's, at most
 * a quarter of the balance, so that the last units are not all on hand at one node while others run out.
 */
export const TAKE = `
local record = redis.call('HMGET', KEYS[1], 'left', 'revoked_ms')
local left = tonumber(record[1] or '0')
local share = math.max(tonumber(ARGV[2]), math.ceil(left / 4))
local taken = math.min(left, tonumber(ARGV[1]), share)
if record[2] or taken <= 0 then return 0 end
redis.call('HINCRBY', KEYS[1], 'left', string.format('%.0f', -taken))
return taken`;

/** KEYS: record. ARGV: units. A balance never rises above what was granted. */
export const GIVE_BACK = `
local record = redis.call('HMGET', KEYS[1], 'left', 'units')
if not record[2] then return 0 end
local left = math.min(tonumber(record[1]) + tonumber(ARGV[1]), tonumber(record[2]))
redis.call('HSET', KEYS[1], 'left', string.format('%.0f', left))
return 0`;

/** KEYS: record. ARGV: units, maximum. Returns a code, and the record. */
export const TOP_UP = `
if redis.call('EXISTS', KEYS[1]) == 0 then return {'unknown_token', {}} end
local units = redis.call('HGET', KEYS[1], 'units')
if not units then return {'not_prepaid', {}} end
if tonumber(units) + tonumber(ARGV[1]) > tonumber(ARGV[2]) then return {'too_many_units', {}} end
redis.call('HINCRBY', KEYS[1], 'units', ARGV[1])
redis.call('HINCRBY', KEYS[1], 'left', ARGV[1])
return {'ok', redis.call('HGETALL', KEYS[1])}`;

/** KEYS: record, revocations, sequence number. ARGV: id, time, channel. Returns the record, empty if unknown. */
export const REVOKE = `
if redis.call('EXISTS', KEYS[1]) == 0 then return {} end
if redis.call('HSETNX', KEYS[1], 'revoked_ms', ARGV[2]) == 1 then
  redis.call('ZADD', KEYS[2], redis.call('INCR', KEYS[3]), ARGV[1])
  redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -10001)
end
redis.call('PUBLISH', ARGV[3], ARGV[1])
return redis.call('HGETALL', KEYS[1])`;

/**
 * Leases rate units: a leaky bucket after the generic cell rate algorithm, with the clock of Redis.
 *
 * KEYS: bucket. ARGV: units, units per second, burst. The bucket holds a quarter of a second less than the burst: that is
 * LEASE_MS, the time for which a lease is valid.
 * Returns the number of units leased and the milliseconds until the bucket is empty.
 */
export const LEASE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local full = ARGV[3] * 1000000 / ARGV[2]
local unit = full / ARGV[3]
local empty = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0'))
local room = math.floor((now + full - 250000 - empty) / unit)
local leased = math.max(0, math.min(tonumber(ARGV[1]), room))
if leased > 0 then
  empty = math.ceil(empty + leased * unit)
  local ms = string.format('%.0f', math.ceil((empty - now) / 1000))
  redis.call('SET', KEYS[1], string.format('%.0f', empty), 'PX', ms)
end
return {leased, math.ceil((empty - now) / 1000)}`;

/**
 * Adds use to leaky buckets without judging it: the nodes have served it. The time at which a bucket is empty stays
 * within a limit, so that a clock which jumps back does not lock clients out for long.
 *
 * KEYS: buckets. ARGV: for each bucket the use and the limit, in microseconds of its rate.
 * Returns the microseconds until each bucket is empty.
 */
export const ADD_USES = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local levels = {}
for at, key in ipairs(KEYS) do
  local empty = math.max(now, tonumber(redis.call('GET', key) or '0')) + tonumber(ARGV[2 * at - 1])
  empty = math.min(empty, now + tonumber(ARGV[2 * at]))
  local ms = string.format('%.0f', math.ceil((empty - now) / 1000))
  redis.call('SET', key, string.format('%.0f', empty), 'PX', ms)
  levels[at] = empty - now
end
return levels`;

/** KEYS: record, index. ARGV: id, subject, expiry, fields and what to add to them. */
export const ADD_USAGE = `
for at = 4, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[at], ARGV[at + 1]) end
redis.call('HSET', KEYS[1], 'subject', ARGV[2])
redis.call('PEXPIREAT', KEYS[1], ARGV[3])
redis.call('ZADD', KEYS[2], 0, ARGV[1])
redis.call('PEXPIREAT', KEYS[2], ARGV[3])
return 0`;
