import type { MainThreadScheduler } from '../rpc/front/main-thread-scheduler.js';
import type { ChainHandlers } from '../rpc/handlers.js';
import type { DevHandlers } from '../rpc/methods/dev.js';
import type { NodeMetrics } from '../rpc/metrics/node-metrics.js';
import type { KeptResults } from '../rpc/results/kept-results.js';
import type { Tracing } from '../rpc/tracing/tracing.js';
import type { SourceSet } from '../sync/follow/source-set.js';
import type { CheckpointParts } from './control/checkpoint-requests.js';
import type { NodeEnvironment } from './core/core-options.js';
import type { EventLink } from './event-link.js';
import type { TrustAnchor } from './follower/trust-anchor.js';
import type { Fork } from './fork/open-fork.js';
import type { FrontChain } from './front/front-chain.js';
import type { NodeBase } from './open-base.js';

export interface NodeContext extends NodeEnvironment {
  readonly base: NodeBase;
  /** Undefined unless the chain is a fork. */
  readonly fork: Fork | undefined;
  /** `manual`: only `sealNow` seals blocks. */
  readonly sealing: 'paced' | 'manual';
  readonly uptimeMs: () => number;
  readonly metrics: NodeMetrics;
  /** Undefined without `--otlp-endpoint`. */
  readonly tracing: Tracing | undefined;
  readonly mainThreadWork: MainThreadScheduler;
  /** The results that the main thread keeps if it takes requests. */
  readonly results: KeptResults;
  readonly eventLoopLagMs: () => number;
  readonly failureMessage: () => string | undefined;
  /** Undefined on a node that takes requests on the main thread. */
  readonly front: FrontChain | undefined;
  /** The main thread's subscriptions; clients reach them only on a node without front threads. */
  readonly events: EventLink;
}

/** The services behind the front end. */
export interface RunningServices {
  readonly handlers: ChainHandlers;
  /** The development controls; undefined on a node without them, and before it has a chain. */
  controls(): DevHandlers | undefined;
  start(): Promise<void>;
  /** Answers all calls that wait for an event. */
  releaseWaiters(): void;
  chain(): ChainFacts;
  /** Undefined on a node that has no chain yet. */
  checkpointParts(): CheckpointParts | undefined;
}

export interface Upstream {
  readonly sources: SourceSet;
  readonly trust: TrustAnchor;
}

/** The chain's identity; see `RunningNode`. */
export interface ChainFacts {
  readonly chainId: bigint | undefined;
  readonly genesisHash: string | undefined;
  readonly devAccounts: readonly Uint8Array[];
  balanceOf(address: Uint8Array): bigint | undefined;
  sealNow(timestampMs: number): Promise<void>;
}
