import type { FinalityCertificate } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import type { Certificate, EffectOf } from '../core/types.js';
import type { BlockVerifications } from './block-verifications.js';
import { finalityCertificate, hashBytes } from './conversions.js';
import type { FinalityMetrics } from './finality-metrics.js';
import type { ManualSealer } from './manual-sealer.js';
import type { OwnProposal } from './own-proposal.js';
import type { ChainBlock } from './ports.js';
import type { SealedEnvelopes } from './sealed-envelopes.js';
import type { ShellContext, ShellOptions } from './shell-context.js';
import type { WorkMonitor } from './work-monitor.js';

export interface BlockCommitsParts<B extends ChainBlock> {
  readonly onFinal: ShellOptions<B>['onFinal'];
  readonly manual: Pick<ManualSealer, 'take'>;
  readonly work: Pick<WorkMonitor, 'onTransactionAdded' | 'committed' | 'resume'>;
  readonly own: Pick<OwnProposal, 'committed'>;
  readonly times: Pick<FinalityMetrics, 'recordFinal'>;
  readonly envelopes: Pick<SealedEnvelopes, 'refresh'>;
  readonly verifications: Pick<BlockVerifications, 'forget'>;
}

/** Has the chain commit final blocks, one commit after another, and reports them to the core. */
export class BlockCommits<B extends ChainBlock = ChainBlock> {
  readonly #context: ShellContext<B>;
  readonly #parts: BlockCommitsParts<B>;
  /** Settles when the last commit and all before it have ended; never rejects. */
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(context: ShellContext<B>, parts: BlockCommitsParts<B>) {
    this.#context = context;
    this.#parts = parts;
  }

  /** Whether no commit is running; proposals on the tip wait until then. */
  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Resolves when all queued commits have ended, even if they failed. */
  get idle(): Promise<void> {
    return this.#last;
  }

  /** @param after a catch-up to await @throws StoreError; worker failures not caused by a candidate */
  async commit({ hashes, certificate }: EffectOf<'commit'>, after: Promise<void>): Promise<void> {
    const { isSole, known, groupPublicKey, chain, events } = this.#context;
    const { manual, work, verifications } = this.#parts;
    await after;
    const last = known.get(certificate.hash);
    const isDone = last !== undefined && last.facts.height <= Number(chain.tip.header.height);
    if (!isDone) {
      await this.#enqueue(async () => {
        await this.#keepFinalization(certificate);
        const own = isSole ? undefined : finalityCertificate(certificate, groupPublicKey);
        await this.#write(hashBytes(certificate.hash), own);
      });
    }
    verifications.forget(hashes);
    const { timestamp_ms } = chain.tip.header;
    await this.#enqueue(async () => {
      if (await chain.trySuspects(timestamp_ms + 1n)) work.onTransactionAdded();
    });
    const resolveRequest = manual.take();
    events.push({ type: 'committed', hash: certificate.hash });
    work.resume();
    resolveRequest?.(certificate.hash);
  }

  /**
   * Commits a final block that was fetched and verified.
   * @param finalization certificate of this block or of a later one
   * @throws StoreError
   */
  commitFetched(
    { hash }: Pick<ChainBlock, 'hash'>,
    certificate: Certificate | undefined,
    finalization: Certificate,
  ): Promise<void> {
    const { groupPublicKey } = this.#context;
    return this.#enqueue(async () => {
      // A block committed without its own certificate would leave a restarted node without the finalized view.
      if (certificate === undefined) await this.#keepFinalization(finalization);
      await this.#write(hash, certificate && finalityCertificate(certificate, groupPublicKey));
    });
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#waiting++;
    const done = this.#last.then(work);
    const ended = () => {
      this.#waiting--;
    };
    this.#last = done.then(ended, ended);
    return done;
  }

  async #keepFinalization(certificate: Certificate): Promise<void> {
    await this.#context.journal?.keepFinalization(certificate);
  }

  /** @param certificate of the last block; undefined if it is made on demand */
  async #write(hash: Uint8Array, certificate: FinalityCertificate | undefined): Promise<void> {
    const commits = await this.#context.chain.commit(hash, certificate);
    for (const { block, commitMs } of commits) this.#onCommitted(block, commitMs);
  }

  #onCommitted(block: B, commitMs: number): void {
    const { runtime, isSole, known } = this.#context;
    const { work, own, times, envelopes, onFinal } = this.#parts;
    const hash = toHex(block.hash);
    const totalMs = times.recordFinal(known.get(hash)?.arrivedAt ?? runtime.now());
    own.committed(hash, totalMs);
    onFinal(block, { totalMs, commitMs });
    envelopes.refresh();
    work.committed(isSole || block.items.length > 0);
  }
}
