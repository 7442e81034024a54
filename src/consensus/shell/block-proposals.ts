import { ChainError } from '../../chain/chain-error.js';
import { isEnvironmentFailure } from '../../chain/faults/contained-execution.js';
import type { ProposalContext } from '../../chain/propose-block.js';
import { ExecutionError } from '../../execution/execution-error.js';
import { toHex } from '../../idl/hex.js';
import { MAX_SEAL_KEYS } from '../../ledger/constants.js';
import type { SealKeyParts } from '../seal-keys.js';
import type { BlockCommits } from './block-commits.js';
import { hashBytes } from './conversions.js';
import type { ManualSealer, RequestedBlock } from './manual-sealer.js';
import type { OwnProposal } from './own-proposal.js';
import type { ChainBlock, ProposeEffect } from './ports.js';
import type { ShellContext } from './shell-context.js';
import type { WorkMonitor } from './work-monitor.js';

/** Maximum number of attempts in a row; each retry follows the eviction of a faulty transaction. */
const MAX_TRIES = 1_000;

export interface BlockProposalsParts {
  readonly commits: Pick<BlockCommits, 'idle' | 'isIdle'>;
  readonly manual: Pick<ManualSealer, 'claim'>;
  readonly work: Pick<WorkMonitor, 'pause' | 'resume' | 'selectionBegins' | 'nothingSelected' | 'reannounce'>;
  readonly own: OwnProposal;
}

type ProposeOutcome =
  | { readonly result: 'made'; readonly block: ChainBlock; readonly startedAt: number }
  /** No ready transaction could be included. */
  | { readonly result: 'nothing' }
  /** The proposal was abandoned, the chain could not build on its parent, or a worker failed on its content. */
  | { readonly result: 'failed'; readonly reason: string };

/** Has the chain build the core's proposals, one at a time, and reports the results to the core. */
export class BlockProposals {
  readonly #context: ShellContext;
  readonly #parts: BlockProposalsParts;
  #inFlight: { readonly abort: AbortController; readonly ended: Promise<unknown> } | undefined;

  constructor(context: ShellContext, parts: BlockProposalsParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /** Resolves when no proposal is in progress. */
  get ended(): Promise<unknown> {
    return this.#inFlight?.ended ?? Promise.resolve();
  }

  cancel(): void {
    this.#inFlight?.abort.abort();
  }

  /** @throws errors not caused by the block's content: StoreError, ExecutionError `stopped`, … */
  async propose(effect: ProposeEffect): Promise<void> {
    const { isSole, lifecycle, known, chain, events, log } = this.#context;
    const { work, own } = this.#parts;
    if (!lifecycle.isRunning) return;
    own.begin();
    work.pause();
    work.selectionBegins();
    const { epoch, view } = effect;
    const outcome = await this.#outcome(effect);
    if (outcome.result === 'made') {
      const { block, startedAt } = outcome;
      if (!isSole) chain.onProposalEnded();
      if (block.items.length === 0) work.nothingSelected();
      else own.made(toHex(block.hash));
      events.push({ type: 'proposed', block: known.addOwn(block, startedAt) });
      return;
    }
    if (outcome.result === 'failed') {
      own.failed();
      log.warn({ epoch, view, reason: outcome.reason }, 'proposed no block');
    }
    events.push({ type: 'not_proposed', epoch, view });
    if (outcome.result === 'nothing') work.nothingSelected();
    else work.reannounce();
    work.resume();
  }

  /** Cancels the proposal in progress, and builds the next one once that has ended. */
  async #outcome(effect: ProposeEffect): Promise<ProposeOutcome> {
    const proposer = this.#context.membership.self;
    const before = this.#inFlight;
    before?.abort.abort();
    const abort = new AbortController();
    const outcome = (async () => {
      await before?.ended;
      return this.#build(effect, proposer, abort.signal);
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

  async #build(effect: ProposeEffect, proposer: number, signal: AbortSignal): Promise<ProposeOutcome> {
    const { chain, runtime, parts } = this.#context;
    const { commits, manual } = this.#parts;
    const keys = await this.#keys(effect, signal);
    // Waits for commits, because a proposal on the last committed block needs no branch.
    while (!commits.isIdle) await commits.idle;
    const startedAt = runtime.now();
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      signal.throwIfAborted();
      // Not before the keys are known: a block requested meanwhile is this one too.
      const asked = manual.claim();
      const { timestampMs = runtime.wallMs(), ...content }: Partial<RequestedBlock> = asked ?? {};
      const context: ProposalContext = {
        ...parts?.(effect),
        ...keys,
        ...content,
        parent: hashBytes(effect.parentHash),
        epoch: BigInt(effect.epoch),
        view: BigInt(effect.view),
        proposer,
        timestampMs: BigInt(timestampMs),
        allowEmpty: effect.allowEmpty || asked !== undefined,
      };
      const proposal = await chain.propose(context, signal);
      if (proposal.block !== undefined) return { result: 'made', block: proposal.block, startedAt };
      if (!proposal.mayHaveMore) return { result: 'nothing' };
    }
    return { result: 'nothing' };
  }

  /** The keys of the heights that a block on this parent may open; waits for missing ones (rule 2). */
  async #keys(effect: ProposeEffect, signal: AbortSignal): Promise<SealKeyParts> {
    const { sealKeys, chain, runtime } = this.#context;
    const { parentHash, parentHeight, keysUntilMs } = effect;
    if (sealKeys === undefined) return {};
    const due = chain.unopenedHeights(hashBytes(parentHash)).filter((height) => height <= parentHeight);
    if (due.length === 0) return {};
    const late = new AbortController();
    const cancelTimeout = runtime.after(Math.max(0, keysUntilMs - runtime.now()), () => late.abort());
    try {
      const waiting = AbortSignal.any([signal, late.signal]);
      return await sealKeys.forProposal(due.slice(0, MAX_SEAL_KEYS), waiting);
    } finally {
      cancelTimeout();
    }
  }
}

/** True if another proposal may succeed: workers also check keys, dealings and changes, which come from others. */
function isOfThisProposal(error: unknown): error is ChainError | ExecutionError {
  return error instanceof ChainError || (error instanceof ExecutionError && !isEnvironmentFailure(error));
}
