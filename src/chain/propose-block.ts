import { setImmediate as nextTick } from 'node:timers/promises';
import type { Crypto } from '../crypto/crypto.js';
import type { InclusionProblem } from '../execution/execute-transaction.js';
import type { SealKey } from '../generated/ledger.js';
import { MAX_BODY_BYTES } from '../ledger/constants.js';
import type { CandidateHashHex } from '../ledger/hex-types.js';
import type { VerifiedTransaction } from '../ledger/transaction-envelope.js';
import type { AccountView } from '../mempool/account-view.js';
import { BlockDraw, type Selection } from '../mempool/draw/block-draw.js';
import type { RejectionReason } from '../mempool/errors.js';
import type { Mempool } from '../mempool/pool.js';
import type { ProofService } from '../proofs/proof-service.js';
import type { BlockExecutor } from './block-executor.js';
import { BlockWaves, singleWave, type WaveSource } from './block-waves.js';
import { drawnBranch } from './branch-accounts.js';
import type { Chain } from './chain.js';
import { ChainError } from './chain-error.js';
import type { EpochRules } from './epochs/epoch-rules.js';
import type { EpochItems } from './epochs/epoch-state.js';
import { pickEpochItems } from './epochs/pick-epoch-items.js';
import { divideCandidates, type ExecutedCandidates, type ExecutionBase } from './executed-candidates.js';
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

/**
 * What a transaction left out waits for, the next block's gas or the one before it in its lane: it stays in the pool. One
 * whose nonce another used leaves with the block that has the other.
 */
type Delay = 'block_full' | 'nonce';

/** What the pool remembers of a transaction that turned out impossible to include. */
const LEFT_OUT = {
  expired: 'expired',
  fee_too_low: 'fee_too_low',
  insufficient_balance: 'insufficient_balance',
  too_many_lanes: 'too_many_lanes',
  gas_limit_too_low: 'gas_limit_too_low',
  opens_too_late: 'opens_too_late',
  payload_too_large: 'too_large',
  opening_full: 'pool_full',
} as const satisfies Record<Exclude<InclusionProblem, Delay>, RejectionReason>;

/** A block to be proposed. */
export interface ProposalContext extends BlockContext {
  /** The proposer's clock, milliseconds since 1970; raised to the parent's plus one where it is not after it. */
  readonly timestampMs: bigint;
  /** Whether there is to be a block even where nothing can be included. */
  readonly allowEmpty: boolean;
  /** Dealings and changes that are known and not in a block; those that the block may have go into it. */
  readonly items?: EpochItems;
  /** The key of a height, where it is known by now: asked for heights whose envelopes are due. None is, if left out. */
  readonly keyOf?: (height: bigint) => SealKey | undefined;
}

/** What came of a proposal. */
export type Proposal =
  | { readonly block: PendingBlock }
  /** Nothing could be included; `mayHaveMore` says whether that may be otherwise at once. */
  | { readonly block: undefined; readonly mayHaveMore: boolean };

export interface ProposerOptions {
  readonly chain: Pick<Chain, 'tip'>;
  readonly epochRules: EpochRules;
  readonly pending: PendingBlocks;
  readonly crypto: Crypto;
  readonly proofs: Pick<ProofService, 'blockRoots' | 'drop'>;
  readonly executor: Pick<BlockExecutor, 'open'> & {
    readonly openings: Pick<Openings, 'due' | 'verify' | 'execute'>;
  };
  readonly pool: Mempool;
  readonly containment: Containment;
  readonly fillPolicy: FillPolicy;
  /** The accounts at the tip. */
  readonly accounts: AccountView;
  /** What a transaction is expected to use of a block's gas. */
  readonly expectedGas: (transaction: VerifiedTransaction) => bigint;
}

const NOTHING: Selection = { transactions: [], bundles: [] };
/** Before the items of a body stands their number. */
const COUNT_BYTES = 4;

/** Makes blocks of what waits in the pool: draws above a branch, executes, has the roots computed. One at a time. */
export class Proposer {
  readonly #options: ProposerOptions;
  /** What proposed blocks were drawn from, until they are committed or dropped. */
  readonly #draws = new WeakMap<PendingBlock, WaveSource>();

  constructor(options: ProposerOptions) {
    this.#options = options;
  }

  /**
   * @throws ChainError `unknown_parent`, `no_validator`, `too_many_pending`; what is no candidate's fault: StoreError, ProofError, …
   */
  async propose(context: ProposalContext, signal?: AbortSignal): Promise<Proposal> {
    try {
      return await this.#propose(context, signal);
    } catch (error) {
      this.#options.containment.onBlockAbandoned(error);
      throw error;
    }
  }

  async #propose(context: ProposalContext, signal?: AbortSignal): Promise<Proposal> {
    const { pending, containment, executor, epochRules } = this.#options;
    const parent = pending.parent(context.parent);
    if (parent === undefined) throw new ChainError('unknown_parent', 'the parent of the block is not known');
    pending.expectRoom(parent);
    // Of a block that was proposed and not committed: executing it has ended well.
    containment.end();
    const after = parent.header.timestamp_ms;
    const timestampMs = context.timestampMs > after ? context.timestampMs : after + 1n;
    const bare = nextBlock(parent, context, timestampMs);
    const { keys, isDue, opened } = await openDueKeys(executor.openings, bare, context.keyOf, signal);
    signal?.throwIfAborted();
    const next = baseAfterOpenings(bare, opened);
    const isOnTip = next.branch.length === 0;
    const items = await pickEpochItems(epochRules, next, context.items);
    const carried = { ...NO_PROTOCOL_ITEMS, ...items, keys };
    // Rule 11: nothing comes before what is due.
    const source = isDue ? singleWave(NOTHING) : this.#source(next, parent, protocolItemBytes(carried));
    const waves = new BlockWaves(source, this.#options.fillPolicy, (wave) => containment.begin(wave));
    const { outcome, selection } = await this.#fill(next, waves, signal);
    const allowEmpty = context.allowEmpty || keys.length > 0;
    if (waves.candidates.transactions.length === 0 && !allowEmpty) {
      // Those that others are kept from have every second turn.
      const mayHaveMore = containment.hasIsolated;
      return { block: undefined, mayHaveMore: (await this.trySuspects(timestampMs)) || mayHaveMore };
    }
    // What the pool knows is as of the tip: that something could not be on a branch says nothing of it.
    if (isOnTip) this.#reportLeftOut(outcome, selection, next.env.height);
    // What was drawn and left out has left the pool, or waits by now: the next draw is another one.
    if (outcome.transactions.length === 0 && !allowEmpty) {
      containment.end();
      await this.trySuspects(timestampMs);
      return { block: undefined, mayHaveMore: isOnTip };
    }
    const block = pending.add(await finishBlock(this.#options, next, outcome, carried, opened));
    if (signal?.aborted === true) {
      pending.drop(block);
      signal.throwIfAborted();
    }
    this.#draws.set(block, source);
    return { block };
  }

  /** To be called when a block is about to become the tip, before the pool follows it. */
  onCommitting(block: PendingBlock): void {
    const source = this.#draws.get(block);
    if (source instanceof BlockDraw) this.#options.pool.endDraw(source, block.executed);
  }

  /** To be called when a block was built of which it is not sure that it is committed: executing its candidates has ended well. */
  onBuilt(): void {
    this.#options.containment.end();
  }

  /** To be called when a block is the tip. */
  onCommitted(block: PendingBlock): void {
    if (this.#draws.has(block)) this.#options.containment.end();
  }

  /** To be called when a block could not be committed: whether that is held against what was executed for it. */
  onCommitFailed(error: unknown): void {
    this.#options.containment.onBlockAbandoned(error);
  }

  /**
   * Tries candidates that were at fault once more, alone, on the last committed block; to be called between blocks.
   * @returns whether there is something to do now
   */
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
      ...(above === undefined ? {} : { branch: above }),
    });
  }

  /** Fills a block; where that throws, with those candidates drawn that are not at fault. */
  async #fill(
    base: ExecutionBase,
    waves: BlockWaves,
    signal?: AbortSignal,
  ): Promise<{ readonly outcome: ExecutedCandidates; readonly selection: Selection }> {
    try {
      const outcome = await this.#executeWaves(base, waves, signal);
      return { outcome, selection: waves.candidates };
    } catch (error) {
      if (signal?.aborted === true) throw error;
      return this.#options.containment.recover(base, waves.candidates, error);
    }
  }

  /** Executes what waves bring, each on top of those before it. */
  async #executeWaves(
    base: ExecutionBase,
    waves: BlockWaves,
    signal?: AbortSignal,
  ): Promise<ExecutedCandidates> {
    const started = performance.now();
    const block = this.#options.executor.open(base);
    let wave = waves.first(block.room);
    while (wave !== undefined) {
      const leftOut = await block.add(wave);
      signal?.throwIfAborted();
      const { room } = block;
      wave = waves.next(leftOut, room, base.env.gasLimit - room.gasLeft);
      if (wave !== undefined) await nextTick();
    }
    return divideCandidates(waves.candidates, block.finish(), performance.now() - started);
  }

  /** Tells the pool what could not be in the block. */
  #reportLeftOut(
    { leftOut, failedBundles }: ExecutedCandidates,
    { bundles }: Selection,
    height: bigint,
  ): void {
    const { pool } = this.#options;
    for (const { transaction, problem } of leftOut) {
      if (problem === 'block_full' || problem === 'nonce') continue;
      pool.drop(transaction.hashHex, LEFT_OUT[problem], `could not be in block ${height}: ${problem}`);
    }
    const hashes = new Map(bundles.map(({ start, hashHex }) => [start, hashHex]));
    for (const { start, index, problem, message } of failedBundles) {
      const hashHex = hashes.get(start);
      if (hashHex === undefined) continue;
      const what = `transaction ${index - start} of the bundle`;
      switch (problem) {
        case 'block_full':
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
          pool.dropBundle(hashHex, LEFT_OUT[problem], `${what} could not be in block ${height}: ${problem}`);
          break;
        default: {
          const said = message === undefined ? '' : `: ${message}`;
          pool.dropBundle(hashHex, 'bundle_failed', `${what} failed in block ${height}, ${problem}${said}`);
        }
      }
    }
  }
}
