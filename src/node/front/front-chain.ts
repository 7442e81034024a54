import type { Sliced } from '../../async/sliced-work.js';
import { createTipMemory, TipPublisher } from '../../chain/published-tip.js';
import type { Calls } from '../../execution/calls/worker-calls.js';
import type { PoolName } from '../../rpc/front/front-messages.js';
import { pendingAccountLines } from '../../rpc/methods/accounts.js';
import type { FollowReport } from '../../sync/follow/follower.js';
import type { NodeCore } from '../core/open-core.js';
import type { PoolFeed } from '../pool-feed.js';
import type { Teardown } from '../teardown.js';
import type { FrontThreads } from './front-threads.js';
import { Heartbeat } from './heartbeat.js';

/** Interval of checks for changes that no commit reports, in milliseconds. */
const POLL_MS = 100;

export interface PublishedChainParts {
  /** Memory of the ChainClock. */
  readonly clock: SharedArrayBuffer;
  /** Absent on a node that follows nobody. */
  readonly following: (() => FollowReport) | undefined;
  readonly hasKey: () => boolean;
  readonly hasControls: boolean;
  readonly teardown: Teardown;
}

/** The main thread's chain as published to the front threads once it is open. */
export class FrontChain {
  readonly threads: FrontThreads;
  #core: NodeCore | undefined;
  #onPoolChanged: () => void = () => undefined;

  constructor(threads: FrontThreads) {
    this.threads = threads;
  }

  /** Publishes the chain to the front threads, now and with every commit. */
  open(core: NodeCore, { clock, following, hasKey, hasControls, teardown }: PublishedChainParts): void {
    const { chain, checkpoints, pool, pendingSenders } = core;
    const tip = createTipMemory();
    const publisher = new TipPublisher(tip);
    let published = '';
    const publish = () => {
      const { latest } = checkpoints;
      const report = following?.();
      published = name(latest?.height, report);
      publisher.publish({
        tip: chain.tip,
        checkpoint: latest && { height: latest.height, state_root: latest.state_root },
        following: report && { bestKnownHeight: report.bestKnownHeight, blockTimeMs: report.blockTimeMs },
      });
    };
    publish();
    teardown.add(chain.onCommit('tip', publish));
    const poolSize = new SharedArrayBuffer(4);
    const words = new Int32Array(poolSize);
    const onPoolChanged = () => Atomics.store(words, 0, pool.size);
    onPoolChanged();
    // Registered after the pool's own listener, which removes the included transactions.
    teardown.add(chain.onCommit('pool', onPoolChanged));
    const heartbeat = new Heartbeat();
    heartbeat.beat(hasKey());
    const looking = setInterval(() => {
      heartbeat.beat(hasKey());
      onPoolChanged();
      if (name(checkpoints.latest?.height, following?.()) !== published) publish();
    }, POLL_MS).unref();
    teardown.add(() => clearInterval(looking));
    this.#core = core;
    this.#onPoolChanged = onPoolChanged;
    this.threads.serve({
      genesisHash: chain.genesisHash,
      genesisStateRoot: chain.genesisStateRoot,
      firstHeight: chain.firstHeight,
      store: core.store.handle,
      tip,
      clock,
      poolSize,
      heartbeat: heartbeat.memory,
      pendingSenders,
      changes: core.workers.memory.changes,
      hasControls,
    });
  }

  get poolFeed(): PoolFeed | undefined {
    return this.#core?.feed;
  }

  /** What answers the calls that front threads pass on; undefined before there is a chain. */
  calls(pool: PoolName): Calls | undefined {
    return pool === 'calls' ? this.#core?.calls : this.#core?.readCalls;
  }

  /** See `pendingAccountLines`. */
  accounts(addresses: Uint8Array): Sliced<string> {
    if (this.#core === undefined)
      throw new Error('a front thread requested accounts before the chain was open');
    return pendingAccountLines(this.#core, addresses);
  }

  /** Publishes the pool's size. Call it before any answer reveals a change to the front threads. */
  onPoolChanged(): void {
    this.#onPoolChanged();
  }
}

function name(checkpoint: bigint | undefined, report: FollowReport | undefined): string {
  return `${checkpoint} ${report?.bestKnownHeight} ${report?.blockTimeMs}`;
}
