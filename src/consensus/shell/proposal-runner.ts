import type { Runtime } from '../../async/runtime.js';
import { ChainError } from '../../chain/chain-error.js';
import { isEnvironmentFailure } from '../../chain/faults/contained-execution.js';
import type { ProposalContext } from '../../chain/propose-block.js';
import { ExecutionError } from '../../execution/execution-error.js';
import type { EffectOf } from '../core/types.js';
import type { SealKeyParts } from '../seal-keys.js';
import type { CommitQueue } from './commit-queue.js';
import { hashBytes } from './conversions.js';
import type { RequestedBlock } from './manual-sealer.js';
import type { ChainBlock, ConsensusChain } from './ports.js';

export type ProposeEffect = EffectOf<'propose'>;

/** The parts of a proposal besides transactions and keys; see `ProposalContext`. */
export type ProposalParts = Omit<
  ProposalContext,
  'parent' | 'epoch' | 'view' | 'proposer' | 'timestampMs' | 'allowEmpty' | 'first' | 'isAlone' | 'keyOf'
>;

export interface ProposalRunnerOptions {
  readonly chain: Pick<ConsensusChain, 'propose' | 'onProposalEnded'>;
  readonly commits: Pick<CommitQueue<ChainBlock>, 'idle' | 'isIdle'>;
  readonly runtime: Pick<Runtime, 'now'>;
  /** The proposer's clock, milliseconds since 1970. */
  readonly wallMs: () => number;
  /** Returns the block that somebody requested, if any; called once a proposal begins to be built. */
  readonly requested: () => RequestedBlock | undefined;
  readonly parts: (effect: ProposeEffect) => ProposalParts;
  /** The keys of due heights, once they are known or the time to wait for them is over. */
  readonly keys: (effect: ProposeEffect, signal: AbortSignal) => Promise<SealKeyParts>;
}

export type ProposeOutcome =
  | { readonly result: 'made'; readonly block: ChainBlock; readonly startedAt: number }
  /** No ready transaction could be included. */
  | { readonly result: 'nothing' }
  /** The proposal was abandoned, the chain could not build on its parent, or a worker failed on its content. */
  | { readonly result: 'failed'; readonly reason: string };

/** Maximum number of attempts in a row; each retry follows the eviction of a faulty transaction. */
const MAX_TRIES = 1_000;

/** Builds the core's proposals, one at a time. */
export class ProposalRunner {
  readonly #options: ProposalRunnerOptions;
  #inFlight: { readonly abort: AbortController; readonly ended: Promise<unknown> } | undefined;

  constructor(options: ProposalRunnerOptions) {
    this.#options = options;
  }

  /** Resolves when no proposal is in progress. */
  get ended(): Promise<unknown> {
    return this.#inFlight?.ended ?? Promise.resolve();
  }

  /** Cancels the proposal in progress. */
  cancel(): void {
    this.#inFlight?.abort.abort();
  }

  /**
   * @param proposer this validator's index
   * @throws errors not caused by the block's content: StoreError, ExecutionError `stopped`, …
   */
  async propose(effect: ProposeEffect, proposer: number): Promise<ProposeOutcome> {
    const before = this.#inFlight;
    before?.abort.abort();
    const abort = new AbortController();
    const outcome = (async () => {
      await before?.ended;
      return this.#propose(effect, proposer, abort.signal);
    })();
    const ended = outcome.catch(() => undefined);
    const inFlight = { abort, ended };
    this.#inFlight = inFlight;
    try {
      return await outcome;
    } catch (error) {
      if (abort.signal.aborted) return { result: 'failed', reason: 'abandoned' };
      if (isOfThisProposal(error)) return { result: 'failed', reason: error.message };
      throw error;
    } finally {
      if (this.#inFlight === inFlight) this.#inFlight = undefined;
    }
  }

  async #propose(effect: ProposeEffect, proposer: number, signal: AbortSignal): Promise<ProposeOutcome> {
    const { chain, commits, runtime, wallMs, requested, parts, keys } = this.#options;
    const known = await keys(effect, signal);
    // Waits for commits, because a proposal on the last committed block needs no branch.
    while (!commits.isIdle) await commits.idle;
    const startedAt = runtime.now();
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      signal.throwIfAborted();
      // Not before the keys are known: a block requested meanwhile is this one too.
      const asked = requested();
      const context: ProposalContext = {
        ...parts(effect),
        ...known,
        parent: hashBytes(effect.parentHash),
        epoch: BigInt(effect.epoch),
        view: BigInt(effect.view),
        proposer,
        timestampMs: BigInt(asked?.timestampMs ?? wallMs()),
        allowEmpty: effect.allowEmpty || asked !== undefined,
        ...(asked?.first === undefined ? {} : { first: asked.first }),
        ...(asked?.isAlone === undefined ? {} : { isAlone: asked.isAlone }),
      };
      const proposal = await chain.propose(context, signal);
      if (proposal.block !== undefined) return { result: 'made', block: proposal.block, startedAt };
      if (!proposal.mayHaveMore) return { result: 'nothing' };
    }
    return { result: 'nothing' };
  }
}

/** True if another proposal may succeed: workers also check keys, dealings and changes, which come from others. */
function isOfThisProposal(error: unknown): error is ChainError | ExecutionError {
  return error instanceof ChainError || (error instanceof ExecutionError && !isEnvironmentFailure(error));
}
