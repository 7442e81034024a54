import type { PendingBlock } from '../../chain/pending-blocks.js';
import { toHex } from '../../idl/hex.js';
import type { Certificate, Effect } from '../core/types.js';
import { CommitQueue } from './commit-queue.js';
import { finalityCertificate, hashBytes } from './conversions.js';
import type { CoreClock } from './core-clock.js';
import type { CoreDriver } from './core-driver.js';
import type { FinalityMetrics } from './finality-metrics.js';
import type { KnownBlocks } from './known-blocks.js';
import type { ManualSealer } from './manual-sealer.js';
import { ProposalRunner, type ProposeEffect } from './proposal-runner.js';
import type { ShellOptions } from './shell-options.js';
import { Verifier } from './verifier.js';
import type { WorkMonitor } from './work-monitor.js';

type Of<T extends Effect['type']> = Extract<Effect, { readonly type: T }>;

export interface BlockWorkOptions
  extends Pick<
    ShellOptions,
    'chain' | 'now' | 'parts' | 'pace' | 'sealKeys' | 'groupPublicKey' | 'journal' | 'onFinal' | 'log'
  > {
  /** Whether this is the only validator: its clock stands still from a proposal to its commit. */
  readonly isSole: boolean;
  readonly known: KnownBlocks;
  readonly clock: CoreClock;
  readonly driver: Pick<CoreDriver, 'dispatch' | 'rearm'>;
  readonly work: WorkMonitor;
  readonly manual: Pick<ManualSealer, 'timestampMs' | 'take'>;
  readonly times: Pick<FinalityMetrics, 'recordFinal'>;
  /** Told of each invalid block, by its proposer's index. */
  readonly onInvalid: (proposer: number) => void;
  /** This node's index in the set of the core's epoch. */
  readonly self: () => number;
  /** Resolves when no final blocks are being fetched. */
  readonly caughtUp: () => Promise<void>;
  readonly isRunning: () => boolean;
}

/** Has the chain make, verify and write blocks when the core says so, and tells the core what came of it. */
export class BlockWork {
  readonly #options: BlockWorkOptions;
  readonly #proposalRunner: ProposalRunner;
  readonly #verifier: Verifier;
  readonly #commits: CommitQueue;
  /** Whether there are envelopes that are not open after the last commit. */
  #hasEnvelopes = false;
  /** The last block that was proposed here, in hex, until it is final. */
  #proposed: string | undefined;

  constructor(options: BlockWorkOptions) {
    this.#options = options;
    const { chain, now, parts, sealKeys, log, manual, work } = options;
    this.#verifier = new Verifier({
      chain,
      now,
      onWithheld: (hash, reason) =>
        log.warn({ hash, reason }, 'a block could not be verified; it is tried again'),
      onInvalid: ({ height, view, proposer }, { rule, what, stored, computed }) => {
        log.warn({ height, view, proposer, rule, what, stored, computed }, 'a block is invalid');
        options.onInvalid(proposer);
      },
    });
    this.#commits = new CommitQueue({
      chain,
      onCommitted: (block, commitMs) => this.#committed(block, commitMs),
      onSuspectsCleared: () => work.onTransactionAdded(),
    });
    this.#proposalRunner = new ProposalRunner({
      chain,
      commits: this.#commits,
      now: () => manual.timestampMs ?? now(),
      parts: async (effect) => ({
        ...parts?.(effect),
        ...(await sealKeys?.forProposal(BigInt(effect.parentHeight))),
      }),
    });
  }

  /** Whether sealed transactions wait for the block that opens them. */
  get hasEnvelopes(): boolean {
    return this.#hasEnvelopes;
  }

  /** Whether nothing is being written. */
  get isIdle(): boolean {
    return this.#commits.isIdle;
  }

  /** Resolves when all that was to be written is. */
  get idle(): Promise<void> {
    return this.#commits.idle;
  }

  /** @throws what no transaction has a part in */
  async propose(effect: ProposeEffect): Promise<void> {
    const { isSole, clock, work, known, chain, driver, log, self, pace } = this.#options;
    // Others had their turn since then.
    if (this.#proposed !== undefined) pace?.onAbandoned();
    this.#proposed = undefined;
    if (isSole) {
      clock.stop();
      work.pause();
    }
    const { epoch, view } = effect;
    const outcome = await this.#proposalRunner.propose(effect, self());
    if (outcome.result === 'made') {
      const { block, startedAt } = outcome;
      if (!isSole) chain.onProposalEnded();
      if (block.items.length === 0) work.nothingSelected();
      else this.#proposed = toHex(block.hash);
      driver.dispatch({ type: 'proposed', block: known.addOwn(block, startedAt) });
      return;
    }
    if (outcome.result === 'failed') {
      pace?.onAbandoned();
      log.warn({ epoch, view, reason: outcome.reason }, 'proposed no block');
    }
    driver.dispatch({ type: 'not_proposed', epoch, view });
    if (outcome.result === 'nothing') work.nothingSelected();
    else work.reannounce();
    this.resume();
  }

  /** Gives up the proposal that is under way. */
  cancelProposal(): void {
    this.#proposalRunner.cancel();
  }

  /** @throws whatever failed that the block has no part in */
  async verify({ block, notarized }: Of<'verify'>): Promise<void> {
    const { known, driver } = this.#options;
    const { hash } = block;
    const bytes = known.get(hash);
    if (bytes === undefined) throw new RangeError(`the bytes of block ${hash} are not here`);
    const verdict = await this.#verifier.verify(bytes, notarized);
    if (verdict.verdict === 'withheld') {
      driver.dispatch({ type: 'verdict', hash, verdict: 'withheld', retryMs: verdict.retryMs });
      return;
    }
    driver.dispatch({ type: 'verdict', hash, verdict: verdict.verdict });
  }

  /** Forgets blocks that the core has no more use for. */
  forget(hashes: Of<'drop_blocks'>['hashes']): void {
    this.#options.known.forget(hashes);
    this.#verifier.forget(hashes);
  }

  /** @throws StoreError; what ended a worker for no candidate's fault */
  async commit({ hashes, certificate }: Of<'commit'>): Promise<void> {
    const { isSole, known, groupPublicKey, chain, manual, driver, caughtUp } = this.#options;
    await caughtUp();
    const last = known.get(certificate.hash);
    const isDone = last !== undefined && last.facts.height <= Number(chain.tip.header.height);
    if (!isDone) {
      await this.#commits.commit(
        {
          hash: hashBytes(certificate.hash),
          certificate: isSole ? undefined : finalityCertificate(certificate, groupPublicKey),
        },
        () => this.#keepFinalization(certificate),
      );
    }
    this.forget(hashes);
    await this.#commits.trySuspects(chain.tip.header.timestamp_ms + 1n);
    const tellAsker = manual.take();
    driver.dispatch({ type: 'committed', hash: certificate.hash });
    this.resume();
    tellAsker?.();
  }

  /**
   * Commits a final block that was fetched and verified.
   * @param certificate its own, where it has one
   * @param finalization under which it is final: its own certificate, or that of a later one
   * @throws StoreError
   */
  async commitFetched(
    { hash }: PendingBlock,
    certificate: Certificate | undefined,
    finalization: Certificate,
  ): Promise<void> {
    const { groupPublicKey } = this.#options;
    await this.#commits.commit(
      { hash, certificate: certificate && finalityCertificate(certificate, groupPublicKey) },
      // What is committed without a certificate of its own would leave a restart without the view that is final.
      () => this.#keepFinalization(certificate === undefined ? finalization : undefined),
    );
  }

  /** A block of one validator is done with. */
  resume(): void {
    const { isSole, clock, driver, work, isRunning } = this.#options;
    if (!isSole) return;
    clock.resume();
    driver.rearm();
    if (isRunning()) work.resume();
  }

  /** The tip, or the epoch, is another: the keys of what is sealed are made for that. */
  checkForEnvelopes(): void {
    const { sealKeys, chain } = this.#options;
    if (sealKeys === undefined) return;
    this.#hasEnvelopes = chain.unopenedHeights().length > 0;
    sealKeys.committed();
  }

  /** Verifies nothing more; waits for what is under way. */
  async stopVerifying(): Promise<void> {
    await this.#verifier.stop();
  }

  /** Resolves when no block is being made or written. */
  async ended(): Promise<void> {
    await this.#proposalRunner.ended;
    await this.#commits.idle;
  }

  async #keepFinalization(certificate: Certificate | undefined): Promise<void> {
    if (certificate !== undefined) await this.#options.journal?.keepFinalization(certificate);
  }

  #committed(block: PendingBlock, commitMs: number): void {
    const { isSole, known, times, work, pace, onFinal } = this.#options;
    const hash = toHex(block.hash);
    const begunAt = known.get(hash)?.arrivedAt ?? performance.now();
    const totalMs = times.recordFinal(begunAt);
    if (hash === this.#proposed) {
      this.#proposed = undefined;
      pace?.onFinalized(totalMs);
    }
    onFinal(block, { totalMs, commitMs });
    this.checkForEnvelopes();
    work.committed(isSole || block.items.length > 0);
  }
}
