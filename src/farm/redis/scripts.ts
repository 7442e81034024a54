/*
 * Scripts that Redis runs atomically. Each may be sent twice, as after a lost connection, with the effect of once. What
 * may fail, as the decoding of JSON, comes before the first change: Redis takes nothing back.
 */

/**
 * Makes a run that is being submitted.
 *
 * KEYS: run, runs, active runs. ARGV: record, id, name of the run, time. Returns 1, or 0 if there is another of the name.
 */
export const CREATE = `
if redis.call('HSETNX', KEYS[1], 'id', ARGV[2]) == 0 then
  return redis.call('HGET', KEYS[1], 'id') == ARGV[2] and 1 or 0
end
redis.call('HSET', KEYS[1], 'record', ARGV[1], 'state', 'submitting', 'advanced_ms', ARGV[4])
redis.call('ZADD', KEYS[2], ARGV[4], ARGV[3])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[3])
return 1`;

/**
 * Notes how far a submission has come; it never goes back, as when two processes go on with it.
 *
 * KEYS: run. ARGV: id, number of jobs before, lines, jobs, size of the calls added, time. Returns the state of the run;
 * '' if there is none, and `lost` if Redis has fewer jobs than came before, as after a crash.
 */
export const ADVANCE = `
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return '' end
local state = redis.call('HGET', KEYS[1], 'state')
local jobs = tonumber(redis.call('HGET', KEYS[1], 'jobs') or '0')
if jobs < tonumber(ARGV[2]) then return 'lost' end
if state == 'submitting' and tonumber(ARGV[4]) > jobs then
  redis.call('HSET', KEYS[1], 'lines', ARGV[3], 'jobs', ARGV[4], 'advanced_ms', ARGV[6])
  redis.call('HINCRBY', KEYS[1], 'input_bytes', ARGV[5])
end
return state`;

/**
 * Ends a submission.
 *
 * KEYS: run, jobs. ARGV: id, number of jobs. Returns as {@link ADVANCE} the state before.
 */
export const OPEN = `
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return '' end
local state = redis.call('HGET', KEYS[1], 'state')
if state ~= 'submitting' then return state end
if redis.call('HLEN', KEYS[2]) < tonumber(ARGV[2]) then return 'lost' end
redis.call('HSET', KEYS[1], 'state', 'open', 'submitted', 1)
return state`;

/**
 * Stores a piece of the results of an attempt, for a while.
 *
 * KEYS: staged. ARGV: place, piece, time until it is deleted in seconds.
 */
export const STAGE = `
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return redis.call('EXPIRE', KEYS[1], ARGV[3])`;

/**
 * Stores the results of a job unless it has some already, and counts them.
 *
 * KEYS: run, done, result, staged, workers, errors, failures.
 * ARGV: id of the run, job, record of the finished job, the only piece of its results or '' if they are staged, worker,
 * node, number of kept failures, time.
 * Returns the record that counts: the given one, or that of another attempt; '' if the run does not exist.
 */
export const COMMIT = `
if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return '' end
if redis.call('HGET', KEYS[1], 'state') == 'removed' then return '' end
local before = redis.call('HGET', KEYS[2], ARGV[2])
if before then return before end
local record = cjson.decode(ARGV[3])
local counts = record.statistics
local share = ARGV[5] .. '\\n' .. ARGV[6]
local work = cjson.decode(redis.call('HGET', KEYS[5], share) or '{"jobs":0,"calls":0,"busy_ms":0}')
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[3], 0, ARGV[4])
else
  redis.call('RENAME', KEYS[4], KEYS[3])
  redis.call('PERSIST', KEYS[3])
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
redis.call('HINCRBY', KEYS[1], 'done', 1)
for _, name in ipairs({'calls', 'answered', 'failed', 'undetermined'}) do
  redis.call('HINCRBY', KEYS[1], name, counts[name])
end
redis.call('HINCRBY', KEYS[1], 'result_bytes', record.stored_bytes)
redis.call('HSETNX', KEYS[1], 'first_ms', ARGV[8])
redis.call('HSET', KEYS[1], 'last_ms', ARGV[8])
for kind, count in pairs(counts.errors) do
  redis.call('HINCRBY', KEYS[6], kind, count)
end
work.jobs = work.jobs + 1
work.calls = work.calls + counts.calls
work.busy_ms = work.busy_ms + record.busy_ms
redis.call('HSET', KEYS[5], share, cjson.encode(work))
local room = tonumber(ARGV[7]) - redis.call('LLEN', KEYS[7])
for place, failure in ipairs(record.failures) do
  if place > room then break end
  redis.call('RPUSH', KEYS[7], cjson.encode(failure))
end
return ARGV[3]`;

/**
 * Takes the results of a job back, so that it can run again.
 *
 * KEYS: run, done, result, workers, errors, failures. ARGV: job. Returns 1, or 0 if the job has none.
 */
export const WITHDRAW = `
local before = redis.call('HGET', KEYS[2], ARGV[1])
if not before then return 0 end
local record = cjson.decode(before)
local counts = record.statistics
local share = record.worker .. '\\n' .. record.node
local work = cjson.decode(redis.call('HGET', KEYS[4], share) or '{"jobs":0,"calls":0,"busy_ms":0}')
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('DEL', KEYS[3])
redis.call('HINCRBY', KEYS[1], 'done', -1)
-- Lua's -0 is no integer to Redis.
for _, name in ipairs({'calls', 'answered', 'failed', 'undetermined'}) do
  redis.call('HINCRBY', KEYS[1], name, 0 - counts[name])
end
redis.call('HINCRBY', KEYS[1], 'result_bytes', 0 - record.stored_bytes)
for kind, count in pairs(counts.errors) do
  redis.call('HINCRBY', KEYS[5], kind, 0 - count)
end
work.jobs = math.max(0, work.jobs - 1)
work.calls = math.max(0, work.calls - counts.calls)
work.busy_ms = math.max(0, work.busy_ms - record.busy_ms)
redis.call('HSET', KEYS[4], share, cjson.encode(work))
for _, text in ipairs(redis.call('LRANGE', KEYS[6], 0, -1)) do
  if cjson.decode(text).job == tonumber(ARGV[1]) then redis.call('LREM', KEYS[6], 0, text) end
end
return 1`;

/**
 * Notes a disagreement, and counts those beyond the limit.
 *
 * KEYS: run, disagreements. ARGV: job and checksum, record, limit.
 */
export const DISAGREE = `
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return 0 end
if redis.call('HLEN', KEYS[2]) < tonumber(ARGV[3]) then redis.call('HSET', KEYS[2], ARGV[1], ARGV[2]) end
return redis.call('HINCRBY', KEYS[1], 'disagreements', 1)`;

/**
 * Takes a run off the list of active runs, unless jobs have been added since its version was read.
 *
 * KEYS: run, active runs. ARGV: name of the run, version.
 */
export const RETIRE = `
if (redis.call('HGET', KEYS[1], 'version') or '0') == ARGV[2] then redis.call('ZREM', KEYS[2], ARGV[1]) end
return 0`;

/**
 * Deletes what BullMQ writes when it looks for dead workers, if the run has been removed: such a look of another process
 * brings these keys back after the removal.
 *
 * KEYS: run, meta and stalled-check of its queue.
 */
export const SWEEP = `
local state = redis.call('HGET', KEYS[1], 'state')
if state and state ~= 'removed' then return 0 end
-- A removal that still goes on needs the queue to stay paused.
redis.call('HDEL', KEYS[2], 'opts.maxLenEvents')
return redis.call('DEL', KEYS[3])`;
