import { Option } from 'commander';
import { parseRedisUrl } from '../../config/quota-store-url.js';
import { FarmRedis, type FarmRedisOptions } from '../../farm/redis/farm-redis.js';
import { RunStore } from '../../farm/run/run-store.js';
import type { CommandContext } from '../cli-command.js';
import { UsageError } from '../cli-error.js';

const DEFAULT_REDIS = 'redis://127.0.0.1:6379';

/** How long a command waits for a lost Redis, in milliseconds; a worker has an option. */
const PATIENCE_MS = 15_000;

export function redisOption(): Option {
  return new Option(
    '--redis <URL>',
    `Redis or Valkey server with the queue (default: HEDDLE_REDIS, else ${DEFAULT_REDIS}); the variable keeps a password off the command line`,
  );
}

/** @throws UsageError; FarmError redis */
export function openRedis(
  given: string | undefined,
  { environment, console }: CommandContext,
  options: Partial<FarmRedisOptions> = {},
): Promise<FarmRedis> {
  const url = given ?? (environment['HEDDLE_REDIS'] || DEFAULT_REDIS);
  const address = parseRedisUrl(url);
  if (address === undefined) {
    // The text may hold a password.
    throw new UsageError(
      '--redis: expected a URL such as redis://USER:PASSWORD@HOST:6379/0, rediss://HOST (TLS) or unix:///run/redis.sock, with special characters percent-encoded',
    );
  }
  const onChange = (state: 'lost' | 'refuses' | 'back', why: string): void => {
    const what = { lost: `no answer (${why}); waiting`, refuses: `${why}; waiting`, back: 'answers again' };
    console.err(`heddle: ${address.name}: ${what[state]}\n`);
  };
  return FarmRedis.open(address, { patienceMs: PATIENCE_MS, onChange, ...options });
}

/** Uses the runs of a server and closes the connection. */
export async function withRuns<T>(
  given: string | undefined,
  context: CommandContext,
  use: (store: RunStore) => Promise<T>,
): Promise<T> {
  const redis = await openRedis(given, context);
  try {
    return await use(new RunStore(redis));
  } finally {
    redis.close();
  }
}
