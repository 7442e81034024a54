import { Throttle } from '../../base/throttle.js';
import type { BlockRejection } from '../../chain/block-rejection.js';
import type { BlockFacts, BlockHash, EffectOf } from '../core/types.js';
import type { InvalidProposals } from './invalid-proposals.js';
import type { ShellContext } from './shell-context.js';
import { Verifier } from './verifier.js';

/** Minimum interval between log records of proposals that are ahead of the clock, in milliseconds. */
const EARLY_NOTE_MS = 10_000;

type VerificationsContext = Pick<
  ShellContext,
  'runtime' | 'chain' | 'onInvalidProposal' | 'onEarlyProposal' | 'log' | 'tasks' | 'events' | 'known'
>;

/** Has the chain verify blocks for the core, and reports the verdicts to the core. */
export class BlockVerifications {
  readonly #context: VerificationsContext;
  readonly #invalid: Pick<InvalidProposals, 'count'>;
  readonly #verifier: Verifier;
  readonly #earlyNotes = new Throttle(EARLY_NOTE_MS);

  constructor(context: VerificationsContext, invalid: Pick<InvalidProposals, 'count'>) {
    const { runtime, chain, log } = context;
    this.#context = context;
    this.#invalid = invalid;
    this.#verifier = new Verifier({
      runtime,
      chain,
      onWithheld: (hash, reason) => log.warn({ hash, reason }, 'could not verify a block yet; retrying'),
      onEarly: (facts, aheadMs) => this.#onEarly(facts, aheadMs),
      onInvalid: (facts, rejection) => this.#onInvalid(facts, rejection),
    });
  }

  verify(effect: EffectOf<'verify'>): void {
    this.#context.tasks.run('verifying', () => this.#verify(effect), true);
  }

  /** Drops blocks that the core no longer needs. */
  forget(hashes: readonly BlockHash[]): void {
    this.#context.known.forget(hashes);
    this.#verifier.forget(hashes);
  }

  /** Cancels all verifications and waits for them to end. */
  async stop(): Promise<void> {
    await this.#verifier.stop();
  }

  /** @throws errors not caused by the block */
  async #verify({ block, notarized }: EffectOf<'verify'>): Promise<void> {
    const { known, events } = this.#context;
    const { hash } = block;
    const bytes = known.get(hash);
    if (bytes === undefined) throw new RangeError(`the bytes of block ${hash} are missing`);
    events.push({ type: 'verdict', hash, ...(await this.#verifier.verify(bytes, notarized)) });
  }

  /** Either clock may be wrong. */
  #onEarly({ height, view, proposer }: BlockFacts, aheadMs: number): void {
    const { log, onEarlyProposal, runtime } = this.#context;
    onEarlyProposal?.(proposer);
    if (!this.#earlyNotes.admits(runtime.now())) return;
    const fields = { height, view, proposer, ahead_ms: Math.round(aheadMs) };
    log.warn(fields, "the time of a proposal is ahead of this node's clock; its vote waits");
  }

  #onInvalid({ height, view, proposer }: BlockFacts, { rule, what, stored, computed }: BlockRejection): void {
    const { log, onInvalidProposal } = this.#context;
    log.warn({ height, view, proposer, rule, what, stored, computed }, 'a block is invalid');
    this.#invalid.count(proposer);
    onInvalidProposal?.(proposer);
  }
}
