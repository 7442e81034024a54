import { setImmediate as nextTick } from 'node:timers/promises';
import { errorMessage } from '../base/errors.js';
import type { Crypto } from '../crypto/crypto.js';
import { type AtomicGroup, atomicGroupsOf, type Candidates } from '../execution/atomic-groups.js';
import { BlockExecution, type ExecutedBlock, gasLimitOf } from '../execution/block-execution.js';
import { packCandidates, unpackBlock } from '../execution/block-wire.js';
import { branchState } from '../execution/branch-state.js';
import { Cancellation, cancelOn } from '../execution/cancellation.js';
import { CandidatesAtFault } from '../execution/candidates-at-fault.js';
import { addInParallel } from '../execution/parallel/parallel-execution.js';
import type { Predictions } from '../execution/parallel/predictions.js';
import type { ProgressMarks } from '../execution/parallel/progress-marks.js';
import type { ParallelStatistics } from '../execution/parallel/statistics.js';
import { GROUP_TIME, type GroupTime, WatchedRunner } from '../execution/parallel/watched-runner.js';
import type { Branch, SharedWrites } from '../execution/pending-writes.js';
import type { ExecutionPool } from '../execution/pool/execution-pool.js';
import { CommittedState, type StateSource } from '../execution/state-source.js';
import type { AccountCache } from '../ledger/account-cache.js';
import { type AddressHex, addressHex } from '../ledger/hex-types.js';
import {
  encodeTransactionItem,
  needsEngine,
  type VerifiedTransaction,
} from '../ledger/transaction-envelope.js';
import type { StoreReader } from '../storage/store.js';
import { StoreError } from '../storage/store-error.js';
import { BlockInProgress } from './block-in-progress.js';
import type { ExecutionBase } from './executed-candidates.js';
import type { OpeningFault } from './sealed/opening-attempts.js';
import { Openings } from './sealed/openings.js';

/** Number of transfers executed per event loop tick, about a millisecond of work. */
const SLICE = 128;

export interface BlockSharing {
  readonly workers: Pick<ExecutionPool, 'run' | 'workers'>;
  readonly predictions: Predictions;
  /** Time limit of a group; default {@link GROUP_TIME}. */
  readonly groupTime?: GroupTime;
  /** Progress marks of the workers, which survive a crash; none if absent. */
  readonly marks?: ProgressMarks;
}

/**
 * Executes blocks on the last committed block or on a branch above it. A block of plain transfers runs on this thread
 * in slices, which is cheaper than sending it to a worker. A block with contract calls runs in workers, because this
 * thread never runs contract code: in a single worker, or in all of them if `sharing` is given. Both produce identical
 * results.
 */
export class BlockExecutor {
  readonly openings: Openings;
  readonly #accounts: AccountCache;
  readonly #store: StoreReader;
  readonly #crypto: Crypto;
  /** State of the last committed block. */
  readonly #source: StateSource;
  readonly #workers: Pick<ExecutionPool, 'run'>;
  readonly #sharing: BlockSharing | undefined;

  constructor(
    accounts: AccountCache,
    store: StoreReader,
    crypto: Crypto,
    workers: Pick<ExecutionPool, 'run'>,
    sharing?: BlockSharing,
    onOpeningFault?: (fault: OpeningFault) => void,
  ) {
    this.#accounts = accounts;
    this.#store = store;
    this.#crypto = crypto;
    this.#workers = workers;
    this.#sharing = sharing;
    const stateAfter = (branch: Branch) => this.#stateAfter(branch);
    this.openings = new Openings({ crypto, workers, stateAfter, onFault: onOpeningFault });
    const committed = new CommittedState(store, crypto);
    this.#source = {
      account: (address) => accounts.get(address as AddressHex),
      slot: (contract, slot) => committed.slot(contract, slot),
      record: (name) => committed.record(name),
      code: (hash) => committed.code(hash),
    };
  }

  /** @throws CandidatesAtFault if some candidates cause a failure; StoreError, ExecutionError, other execution errors */
  async execute(
    base: ExecutionBase,
    candidates: Candidates<VerifiedTransaction>,
    signal?: AbortSignal,
  ): Promise<ExecutedBlock> {
    if (this.#sharing === undefined && !candidates.transactions.every(isPlain)) {
      return this.#executeInOne(base, candidates, signal);
    }
    const block = this.open(base, signal);
    await block.add(candidates);
    return block.finish();
  }

  /**
   * Executes a block that has already been decided. None of its transactions can be left out, so none is blamed: if a
   * worker was lost or slow, a single worker executes the whole block without a time limit, and another one if that
   * worker is lost.
   * @param signal cancels the execution, stopping its workers
   * @throws ExecutionError, StoreError, the signal's reason, anything that execution throws
   */
  async executeDecided(
    base: ExecutionBase,
    candidates: Candidates<VerifiedTransaction>,
    signal?: AbortSignal,
  ): Promise<ExecutedBlock> {
    try {
      return await this.execute(base, candidates, signal);
    } catch (error) {
      if (!(error instanceof CandidatesAtFault)) throw error;
      return this.#executeInOne(base, candidates, signal);
    }
  }

  /**
   * Like {@link executeDecided}, in a single worker: less total work, but slower if workers are idle. Useful while the
   * workers verify signatures of other blocks.
   */
  async executeUnshared(
    base: ExecutionBase,
    candidates: Candidates<VerifiedTransaction>,
    signal?: AbortSignal,
  ): Promise<ExecutedBlock> {
    return candidates.transactions.every(isPlain)
      ? this.executeDecided(base, candidates, signal)
      : this.#executeInOne(base, candidates, signal);
  }

  async #executeInOne(
    base: ExecutionBase,
    candidates: Candidates<VerifiedTransaction>,
    signal: AbortSignal | undefined,
  ): Promise<ExecutedBlock> {
    const input = {
      env: base.env,
      ...(base.before === undefined ? {} : { before: base.before }),
      ...sharedBranch(base),
      candidates: packCandidates({
        transactions: candidates.transactions.map(encodeTransactionItem),
        bundles: candidates.bundles,
      }),
    };
    const cancellation = new Cancellation();
    const unfollow = cancelOn(signal, cancellation);
    try {
      return unpackBlock(await this.#workers.run('execute_block', input, { cancellation }));
    } finally {
      unfollow();
    }
  }

  /** Opens a block that is built in waves; adding a wave throws like {@link execute}. */
  open(base: ExecutionBase, signal?: AbortSignal): BlockInProgress {
    const source = this.#stateAfter(base.branch);
    const execution = new BlockExecution(base.env, source, undefined, base.before);
    return new BlockInProgress(execution, (block, candidates, offset) =>
      candidates.transactions.every(isPlain)
        ? this.#addTransfers(block, candidates, offset)
        : this.#addShared(base, block, candidates, { offset, signal }),
    );
  }

  #stateAfter(branch: Branch): StateSource {
    const writes = branch.map((block) => block.writes);
    // The cache shows accounts of a forked chain that are not copied yet.
    const isFork = this.#store.base !== undefined;
    const source = isFork ? new CommittedState(this.#store, this.#crypto) : this.#source;
    return branchState(source, this.#crypto, writes);
  }

  async #addShared(
    base: ExecutionBase,
    block: BlockExecution,
    candidates: Candidates<VerifiedTransaction>,
    { offset, signal }: { readonly offset: number; readonly signal: AbortSignal | undefined },
  ): Promise<ParallelStatistics> {
    if (this.#sharing === undefined) throw new TypeError('no workers to share the block with');
    const { workers, predictions, groupTime = GROUP_TIME, marks } = this.#sharing;
    const gas = new Map<number, bigint>();
    for (const { start, members } of atomicGroupsOf(candidates, offset)) gas.set(start, gasLimitOf(members));
    const runner = new WatchedRunner(workers, (start) => gas.get(start) ?? 0n, groupTime, signal, marks);
    const options = {
      env: base.env,
      ...sharedBranch(base),
      runner,
      predictions,
      prefetch: (addresses: Iterable<string>) => this.#accounts.prefetch(addresses as Iterable<AddressHex>),
    };
    try {
      return await addInParallel(options, candidates, block, offset);
    } catch (error) {
      if (runner.faults.length === 0) throw error;
      throw new CandidatesAtFault(runner.faults, runner.proven(), { cause: error });
    }
  }

  async #addTransfers(
    block: BlockExecution,
    candidates: Candidates<VerifiedTransaction>,
    offset: number,
  ): Promise<undefined> {
    const { transactions } = candidates;
    let sliceEnd = 0;
    for (const group of atomicGroupsOf(candidates, offset)) {
      const start = group.start - offset;
      if (start >= sliceEnd) {
        if (start > 0) await nextTick();
        sliceEnd = start + SLICE;
        this.#accounts.prefetch(transactions.slice(start, sliceEnd).flatMap(touchedAddresses));
      }
      addTransfers(block, group);
    }
  }
}

/** The branch in the form sent to workers; absent on the last committed block. */
function sharedBranch({ branch }: ExecutionBase): { readonly branch?: readonly SharedWrites[] } {
  return branch.length === 0 ? {} : { branch: branch.map(({ shared }) => shared) };
}

/** @throws CandidatesAtFault if the group fails to execute; StoreError */
function addTransfers(execution: BlockExecution, group: AtomicGroup<VerifiedTransaction>): void {
  try {
    execution.add(group);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new CandidatesAtFault([{ start: group.start, message: errorMessage(error) }], new Set(), {
      cause: error,
    });
  }
}

/** True for transfers and envelopes, which run on this thread. */
function isPlain({ signed }: VerifiedTransaction): boolean {
  return !needsEngine(signed);
}

function touchedAddresses({ sender, signed }: VerifiedTransaction): AddressHex[] {
  const { action } = signed.transaction;
  return action.type === 'transfer' ? [sender, addressHex(action.value.to)] : [sender];
}
