import type { Registry } from 'prom-client';
import type { SourceCounts } from '../../sync/follow/source.js';
import { Declarations } from './declare.js';

export interface FollowGauges {
  /** Height of the last committed block; 0 before the first. */
  height(): bigint;
  bestKnownHeight(): bigint;
  sources(): readonly (SourceCounts & { readonly usable: boolean })[];
}

export function watchFollower(registry: Registry, follower: FollowGauges): void {
  const declare = new Declarations(registry);
  declare.gauge('heddle_follow_best_known_height', 'Greatest height reported by a source', () =>
    follower.bestKnownHeight(),
  );
  declare.gauge(
    'heddle_follow_lag_blocks',
    'Number of blocks this node is behind the best known height',
    () => Math.max(0, Number(follower.bestKnownHeight() - follower.height())),
  );
  declare.gauges(
    'heddle_follow_source_usable',
    '1 if a source is in use, 0 while it is suspended because it failed or lied',
    'source',
    () => follower.sources().map(({ url, usable }) => [url, usable ? 1 : 0]),
  );
  declare.counters(
    'heddle_follow_source_errors_total',
    'Faults of sources since the start, by source and code',
    ['source', 'code'],
    () =>
      follower
        .sources()
        .flatMap(({ url, errors }) => Array.from(errors, ([code, count]) => [[url, code], count] as const)),
  );
  declare.counters(
    'heddle_follow_chunks_total',
    'Valid snapshot chunks since the start, by source',
    'source',
    () => follower.sources().map(({ url, chunks }) => [url, chunks]),
  );
}
