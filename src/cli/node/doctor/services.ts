import { EMBEDDED_QUOTA_STORE, parseRedisUrl } from '../../../config/quota-store-url.js';
import { QuotaError } from '../../../rpc/access/quota-store.js';
import type { RedisQuotaStore } from '../../../rpc/access/redis/redis-quota-store.js';
import { expectTracingPackages, TracingError } from '../../../rpc/tracing/open-tracing.js';
import { type DoctorContext, type Finding, ok, problem, warning } from './doctor-context.js';

const KEEPING_STORE = 'the embedded store, or a Redis server that answers and keeps each change';
/** Settings that let balances survive a crash of Redis, each with the consequence of any other value. */
const SETTINGS = [
  ['appendonly', 'yes', 'a crash of Redis loses balances and revocations'],
  ['appendfsync', 'always', 'a crash of Redis may hand out units twice'],
  ['maxmemory-policy', 'noeviction', 'a full Redis drops balances and revocations'],
] as const;

/** Checks the Redis server of `--quota-store`. Prints no password. */
export async function checkQuotaStore({ config }: DoctorContext): Promise<Finding | readonly Finding[]> {
  const address = config.quotaStore === EMBEDDED_QUOTA_STORE ? undefined : parseRedisUrl(config.quotaStore);
  if (address === undefined) return ok(EMBEDDED_QUOTA_STORE, KEEPING_STORE);
  const { RedisQuotaStore } = await import('../../../rpc/access/redis/redis-quota-store.js');
  let store: RedisQuotaStore;
  try {
    store = await RedisQuotaStore.open(address);
  } catch (error) {
    if (!(error instanceof QuotaError)) throw error;
    return problem(
      error.message,
      KEEPING_STORE,
      address.tls
        ? 'correct user, password and database in --quota-store; name the authority of its certificate in NODE_EXTRA_CA_CERTS'
        : 'correct user, password and database in --quota-store',
    );
  }
  try {
    if (!store.isUp) {
      const found = `${store.name} does not answer: ${store.why}`;
      return warning(found, KEEPING_STORE, 'start Redis, or correct the address in --quota-store');
    }
    const settings = await store.settings();
    if (settings === undefined) {
      return ok(`${store.name} answers, and does not report its settings`, KEEPING_STORE);
    }
    const findings = SETTINGS.filter(([name, value]) => settings.get(name) !== value).map(
      ([name, value, consequence]) =>
        warning(
          `${store.name} has ${name} ${settings.get(name) ?? ''}: ${consequence}`,
          KEEPING_STORE,
          `set ${name} ${value} in the configuration of Redis`,
        ),
    );
    return findings.length > 0 ? findings : ok(`${store.name} answers and keeps changes`, KEEPING_STORE);
  } finally {
    store.close();
  }
}

const TRACING_PACKAGES = 'the optional @opentelemetry packages, with --otlp-endpoint';

/** Checks whether the node can export traces, if it should. Sends nothing to the receiver. */
export async function checkTracing({ config }: DoctorContext): Promise<Finding[]> {
  if (config.otlpEndpoint === undefined) return [];
  try {
    await expectTracingPackages();
    return [ok('the packages are installed; the receiver was not asked', TRACING_PACKAGES)];
  } catch (error) {
    if (!(error instanceof TracingError)) throw error;
    const advice = 'install the package with its optional dependencies, or leave out --otlp-endpoint';
    return [problem(error.message, TRACING_PACKAGES, advice)];
  }
}
