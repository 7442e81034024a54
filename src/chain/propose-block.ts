import { setImmediate as nextTick } from 'node:timers/promises';
import { sameBytes } from '../base/same-bytes.js';
import type { Crypto } from '../crypto/crypto.js';
import type { InclusionProblem } from '../execution/execute-transaction.js';
import type { SealKey } from '../generated/ledger.js';
import { MAX_BODY_BYTES } from '../ledger/constants.js';
import type { CandidateHashHex } from '../ledger/hex-types.js';
import { decodeStoredReceipt } from '../ledger/stored-receipt.js';
import type { VerifiedTransaction } from '../ledger/transaction-envelope.js';
import { BlockDraw, type Selection } from '../mempool/draw/block-draw.js';
import type { RejectionReason } from '../mempool/errors.js';
import type { Mempool } from '../mempool/pool.js';
import type { AccountView, RemovalReason } from '../mempool/pool-types.js';
import type { ProofService } from '../proofs/proof-service.js';
import { drawnBranch } from './account-views.js';
import type { BlockExecutor } from './block-executor.js';
import { BlockWaves, precededBy, singleWave, type WaveSource } from './block-waves.js';
import type { Chain } from './chain.js';
import { ChainError } from './chain-error.js';
import type { EpochRules } from './epochs/epoch-rules.js';
import type { EpochItems } from './epochs/epoch-state.js';
import { pickEpochItems } from './epochs/pick-epoch-items.js';
import { divideCandidates, type ExecutedCandidates, type ExecutionBase } from './executed-candidates.js';
import type { ContainedExecution } from './faults/contained-execution.js';
import type { Containment } from './faults/containment.js';
import type { FillPolicy } from './fill-policy.js';
import {
  type BlockContext,
  baseAfterOpenings,
  finishBlock,
  nextBlock,
  nextEnvironment,
} from './next-block.js';
import { type BlockParent, isFull, type PendingBlock, type PendingBlocks } from './pending-blocks.js';
import { NO_PROTOCOL_ITEMS, protocolItemBytes } from './protocol-items.js';
import { openDueKeys } from './sealed/open-due-keys.js';
import type { Openings } from './sealed/openings.js';
import type { StateCopies } from './state-copies.js';

/**
 * Reasons to keep an excluded transaction in the pool: it waits for the next block's gas or opening slots, for a lower
 * price of a slot, or for its predecessor in the lane. If another transaction used its nonce, that transaction's block
 * removes it from the pool.
 */
type Delay = 'block_full' | 'nonce' | 'seal_fee_too_low' | 'slots_taken';

/** The pool's rejection reason for a transaction that cannot be included. */
const EXCLUSION_REASON = {
  expired: 'expired',
  fee_too_low: 'fee_too_low',
  insufficient_balance: 'insufficient_balance',
  too_many_lanes: 'too_many_lanes',
  gas_limit_too_low: 'gas_limit_too_low',
  opens_too_late: 'opens_too_late',
  payload_too_large: 'too_large',
  opening_full: 'pool_full',
} as const satisfies Record<Exclude<InclusionProblem, Delay>, RejectionReason>;

export interface ProposalContext extends BlockContext {
  /** The proposer's clock in milliseconds since 1970; raised to the parent's timestamp plus one if it is not later. */
  readonly timestampMs: bigint;
  /** Whether to build a block even if nothing can be included. */
  readonly allowEmpty: boolean;
  /** Known dealings, changes and complaints that are not in a block yet; the permitted ones are included. */
  readonly items?: EpochItems;
  /** Precede those of the pool; left out of a block that may have none, and if they cannot be included. */
  readonly first?: readonly VerifiedTransaction[];
  /** Whether to include nothing of the pool. */
  readonly isAlone?: boolean;
  /** Returns the key of a height, if known; called for heights with due envelopes. By default, no key is known. */
  readonly keyOf?: (height: bigint) => SealKey | undefined;
}

export type Proposal =
  | { readonly block: PendingBlock }
  /** Nothing could be included; `mayHaveMore` is true if another attempt may succeed at once. */
  | { readonly block: undefined; readonly mayHaveMore: boolean };

export interface ProposerOptions {
  readonly chain: Pick<Chain, 'tip'>;
  readonly epochRules: Pick<EpochRules, 'problem' | 'next'>;
  readonly pending: PendingBlocks;
  readonly crypto: Crypto;
  readonly proofs: Pick<ProofService, 'blockRoots' | 'drop'>;
  readonly executor: Pick<BlockExecutor, 'open'> & {
    readonly openings: Pick<Openings, 'due' | 'scheduled' | 'verify' | 'execute'>;
  };
  readonly pool: Mempool;
  readonly containment: Containment;
  readonly fillPolicy: FillPolicy;
  readonly accounts: AccountView;
  readonly expectedGas: (transaction: VerifiedTransaction) => bigint;
  /** On a fork, copies what transactions read of the forked chain. */
  readonly copies?: StateCopies | undefined;
}

const NOTHING: Selection = { transactions: [], bundles: [] };
/** Length prefix of the items in a body. */
const COUNT_BYTES = 4;

/** Builds blocks, one at a time: draws transactions above a branch, executes them, computes the roots. */
export class Proposer {
  readonly #options: ProposerOptions;
  /** The draws of proposed blocks, until they are committed or dropped. */
  readonly #draws = new WeakMap<PendingBlock, WaveSource>();

  constructor(options: ProposerOptions) {
    this.#options = options;
  }

  /**
   * @throws ChainError `unknown_parent`, `no_validator`, `too_many_pending`; failures not caused by a candidate:
   * StoreError, ProofError, …
   */
  async propose(context: ProposalContext, signal?: AbortSignal): Promise<Proposal> {
    const { copies } = this.#options;
    try {
      for (;;) {
        const copying = copies && (await this.#copy(copies, context));
        const proposal = await this.#propose(copying?.context ?? context, signal, copying);
        if (proposal !== undefined) return proposal;
      }
    } catch (error) {
      this.#options.containment.onBlockAbandoned(error);
      throw error;
    }
  }

  /** Copies the parts of the forked chain known to be missing. A block of copies alone makes progress too. */
  async #copy(copies: StateCopies, context: ProposalContext): Promise<Copying> {
    const { transactions: copied, isPartial } = await copies.prepare(this.#parent(context));
    const first = [...copied, ...(isPartial ? [] : (context.first ?? []))];
    const isAlone = isPartial || context.isAlone === true;
    return { copies, copied, context: { ...context, first, isAlone } };
  }

  /** @returns undefined if the block has read state of a forked chain without copying it */
  async #propose(
    context: ProposalContext,
    signal: AbortSignal | undefined,
    copying: Copying | undefined,
  ): Promise<Proposal | undefined> {
    const { pending, containment, executor, epochRules } = this.#options;
    const parent = this.#parent(context);
    pending.expectRoom(parent);
    // The previous proposal, if it was not committed, has executed without failure.
    containment.end();
    const after = parent.header.timestamp_ms;
    const timestampMs = context.timestampMs > after ? context.timestampMs : after + 1n;
    const bare = nextBlock(parent, context, timestampMs);
    const { keys, isDue, opened } = await openDueKeys(executor.openings, bare, context.keyOf, signal);
    signal?.throwIfAborted();
    const next = baseAfterOpenings(bare, opened);
    const isOnTip = next.branch.length === 0;
    const items = await pickEpochItems(epochRules, next, context.items);
    const protocolItems = { ...NO_PROTOCOL_ITEMS, ...items, keys };
    // Rule 11 of `verify-block.ts`: a block with unopened due envelopes has no transactions.
    const first = isDue ? [] : (context.first ?? []);
    const otherBytes = protocolItemBytes(protocolItems) + bytesOf(first);
    const isAlone = isDue || context.isAlone === true;
    const source = isAlone ? singleWave(NOTHING) : this.#source(next, parent, otherBytes);
    const drawn = first.length === 0 ? source : precededBy(first, source);
    const waves = new BlockWaves(drawn, this.#options.fillPolicy, (wave) => containment.begin(wave));
    const { outcome, selection } = await this.#fill(next, waves, signal);
    if (copying !== undefined) {
      if (await copying.copies.hasMissed()) return undefined;
      if (!isDue) expectCopied(outcome, copying.copied);
    }
    if (source instanceof BlockDraw) this.#options.pool.dropWithoutRoom(source);
    const allowEmpty = context.allowEmpty || keys.length > 0;
    if (waves.candidates.transactions.length === 0 && !allowEmpty) {
      // Isolated candidates may run in every second block.
      const mayHaveMore = containment.hasIsolated;
      return { block: undefined, mayHaveMore: (await this.trySuspects(timestampMs)) || mayHaveMore };
    }
    // The pool reflects the tip: exclusion from a block on a branch proves nothing about the tip.
    if (isOnTip) this.#reportLeftOut(outcome, selection, next.env.height);
    // By now, excluded transactions have left the pool or are waiting, so the next draw differs.
    if (outcome.transactions.length === 0 && !allowEmpty) {
      containment.end();
      await this.trySuspects(timestampMs);
      return { block: undefined, mayHaveMore: isOnTip };
    }
    const block = pending.add(await finishBlock(this.#options, next, outcome, protocolItems, opened));
    if (signal?.aborted === true) {
      pending.drop(block);
      signal.throwIfAborted();
    }
    this.#draws.set(block, source);
    return { block };
  }

  #parent(context: ProposalContext): BlockParent {
    const parent = this.#options.pending.parent(context.parent);
    if (parent === undefined) throw new ChainError('unknown_parent', 'the parent of the block is unknown');
    return parent;
  }

  /** Called before a block becomes the tip and the pool is updated. */
  onCommitting(block: PendingBlock): void {
    const source = this.#draws.get(block);
    if (source instanceof BlockDraw) this.#options.pool.endDraw(source, block.executed);
  }

  /** Called when a built block might never be committed: its candidates have executed without failure. */
  onBuilt(): void {
    this.#options.containment.end();
  }

  onCommitted(block: PendingBlock): void {
    if (this.#draws.has(block)) this.#options.containment.end();
  }

  /** Called when a commit failed, to decide whether the block's candidates are blamed. */
  onCommitFailed(error: unknown): void {
    this.#options.containment.onBlockAbandoned(error);
  }

  /** Retries suspects, alone, on the tip; call between blocks. @returns whether there is work to do now */
  async trySuspects(timestampMs: bigint): Promise<boolean> {
    const { chain, containment } = this.#options;
    const { tip } = chain;
    const proposer = { epoch: tip.epochs.validators.epoch, proposer: 0 };
    return containment.trySuspects({ env: nextEnvironment(tip, proposer, timestampMs), branch: [] });
  }

  #source({ env, branch }: ExecutionBase, parent: BlockParent, otherBytes: number): WaveSource {
    const { pool, containment, expectedGas, accounts } = this.#options;
    if (isFull(parent)) return singleWave(NOTHING);
    const apart = branch.length === 0 ? containment.nextIsolated() : undefined;
    if (apart !== undefined) return singleWave(apart);
    const isHeldBack = (hashHex: CandidateHashHex) => containment.isHeldBack(hashHex);
    const above = drawnBranch({ branch }, accounts);
    return pool.draw({
      ...env,
      maxBytes: MAX_BODY_BYTES - COUNT_BYTES - otherBytes,
      expectedGas,
      isHeldBack,
      reservedAt: this.#reservedAt(branch),
      ...(above === undefined ? {} : { branch: above }),
    });
  }

  /** The opening slots reserved at each height on a branch, read when first needed. */
  #reservedAt(branch: ExecutionBase['branch']): (opensAt: bigint) => number {
    const { openings } = this.#options.executor;
    let reserved: ReadonlyMap<bigint, number> | undefined;
    return (opensAt) => {
      reserved ??= new Map(openings.scheduled(branch).map(({ height, slots }) => [height, slots]));
      return reserved.get(opensAt) ?? 0;
    };
  }

  /** Fills a block; if execution throws, fills it with the drawn candidates that are not at fault. */
  async #fill(
    base: ExecutionBase,
    waves: BlockWaves,
    signal?: AbortSignal,
  ): Promise<Pick<ContainedExecution, 'outcome' | 'selection'>> {
    try {
      const outcome = await this.#executeWaves(base, waves, signal);
      return { outcome, selection: waves.candidates };
    } catch (error) {
      if (signal?.aborted === true) throw error;
      return this.#options.containment.recover(base, waves.candidates, error);
    }
  }

  /** Executes waves, each on top of the previous ones. */
  async #executeWaves(
    base: ExecutionBase,
    waves: BlockWaves,
    signal?: AbortSignal,
  ): Promise<ExecutedCandidates> {
    const started = performance.now();
    const block = this.#options.executor.open(base);
    let wave = waves.first(block.room);
    while (wave !== undefined) {
      const excluded = await block.add(wave);
      signal?.throwIfAborted();
      const { room } = block;
      wave = waves.next(excluded, room, base.env.gasLimit - room.gasLeft);
      if (wave !== undefined) await nextTick();
    }
    return divideCandidates(waves.candidates, block.finish(), performance.now() - started);
  }

  #reportLeftOut(
    { excluded, failedBundles }: ExecutedCandidates,
    { bundles }: Selection,
    height: bigint,
  ): void {
    const { pool } = this.#options;
    for (const { transaction, problem } of excluded) {
      if (isDelay(problem)) continue;
      const message = `could not be in block ${height}: ${problem}`;
      pool.drop(transaction.hashHex, EXCLUSION_REASON[problem], message);
    }
    const hashes = new Map(bundles.map(({ start, hashHex }) => [start, hashHex]));
    for (const { start, index, problem, message } of failedBundles) {
      const hashHex = hashes.get(start);
      if (hashHex === undefined) continue;
      const drop = (reason: RemovalReason, why: string) =>
        pool.dropBundle(hashHex, reason, `transaction ${index - start} of the bundle ${why}`);
      switch (problem) {
        case 'block_full':
        case 'seal_fee_too_low':
        case 'slots_taken':
          break;
        case 'nonce':
        case 'fee_too_low':
        case 'insufficient_balance':
          pool.parkBundle(hashHex);
          break;
        case 'expired':
        case 'too_many_lanes':
        case 'gas_limit_too_low':
        case 'opens_too_late':
        case 'payload_too_large':
        case 'opening_full':
          drop(EXCLUSION_REASON[problem], `could not be in block ${height}: ${problem}`);
          break;
        default: {
          const said = message === undefined ? '' : `: ${message}`;
          drop('bundle_failed', `failed in block ${height}, ${problem}${said}`);
        }
      }
    }
  }
}

interface Copying {
  readonly copies: StateCopies;
  /** The transactions that copy state, the block's first. */
  readonly copied: readonly VerifiedTransaction[];
  readonly context: ProposalContext;
}

/** @throws Error unless all copies are included and succeeded: the rest has executed without the forked chain's values */
function expectCopied({ transactions, executed }: ExecutedCandidates, copied: Copying['copied']): void {
  for (const [index, { hash }] of copied.entries()) {
    const stored = executed.storedReceipts[index];
    if (stored === undefined || !sameBytes(transactions[index]?.hash, hash)) {
      throw new Error('the block had no room to copy the state of the forked chain');
    }
    const { receipt, details } = decodeStoredReceipt(stored);
    if (receipt.outcome.type === 'success') continue;
    const why = details.message ?? receipt.outcome.type;
    throw new Error(`copying the state of the forked chain failed: ${why}`);
  }
}

/** The size of transactions as items of a body. */
function bytesOf(transactions: readonly VerifiedTransaction[]): number {
  return transactions.reduce((sum, { encoded }) => sum + 1 + encoded.length, 0);
}

function isDelay(problem: InclusionProblem): problem is Delay {
  return !(problem in EXCLUSION_REASON);
}
