import type { BlockChain } from '../../chain/block-chain.js';
import { ChainError } from '../../chain/chain-error.js';
import { isEnvironmentFailure } from '../../chain/faults/contained-execution.js';
import type { PendingBlock } from '../../chain/pending-blocks.js';
import type { ProposalContext } from '../../chain/propose-block.js';
import { ExecutionError } from '../../execution/execution-error.js';
import type { Effect } from '../core/types.js';
import type { CommitQueue } from './commit-queue.js';
import { hashBytes } from './conversions.js';

export type ProposeEffect = Extract<Effect, { readonly type: 'propose' }>;

/** What a proposal holds besides transactions; see `ProposalContext`. */
export type ProposalParts = Omit<
  ProposalContext,
  'parent' | 'epoch' | 'view' | 'proposer' | 'timestampMs' | 'allowEmpty'
>;

export interface ProposalRunnerOptions {
  readonly chain: Pick<BlockChain, 'propose' | 'onProposalEnded'>;
  readonly commits: Pick<CommitQueue, 'idle' | 'isIdle'>;
  /** The proposer's clock, milliseconds since 1970: of the block's timestamp and of nothing else, for it may jump. */
  readonly now: () => number;
  readonly parts: (effect: ProposeEffect) => ProposalParts | Promise<ProposalParts>;
}

/** What came of a proposal. */
export type ProposeOutcome =
  | { readonly result: 'made'; readonly block: PendingBlock; readonly startedAt: number }
  /** Nothing that is ready could be in a block. */
  | { readonly result: 'nothing' }
  /** It was abandoned, the chain could not build on that parent, or a worker failed at what would have been in it. */
  | { readonly result: 'failed'; readonly reason: string };

/** Tries in a row, each after something at fault left the pool. */
const MAX_TRIES = 1_000;

/** Builds blocks when the core asks for them, one at a time. */
export class ProposalRunner {
  readonly #options: ProposalRunnerOptions;
  #underWay: { readonly abort: AbortController; readonly ended: Promise<unknown> } | undefined;

  constructor(options: ProposalRunnerOptions) {
    this.#options = options;
  }

  /** Resolves when none is under way. */
  get ended(): Promise<unknown> {
    return this.#underWay?.ended ?? Promise.resolve();
  }

  /** Gives up what is under way. */
  cancel(): void {
    this.#underWay?.abort.abort();
  }

  /**
   * @param proposer this validator's index
   * @throws what nothing in the block has a part in: StoreError, ExecutionError `stopped`, …
   */
  async propose(effect: ProposeEffect, proposer: number): Promise<ProposeOutcome> {
    const before = this.#underWay;
    before?.abort.abort();
    const abort = new AbortController();
    const outcome = (async () => {
      await before?.ended;
      return this.#propose(effect, proposer, abort.signal);
    })();
    const ended = outcome.catch(() => undefined);
    const underWay = { abort, ended };
    this.#underWay = underWay;
    try {
      return await outcome;
    } catch (error) {
      if (abort.signal.aborted) return { result: 'failed', reason: 'abandoned' };
      if (isOfThisProposal(error)) return { result: 'failed', reason: error.message };
      throw error;
    } finally {
      if (this.#underWay === underWay) this.#underWay = undefined;
    }
  }

  async #propose(effect: ProposeEffect, proposer: number, signal: AbortSignal): Promise<ProposeOutcome> {
    const { chain, commits, now, parts } = this.#options;
    // On the last committed block itself a proposal pays for no branch.
    while (!commits.isIdle) await commits.idle;
    const startedAt = performance.now();
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      signal.throwIfAborted();
      const context: ProposalContext = {
        ...(await parts(effect)),
        parent: hashBytes(effect.parentHash),
        epoch: BigInt(effect.epoch),
        view: BigInt(effect.view),
        proposer,
        timestampMs: BigInt(now()),
        allowEmpty: effect.allowEmpty,
      };
      const proposal = await chain.propose(context, signal);
      if (proposal.block !== undefined) return { result: 'made', block: proposal.block, startedAt };
      if (!proposal.mayHaveMore) return { result: 'nothing' };
    }
    return { result: 'nothing' };
  }
}

/** Whether another proposal may go well: keys, dealings and changes are looked at by workers too, and others sent them. */
function isOfThisProposal(error: unknown): error is ChainError | ExecutionError {
  return error instanceof ChainError || (error instanceof ExecutionError && !isEnvironmentFailure(error));
}
