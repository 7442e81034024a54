import type { RedisOptions } from 'ioredis';
import { backoffMs, jittered } from '../../../async/backoff.js';
import type { RedisAddress } from '../../../config/quota-store-url.js';

const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1_000;

/** Error replies that a retry may resolve. */
const TEMPORARY = /^(LOADING|BUSY|MASTERDOWN|TRYAGAIN|ERR max number of clients)/;

export function redisOptions(address: RedisAddress): RedisOptions & { replyMapping: 'legacy' } {
  const { at, tls, username, password, database } = address;
  return {
    ...at,
    ...(tls && { tls: 'host' in at ? { servername: at.host } : {} }),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    db: database,
    connectionName: 'heddle',
    disableClientInfo: true,
    // Version 3 logs in by HELLO, which proxies and older servers do not know.
    protocol: 2,
    replyMapping: 'legacy',
  };
}

/** Time before reconnection number `attempt`, in milliseconds, with jitter so that a fleet does not come all at once. */
export function retryDelayMs(attempt: number): number {
  return Math.ceil(jittered(backoffMs(FIRST_RETRY_MS, MAX_RETRY_MS, attempt), Math.random()));
}

/** Removes the password from a message: some servers quote the arguments of a refused command. */
export function withoutPassword(message: string, { password }: RedisAddress): string {
  return password === undefined ? message : message.replaceAll(password, '…');
}

/** Whether a server answered and refused for good: a wrong password, database, right or certificate, or no Redis. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === 'ReplyError') return !TEMPORARY.test(error.message);
  if (error.name === 'ParserError') return true;
  const { code } = error as { readonly code?: unknown };
  return typeof code === 'string' && /^(CERT_|ERR_TLS|ERR_SSL|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/.test(code);
}
