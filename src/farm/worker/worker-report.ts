import * as v from 'valibot';
import { FarmError } from '../farm-error.js';
import type { FarmRedis } from '../redis/farm-redis.js';
import { SEEN_KEY, WORKERS_KEY } from '../redis/keys.js';
import { parsed } from '../run/run-record.js';

/** Interval of the reports, in milliseconds. */
export const REPORT_MS = 2_000;

/** Age of the last report of a lost worker, and of a forgotten one, in milliseconds. */
const LOST_MS = 5 * REPORT_MS;
const FORGOTTEN_MS = 3_600_000;

const number = v.pipe(v.number(), v.finite());

const reportSchema = v.object({
  name: v.string(),
  version: v.string(),
  started_ms: number,
  seen_ms: number,
  state: v.picklist(['running', 'draining']),
  /** Calls of finished jobs a second since the report before, by run. */
  calls_per_second: v.record(v.string(), number),
  jobs: number,
  calls: number,
  nodes: v.array(
    v.object({
      url: v.string(),
      /** Empty while the node takes calls; else why it does not. */
      problem: v.string(),
      in_flight: number,
      allowed: number,
      overloads: number,
    }),
  ),
});

export type WorkerReport = v.InferOutput<typeof reportSchema>;

/** Publishes a report, and forgets workers that have not reported for an hour. @throws FarmError redis */
export async function publishReport(redis: FarmRedis, report: WorkerReport): Promise<void> {
  const { name, seen_ms: now } = report;
  await redis.run(async (client) => {
    await client.hset(WORKERS_KEY, name, JSON.stringify(report));
    await client.zadd(SEEN_KEY, now, name);
    const old = await client.zrangebyscore(SEEN_KEY, 0, now - FORGOTTEN_MS);
    if (old.length > 0) await Promise.all([client.hdel(WORKERS_KEY, ...old), client.zrem(SEEN_KEY, ...old)]);
  });
}

/** Removes the report of a worker that ends. @throws FarmError redis */
export async function withdrawReport(redis: FarmRedis, name: string): Promise<void> {
  await redis.run((client) => Promise.all([client.hdel(WORKERS_KEY, name), client.zrem(SEEN_KEY, name)]));
}

/** The reports of all workers of this version, by name. @throws FarmError redis */
export async function readReports(redis: FarmRedis): Promise<WorkerReport[]> {
  const texts = await redis.run((client) => client.hgetall(WORKERS_KEY));
  return Object.entries(texts)
    .flatMap(([name, text]) => readReport(name, text))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Whether a worker has not reported for a while. */
export function isLost({ seen_ms: seen }: WorkerReport, now: number): boolean {
  return now - seen > LOST_MS;
}

function readReport(name: string, text: string): WorkerReport[] {
  try {
    return [parsed(reportSchema, text, `the report of worker ${name}`)];
  } catch (error) {
    // A worker of another version must not hide the others.
    if (error instanceof FarmError && error.code === 'damaged') return [];
    throw error;
  }
}
