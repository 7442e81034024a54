import type { Registry } from 'prom-client';
import type { StoreFigures } from '../../storage/store.js';
import { Declarations } from './declare.js';

export interface PoolFigures {
  /** Number of tasks waiting or running; a task may carry several calls. */
  readonly load: number;
  readonly workers: number;
}

export interface ServiceGauges {
  readonly pools: Readonly<Record<'calls' | 'reads' | 'blocks', PoolFigures>>;
  /** Undefined if the store has no such figures. */
  store(): StoreFigures | undefined;
  /** Numbers of transactions and lanes in the pool, and its limits. */
  pool(): Readonly<Record<'ready' | 'capacity' | 'capacityBytes' | 'lanes', number>>;
  /** Height of the newest checkpoint; undefined without one. */
  checkpointHeight(): bigint | undefined;
}

export function watchServices(registry: Registry, services: ServiceGauges): void {
  const declare = new Declarations(registry);
  const pools = Object.entries(services.pools);
  declare.gauges(
    'heddle_worker_tasks',
    'Tasks waiting or running, by pool; a task may carry several calls',
    'pool',
    () => pools.map(([name, { load }]) => [name, load] as const),
  );
  declare.gauges('heddle_worker_threads', 'Maximum number of threads, by pool', 'pool', () =>
    pools.map(([name, { workers }]) => [name, workers] as const),
  );
  for (const [name, help, field] of [
    ['ready_transactions', 'Transactions in the pool that the next block could include', 'ready'],
    ['capacity_transactions', 'Maximum number of transactions in the pool', 'capacity'],
    ['capacity_bytes', 'Maximum size of the transactions in the pool', 'capacityBytes'],
    ['lanes', 'Lanes with transactions in the pool', 'lanes'],
  ] as const) {
    declare.gauge(`heddle_pool_${name}`, help, () => services.pool()[field]);
  }
  declare.gauge('heddle_checkpoint_height', 'Height of the newest checkpoint; absent without one', () =>
    services.checkpointHeight(),
  );
  const rows = [
    ['heddle_store_compactions', 'Compactions that are running', 'compactions'],
    ['heddle_store_flushes', 'Flushes of memtables that are running', 'flushes'],
    [
      'heddle_store_write_limit_bytes',
      'Write rate to which RocksDB throttles, in bytes per second; 0 if it does not throttle',
      'writeLimit',
    ],
    ['heddle_store_stopped', '1 while RocksDB accepts no writes, else 0', 'stopped'],
    ['heddle_store_background_errors', 'Errors of compactions and flushes since the start', 'errors'],
    ['heddle_store_snapshots', 'Snapshots in use, such as those of open scans', 'snapshots'],
  ] as const;
  for (const [name, help, field] of rows) {
    declare.gauge(name, `${help}; absent without RocksDB`, () => services.store()?.[field]);
  }
}

export interface QuotaGauges {
  isUp(): boolean;
  refusals(): number;
}

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
