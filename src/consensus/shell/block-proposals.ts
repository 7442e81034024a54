import { toHex } from '../../idl/hex.js';
import { MAX_SEAL_KEYS } from '../../ledger/constants.js';
import type { SealKeyParts } from '../seal-keys.js';
import type { CommitQueue } from './commit-queue.js';
import { hashBytes } from './conversions.js';
import type { ManualSealer } from './manual-sealer.js';
import type { OwnProposal } from './own-proposal.js';
import type { ChainBlock } from './ports.js';
import { ProposalRunner, type ProposeEffect } from './proposal-runner.js';
import type { ShellContext } from './shell-context.js';
import type { SolePause } from './sole-pause.js';
import type { WorkMonitor } from './work-monitor.js';

type ProposalsContext = Pick<
  ShellContext,
  | 'runtime'
  | 'chain'
  | 'parts'
  | 'sealKeys'
  | 'log'
  | 'isSole'
  | 'lifecycle'
  | 'tasks'
  | 'events'
  | 'known'
  | 'membership'
>;

export interface BlockProposalsParts {
  readonly commits: Pick<CommitQueue<ChainBlock>, 'idle' | 'isIdle'>;
  readonly manual: Pick<ManualSealer, 'claim'>;
  readonly work: Pick<WorkMonitor, 'selectionBegins' | 'nothingSelected' | 'reannounce'>;
  readonly pause: SolePause;
  readonly own: Pick<OwnProposal, 'begin' | 'made' | 'failed'>;
}

/** Has the chain build the core's proposals, and reports the results to the core. */
export class BlockProposals {
  readonly #context: ProposalsContext;
  readonly #parts: BlockProposalsParts;
  readonly #runner: ProposalRunner;

  constructor(context: ProposalsContext, parts: BlockProposalsParts) {
    const { runtime, chain } = context;
    const { commits, manual } = parts;
    this.#context = context;
    this.#parts = parts;
    this.#runner = new ProposalRunner({
      runtime,
      chain,
      commits,
      wallMs: runtime.wallMs,
      requested: () => manual.claim(),
      parts: (effect) => context.parts?.(effect) ?? {},
      keys: (effect, signal) => this.#keys(effect, signal),
    });
  }

  /** Resolves when no proposal is in progress. */
  get ended(): Promise<unknown> {
    return this.#runner.ended;
  }

  propose(effect: ProposeEffect): void {
    const { lifecycle, tasks } = this.#context;
    if (lifecycle.isRunning) tasks.run('proposing', () => this.#propose(effect), true);
  }

  /** Cancels the proposal in progress. */
  cancel(): void {
    this.#runner.cancel();
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

  /** @throws errors not caused by a transaction */
  async #propose(effect: ProposeEffect): Promise<void> {
    const { isSole, known, chain, events, log, membership } = this.#context;
    const { work, pause, own } = this.#parts;
    own.begin();
    pause.begin();
    work.selectionBegins();
    const { epoch, view } = effect;
    const outcome = await this.#runner.propose(effect, membership.self);
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
    pause.end();
  }
}
