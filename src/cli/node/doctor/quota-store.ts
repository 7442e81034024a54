import { EMBEDDED_QUOTA_STORE, parseRedisUrl } from '../../../config/quota-store-url.js';
import { QuotaError } from '../../../rpc/access/quota-store.js';
import type { RedisQuotaStore } from '../../../rpc/access/redis/redis-quota-store.js';
import type { DoctorContext } from './doctor-context.js';
import { type Finding, ok, problem, warning } from './finding.js';

const EXPECTED = 'the embedded store, or a Redis server that answers and keeps each change';
/** Settings that let balances survive a crash of Redis, each with the consequence of any other value. */
const SETTINGS = [
  ['appendonly', 'yes', 'a crash of Redis loses balances and revocations'],
  ['appendfsync', 'always', 'a crash of Redis may hand out units twice'],
  ['maxmemory-policy', 'noeviction', 'a full Redis drops balances and revocations'],
] as const;

/** Checks the Redis server of `--quota-store`. Prints no password. */
export async function checkQuotaStore({ config }: DoctorContext): Promise<Finding | readonly Finding[]> {
  const address = config.quotaStore === EMBEDDED_QUOTA_STORE ? undefined : parseRedisUrl(config.quotaStore);
  if (address === undefined) return ok('quota store', EMBEDDED_QUOTA_STORE, EXPECTED);
  const { RedisQuotaStore } = await import('../../../rpc/access/redis/redis-quota-store.js');
  let store: RedisQuotaStore;
  try {
    store = await RedisQuotaStore.open(address);
  } catch (error) {
    if (!(error instanceof QuotaError)) throw error;
    return problem(
      'quota store',
      error.message,
      EXPECTED,
      address.tls
        ? 'correct user, password and database in --quota-store; name the authority of its certificate in NODE_EXTRA_CA_CERTS'
        : 'correct user, password and database in --quota-store',
    );
  }
  try {
    if (!store.isUp) {
      const found = `${store.name} does not answer: ${store.why}`;
      return warning('quota store', found, EXPECTED, 'start Redis, or correct the address in --quota-store');
    }
    const settings = await store.settings();
    if (settings === undefined) {
      return ok('quota store', `${store.name} answers, and does not report its settings`, EXPECTED);
    }
    const findings = SETTINGS.filter(([name, value]) => settings.get(name) !== value).map(
      ([name, value, consequence]) =>
        warning(
          'quota store',
          `${store.name} has ${name} ${settings.get(name) ?? ''}: ${consequence}`,
          EXPECTED,
          `set ${name} ${value} in the configuration of Redis`,
        ),
    );
    return findings.length > 0
      ? findings
      : ok('quota store', `${store.name} answers and keeps changes`, EXPECTED);
  } finally {
    store.close();
  }
}
