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
  { following, ...role }: ChainRole,
): ChainHandlers {
  const { pool, journal, executor } = core;
  context.results.serve(knownChain(core.chain, core.store));
  const sources = {
    ...context.config,
    ...context,
    ...core,
    ...role,
    work: context.mainThreadWork.work,
    version: packageVersion(),
    sealingFailure: context.failureMessage,
    // A follower's sources decide about admission.
    admission: following?.forwarder ?? core.admission,
    // A follower's journal has no part in what it accepts.
    admissionFailure: () => (following === undefined && !journal.isWritable ? UNWRITABLE : undefined),
    failingOpenings: () => executor.openings.failing,
    ...(following !== undefined && {
      following: () => following.follower.report(),
      findUpstream: (hash: Uint8Array) => following.forwarder.find(hash),
    }),
  };
  return {
    ...statusHandlers(sources),
    ...accountHandlers(sources),
    ...contractHandlers(sources),
    ...buildHandlers(sources),
    ...callHandlers(sources),
    ...receiptHandlers(sources),
    ...transactionHandlers(sources),
    ...listingHandlers(sources),
    ...logHandlers(sources),
    ...snapshotHandlers(sources),
    ...proofHandlers(sources),
    ...epochHandlers(sources),
    ...poolHandlers(pool, sources.maxPageSize),
  };
}
