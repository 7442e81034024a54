import { toHex } from '../../idl/hex.js';
import type { Certificate, EffectOf } from '../core/types.js';
import type { BlockVerifications } from './block-verifications.js';
import { CommitQueue } from './commit-queue.js';
import { finalityCertificate, hashBytes } from './conversions.js';
import type { FinalityMetrics } from './finality-metrics.js';
import type { ManualSealer } from './manual-sealer.js';
import type { OwnProposal } from './own-proposal.js';
import type { ChainBlock } from './ports.js';
import type { SealedEnvelopes } from './sealed-envelopes.js';
import type { ShellContext } from './shell-context.js';
import type { SolePause } from './sole-pause.js';
import type { WorkMonitor } from './work-monitor.js';

type CommitsContext<B extends ChainBlock> = Pick<
  ShellContext<B>,
  'runtime' | 'chain' | 'journal' | 'groupPublicKey' | 'onFinal' | 'isSole' | 'tasks' | 'events' | 'known'
>;

export interface BlockCommitsParts {
  readonly manual: Pick<ManualSealer, 'take'>;
  readonly work: Pick<WorkMonitor, 'onTransactionAdded' | 'committed'>;
  readonly pause: SolePause;
  readonly own: Pick<OwnProposal, 'committed'>;
  readonly times: Pick<FinalityMetrics, 'recordFinal'>;
  readonly envelopes: Pick<SealedEnvelopes, 'refresh'>;
  readonly verifications: Pick<BlockVerifications, 'forget'>;
}

/** Has the chain commit final blocks in order, and reports them to the core. */
export class BlockCommits<B extends ChainBlock = ChainBlock> {
  readonly #context: CommitsContext<B>;
  readonly #parts: BlockCommitsParts;
  readonly #queue: CommitQueue<B>;
  /** The last commit that the core requested. */
  #requested: Promise<void> = Promise.resolve();

  constructor(context: CommitsContext<B>, parts: BlockCommitsParts) {
    this.#context = context;
    this.#parts = parts;
    this.#queue = new CommitQueue({
      chain: context.chain,
      onCommitted: (block, commitMs) => this.#onCommitted(block, commitMs),
      onSuspectsCleared: () => parts.work.onTransactionAdded(),
    });
  }

  /** Whether no commit is running. */
  get isIdle(): boolean {
    return this.#queue.isIdle;
  }

  /** Resolves when all queued commits have ended. */
  get idle(): Promise<void> {
    return this.#queue.idle;
  }

  /** Resolves when all commits that the core has requested have ended, even if they failed. */
  get requested(): Promise<void> {
    return this.#requested;
  }

  /** @param after a catch-up to complete first */
  commit(effect: EffectOf<'commit'>, after: Promise<void>): void {
    this.#requested = this.#context.tasks.run('committing', () => this.#commit(effect, after), true);
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
    const { groupPublicKey } = this.#context;
    await this.#queue.commit(
      hash,
      certificate && finalityCertificate(certificate, groupPublicKey),
      // A block committed without its own certificate would leave a restarted node without the finalized view.
      () => this.#keepFinalization(certificate === undefined ? finalization : undefined),
    );
  }

  /** @throws StoreError; worker failures not caused by a candidate */
  async #commit({ hashes, certificate }: EffectOf<'commit'>, after: Promise<void>): Promise<void> {
    const { isSole, known, groupPublicKey, chain, events } = this.#context;
    const { manual, pause, verifications } = this.#parts;
    await after;
    const last = known.get(certificate.hash);
    const isDone = last !== undefined && last.facts.height <= Number(chain.tip.header.height);
    if (!isDone) {
      await this.#queue.commit(
        hashBytes(certificate.hash),
        isSole ? undefined : finalityCertificate(certificate, groupPublicKey),
        () => this.#keepFinalization(certificate),
      );
    }
    verifications.forget(hashes);
    await this.#queue.trySuspects(chain.tip.header.timestamp_ms + 1n);
    const resolveRequest = manual.take();
    events.push({ type: 'committed', hash: certificate.hash });
    pause.end();
    resolveRequest?.(certificate.hash);
  }

  async #keepFinalization(certificate: Certificate | undefined): Promise<void> {
    if (certificate !== undefined) await this.#context.journal?.keepFinalization(certificate);
  }

  #onCommitted(block: B, commitMs: number): void {
    const { runtime, isSole, known, onFinal } = this.#context;
    const { work, own, times, envelopes } = this.#parts;
    const hash = toHex(block.hash);
    const totalMs = times.recordFinal(known.get(hash)?.arrivedAt ?? runtime.now());
    own.committed(hash, totalMs);
    onFinal(block, { totalMs, commitMs });
    envelopes.refresh();
    work.committed(isSole || block.items.length > 0);
  }
}
