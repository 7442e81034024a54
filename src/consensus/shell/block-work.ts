import { toHex } from '../../idl/hex.js';
import type { Certificate, EffectOf } from '../core/types.js';
import { CommitQueue } from './commit-queue.js';
import { finalityCertificate, hashBytes } from './conversions.js';
import type { CoreClock } from './core-clock.js';
import type { CoreDriver } from './core-driver.js';
import type { FinalityMetrics } from './finality-metrics.js';
import type { KnownBlocks } from './known-blocks.js';
import type { ManualSealer } from './manual-sealer.js';
import type { ChainBlock } from './ports.js';
import { ProposalRunner, type ProposeEffect } from './proposal-runner.js';
import type { ShellOptions } from './shell-options.js';
import { Verifier } from './verifier.js';
import type { WorkMonitor } from './work-monitor.js';

export interface BlockWorkOptions<B extends ChainBlock>
  extends Pick<
    ShellOptions<B>,
    | 'runtime'
    | 'chain'
    | 'parts'
    | 'fillPolicy'
    | 'sealKeys'
    | 'groupPublicKey'
    | 'journal'
    | 'onFinal'
    | 'log'
  > {
  /** Whether this is the only validator, which stops the clock from a proposal to its commit. */
  readonly isSole: boolean;
  readonly known: KnownBlocks;
  readonly clock: CoreClock;
  readonly driver: Pick<CoreDriver, 'dispatch' | 'rearm'>;
  readonly work: WorkMonitor;
  readonly manual: Pick<ManualSealer, 'timestampMs' | 'take'>;
  readonly times: Pick<FinalityMetrics, 'recordFinal'>;
  /** Called for each invalid block with its proposer's index. */
  readonly onInvalid: (proposer: number) => void;
  readonly self: () => number;
  readonly caughtUp: () => Promise<void>;
  readonly isRunning: () => boolean;
}

/** Has the chain build, verify and commit blocks for the core, and reports the results to the core. */
export class BlockWork<B extends ChainBlock = ChainBlock> {
  readonly #options: BlockWorkOptions<B>;
  readonly #proposalRunner: ProposalRunner;
  readonly #verifier: Verifier;
  readonly #commits: CommitQueue<B>;
  /** Whether sealed envelopes remain after the last commit. */
  #hasEnvelopes = false;
  /** Hex hash of the last block proposed here, until it is final. */
  #proposed: string | undefined;

  constructor(options: BlockWorkOptions<B>) {
    this.#options = options;
    const { runtime, chain, parts, sealKeys, log, manual, work } = options;
    this.#verifier = new Verifier({
      runtime,
      chain,
      onWithheld: (hash, reason) => log.warn({ hash, reason }, 'could not verify a block yet; retrying'),
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
      runtime,
      chain,
      commits: this.#commits,
      timestampMs: () => manual.timestampMs ?? runtime.wallMs(),
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

  /** Whether no commit is running. */
  get isIdle(): boolean {
    return this.#commits.isIdle;
  }

  /** Resolves when all queued commits have ended. */
  get idle(): Promise<void> {
    return this.#commits.idle;
  }

  /** @throws errors not caused by a transaction */
  async propose(effect: ProposeEffect): Promise<void> {
    const { isSole, clock, work, known, chain, driver, log, self, fillPolicy } = this.#options;
    // The previous proposal of this node is still not final, although it leads again.
    if (this.#proposed !== undefined) fillPolicy?.onAbandoned();
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
      fillPolicy?.onAbandoned();
      log.warn({ epoch, view, reason: outcome.reason }, 'proposed no block');
    }
    driver.dispatch({ type: 'not_proposed', epoch, view });
    if (outcome.result === 'nothing') work.nothingSelected();
    else work.reannounce();
    this.resume();
  }

  cancelProposal(): void {
    this.#proposalRunner.cancel();
  }

  /** @throws errors not caused by the block */
  async verify({ block, notarized }: EffectOf<'verify'>): Promise<void> {
    const { known, driver } = this.#options;
    const { hash } = block;
    const bytes = known.get(hash);
    if (bytes === undefined) throw new RangeError(`the bytes of block ${hash} are missing`);
    driver.dispatch({ type: 'verdict', hash, ...(await this.#verifier.verify(bytes, notarized)) });
  }

  /** Drops blocks that the core no longer needs. */
  forget(hashes: EffectOf<'drop_blocks'>['hashes']): void {
    this.#options.known.forget(hashes);
    this.#verifier.forget(hashes);
  }

  /** @throws StoreError; worker failures not caused by a candidate */
  async commit({ hashes, certificate }: EffectOf<'commit'>): Promise<void> {
    const { isSole, known, groupPublicKey, chain, manual, driver, caughtUp } = this.#options;
    await caughtUp();
    const last = known.get(certificate.hash);
    const isDone = last !== undefined && last.facts.height <= Number(chain.tip.header.height);
    if (!isDone) {
      await this.#commits.commit(
        hashBytes(certificate.hash),
        isSole ? undefined : finalityCertificate(certificate, groupPublicKey),
        () => this.#keepFinalization(certificate),
      );
    }
    this.forget(hashes);
    await this.#commits.trySuspects(chain.tip.header.timestamp_ms + 1n);
    const resolveRequest = manual.take();
    driver.dispatch({ type: 'committed', hash: certificate.hash });
    this.resume();
    resolveRequest?.();
  }

  /**
   * Commits a final block that was fetched and verified.
   * @param certificate its own certificate, if any
   * @param finalization certificate of this block or of a later one
   * @throws StoreError
   */
  async commitFetched(
    { hash }: Pick<ChainBlock, 'hash'>,
    certificate: Certificate | undefined,
    finalization: Certificate,
  ): Promise<void> {
    const { groupPublicKey } = this.#options;
    await this.#commits.commit(
      hash,
      certificate && finalityCertificate(certificate, groupPublicKey),
      // A block committed without its own certificate would leave a restarted node without the finalized view.
      () => this.#keepFinalization(certificate === undefined ? finalization : undefined),
    );
  }

  /** Restarts a sole validator's clock once its block is committed or given up. */
  resume(): void {
    const { isSole, clock, driver, work, isRunning } = this.#options;
    if (!isSole) return;
    clock.resume();
    driver.rearm();
    if (isRunning()) work.resume();
  }

  /** Called when the tip or epoch has changed: updates whether envelopes remain, and signs due keys. */
  checkForEnvelopes(): void {
    const { sealKeys, chain } = this.#options;
    if (sealKeys === undefined) return;
    this.#hasEnvelopes = chain.unopenedHeights().length > 0;
    sealKeys.committed();
  }

  /** Stops verification and waits for the blocks in progress. */
  async stopVerifying(): Promise<void> {
    await this.#verifier.stop();
  }

  /** Resolves when no proposal or commit is running. */
  async ended(): Promise<void> {
    await this.#proposalRunner.ended;
    await this.#commits.idle;
  }

  async #keepFinalization(certificate: Certificate | undefined): Promise<void> {
    if (certificate !== undefined) await this.#options.journal?.keepFinalization(certificate);
  }

  #committed(block: B, commitMs: number): void {
    const { runtime, isSole, known, times, work, fillPolicy, onFinal } = this.#options;
    const hash = toHex(block.hash);
    const begunAt = known.get(hash)?.arrivedAt ?? runtime.now();
    const totalMs = times.recordFinal(begunAt);
    if (hash === this.#proposed) {
      this.#proposed = undefined;
      fillPolicy?.onFinalized(totalMs);
    }
    onFinal(block, { totalMs, commitMs });
    this.checkForEnvelopes();
    work.committed(isSole || block.items.length > 0);
  }
}
