import { Counter, Gauge, type Registry } from 'prom-client';
import type { SourceCounts } from '../../sync/follow/source.js';

/** Values that the metrics of a follower read on each scrape. */
export interface FollowGauges {
  /** Height of the last committed block; 0 before the first. */
  height(): bigint;
  bestKnownHeight(): bigint;
  sources(): readonly (SourceCounts & { readonly usable: boolean })[];
}

/** Adds the metrics of a follower to a registry; call once. */
export function watchFollower(registry: Registry, follower: FollowGauges): void {
  const registers = [registry];
  new Gauge({
    name: 'heddle_follow_best_known_height',
    help: 'Greatest height reported by a source',
    registers,
    collect() {
      this.set(Number(follower.bestKnownHeight()));
    },
  });
  new Gauge({
    name: 'heddle_follow_lag_blocks',
    help: 'Number of blocks this node is behind the best known height',
    registers,
    collect() {
      this.set(Math.max(0, Number(follower.bestKnownHeight() - follower.height())));
    },
  });
  new Gauge({
    name: 'heddle_follow_source_usable',
    help: '1 if a source is in use, 0 while it is suspended because it failed or lied',
    labelNames: ['source'],
    registers,
    collect() {
      for (const { url, usable } of follower.sources()) this.set({ source: url }, usable ? 1 : 0);
    },
  });
  new Counter({
    name: 'heddle_follow_source_errors_total',
    help: 'Faults of sources since the start, by source and code',
    labelNames: ['source', 'code'],
    registers,
    collect() {
      this.reset();
      for (const { url, errors } of follower.sources()) {
        for (const [code, count] of errors) this.inc({ source: url, code }, count);
      }
    },
  });
  new Counter({
    name: 'heddle_follow_chunks_total',
    help: 'Valid snapshot chunks since the start, by source',
    labelNames: ['source'],
    registers,
    collect() {
      this.reset();
      for (const { url, chunks } of follower.sources()) this.inc({ source: url }, chunks);
    },
  });
}
