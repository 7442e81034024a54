import { packageVersion } from '../config/package-info.js';
import type { ConsensusInfo } from '../consensus/consensus-info.js';
import { UNWRITABLE } from '../mempool/errors.js';
import type { ChainHandlers } from '../rpc/handlers.js';
import { accountHandlers } from '../rpc/methods/accounts.js';
import { buildHandlers } from '../rpc/methods/build.js';
import { callHandlers } from '../rpc/methods/calls.js';
import { contractHandlers } from '../rpc/methods/contracts.js';
import { epochHandlers } from '../rpc/methods/epochs.js';
import { listingHandlers } from '../rpc/methods/listings.js';
import { logHandlers } from '../rpc/methods/logs.js';
import { poolHandlers } from '../rpc/methods/pool.js';
import { proofHandlers } from '../rpc/methods/proofs.js';
import { receiptHandlers } from '../rpc/methods/receipts.js';
import { snapshotHandlers } from '../rpc/methods/snapshots.js';
import { type StatusSources, statusHandlers } from '../rpc/methods/status.js';
import { transactionHandlers } from '../rpc/methods/transactions.js';
import { knownChain } from '../rpc/results/kept-results.js';
import type { NodeCore } from './core/open-core.js';
import type { FollowerParts } from './follower/open-follower.js';
import type { NodeContext } from './node-context.js';

/** The node's part in its chain. */
export interface ChainRole extends Pick<StatusSources, 'gatheredChanges'> {
  readonly agreement: ConsensusInfo;
  /** Undefined unless the node follows others. */
  readonly following: FollowerParts | undefined;
  /** Copies entries of the forked chain's state into a block; undefined unless the chain is a fork. */
  readonly copy: ((names: readonly Uint8Array[]) => Promise<void>) | undefined;
}

/** The main thread's handlers that need a chain; `front-handlers.ts` has those of front threads. */
export function mainHandlers(
  context: NodeContext,
  core: NodeCore,
  { agreement, gatheredChanges, following, copy }: ChainRole,
): ChainHandlers {
  const { config, now, uptimeMs, eventLoopLagMs, failureMessage, mainThreadWork } = context;
  const { maxPageSize, maxRangeBytes } = config;
  const { crypto, store } = core.base;
  const { chain, blocks, proofs } = core.chainState;
  const { views, reads, tracer, interfaces } = core.calls;
  const { certificates, checkpoints, canOpen } = core.chainServices;
  const { pool, journal, openings, waiters } = core.mempool;
  context.results.serve(knownChain(chain, store));
  const { executor } = core.blockServices.blockParts;
  // A follower's sources decide about admission.
  const admission = following?.forwarder ?? core.mempool.admission;
  return {
    ...statusHandlers({
      chain,
      crypto,
      pool,
      checkpoints,
      agreement,
      gatheredChanges,
      now,
      uptimeMs,
      eventLoopLagMs,
      version: packageVersion(),
      blockTimeMs: config.blockTimeMs,
      sealingFailure: failureMessage,
      // A follower's journal has no part in what it accepts.
      admissionFailure: () => (following === undefined && !journal.isWritable ? UNWRITABLE : undefined),
      failingOpenings: () => executor.openings.failing,
      ...(following === undefined ? {} : { following: () => following.follower.report() }),
    }),
    ...accountHandlers({
      chain,
      pool,
      work: mainThreadWork.work,
      maxAccounts: config.maxAccounts,
      maxAnswerBytes: config.maxAnswerBytes,
    }),
    ...contractHandlers({ chain, crypto, store }),
    ...buildHandlers({ chain, crypto, pool, interfaces, views }),
    ...callHandlers({ views, tracer }),
    ...receiptHandlers({ chain, blocks, reads, interfaces }),
    ...transactionHandlers({
      chain,
      crypto,
      blocks,
      reads,
      interfaces,
      pool,
      admission,
      canOpen,
      waiters,
      maxBundleTransactions: config.maxBundleTransactions,
      ...(following === undefined
        ? {}
        : { findUpstream: (hash: Uint8Array) => following.forwarder.find(hash) }),
    }),
    ...listingHandlers({ chain, reads, maxPageSize, maxRangeBytes, maxRangeHeights: config.maxRangeHeights }),
    ...logHandlers({ chain, crypto, reads, maxRangeBytes, maxLogs: config.maxLogs }),
    ...snapshotHandlers({ chain, store, blocks, checkpoints, certificates, reads, maxPageSize }),
    ...proofHandlers({ chain, crypto, store, blocks, certificates, proofs, copy }),
    ...epochHandlers({ chain, openings }),
    ...poolHandlers(pool, maxPageSize),
  };
}
