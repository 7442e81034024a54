import type { Registry } from 'prom-client';
import { Declarations } from './declare.js';

/** Values that the metrics of a shared quota store read on each scrape. */
export interface QuotaGauges {
  isUp(): boolean;
  /** Number of calls refused because the store was away. */
  refusals(): number;
}

/** Adds the metrics of a quota store that several nodes share; call once. */
export function watchQuotaStore(registry: Registry, quotas: QuotaGauges): void {
  const declare = new Declarations(registry);
  declare.gauge(
    'heddle_quota_store_up',
    '1 while the Redis server of --quota-store answers, else 0; absent with the embedded store',
    () => (quotas.isUp() ? 1 : 0),
  );
  declare.counter(
    'heddle_quota_store_refusals_total',
    'Calls refused because the Redis server of --quota-store was away; absent with the embedded store',
    () => quotas.refusals(),
  );
}
