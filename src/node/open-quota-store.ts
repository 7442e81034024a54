import type { Config } from '../config/config.js';
import { EMBEDDED_QUOTA_STORE, parseRedisUrl } from '../config/quota-store-url.js';
import { EmbeddedQuotaStore } from '../rpc/access/embedded-quota-store.js';
import type { QuotaStore } from '../rpc/access/quota-store.js';
import type { RedisQuotaStore } from '../rpc/access/redis/redis-quota-store.js';
import { EmbeddedUsageStore } from '../rpc/access/usage/embedded-usage-store.js';
import type { UsageStore } from '../rpc/access/usage/usage.js';
import type { Store } from '../storage/store.js';

/** A quota store, and the same store again if several nodes share it. */
export interface OpenedQuotaStore {
  readonly store: QuotaStore;
  readonly shared: RedisQuotaStore | undefined;
  readonly usage: UsageStore;
  close(): void;
}

/**
 * Opens the quota store of `--quota-store`. One that several nodes share may be away; see `isUp`.
 * @param own the node's store
 * @throws QuotaError refused
 */
export async function openQuotaStore({ quotaStore }: Config, own: Store): Promise<OpenedQuotaStore> {
  const address = quotaStore === EMBEDDED_QUOTA_STORE ? undefined : parseRedisUrl(quotaStore);
  if (address === undefined) {
    return {
      store: new EmbeddedQuotaStore(own),
      shared: undefined,
      usage: new EmbeddedUsageStore(own),
      close: () => undefined,
    };
  }
  // Most nodes need no Redis client.
  const { RedisQuotaStore } = await import('../rpc/access/redis/redis-quota-store.js');
  const shared = await RedisQuotaStore.open(address);
  return { store: shared, shared, usage: shared.usage, close: () => shared.close() };
}
