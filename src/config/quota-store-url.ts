import type { OptionKind } from './option.js';
import { text } from './option-kinds.js';

/** The value of `--quota-store` for the store of the node itself. */
export const EMBEDDED_QUOTA_STORE = 'embedded';

/** Where a Redis server listens, and how to log in. */
export interface RedisAddress {
  /** The address without its password, for messages. */
  readonly name: string;
  /** Host and port, or the path of a socket. */
  readonly at: { readonly host: string; readonly port: number } | { readonly path: string };
  readonly tls: boolean;
  readonly username: string | undefined;
  /** Secret. */
  readonly password: string | undefined;
  readonly database: number;
}

const DEFAULT_PORT = 6_379;
const MAX_DATABASE = 1_000_000;

/** Where prepaid balances are: `embedded`, or the URL of a Redis server. The URL may hold a password. */
export const QUOTA_STORE: OptionKind<string> = {
  ...text((value) => value === EMBEDDED_QUOTA_STORE || parseRedisUrl(value) !== undefined, {
    expected:
      'embedded, or a Redis server such as redis://USER:PASSWORD@HOST:6379/0, rediss://HOST (TLS) or unix:///run/redis.sock?db=0, with special characters percent-encoded',
    placeholder: 'URL',
  }),
  isSecret: true,
};

/** Parses the URL of a Redis server; undefined if it is malformed. */
export function parseRedisUrl(value: string): RedisAddress | undefined {
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  const username = decoded(url.username);
  const password = decoded(url.password);
  if (username === undefined || password === undefined || url.hash !== '') return undefined;
  const login = {
    username: username === '' ? undefined : username,
    password: password === '' ? undefined : password,
  };
  if (url.protocol === 'unix:') return socketAddress(url, login);
  if (url.protocol !== 'redis:' && url.protocol !== 'rediss:') return undefined;
  const database = databaseOf(url.pathname.slice(1));
  if (url.hostname === '' || url.search !== '' || database === undefined) return undefined;
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port);
  // Sockets want an IPv6 address without its brackets.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const name = `${url.protocol}//${url.hostname}:${port}/${database}`;
  return { name, at: { host, port }, tls: url.protocol === 'rediss:', ...login, database };
}

function socketAddress(
  url: URL,
  login: Pick<RedisAddress, 'username' | 'password'>,
): RedisAddress | undefined {
  const path = decoded(url.pathname);
  const others = [...url.searchParams.keys()].filter((key) => key !== 'db');
  const database = databaseOf(url.searchParams.get('db') ?? '');
  if (path === undefined || path.length < 2 || url.host !== '' || others.length > 0) return undefined;
  if (database === undefined) return undefined;
  return { name: `unix://${path}?db=${database}`, at: { path }, tls: false, ...login, database };
}

function databaseOf(digits: string): number | undefined {
  if (digits === '') return 0;
  return /^\d{1,7}$/.test(digits) && Number(digits) <= MAX_DATABASE ? Number(digits) : undefined;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
