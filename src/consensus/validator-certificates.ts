import { LRUCache } from 'lru-cache';
import { answerAll, chunks, TickBatch } from '../async/tick-batch.js';
import { type Certificates, type Finality, parentViewOf, signedCertificate } from '../chain/certificates.js';
import type { NativeReport } from '../config/native-mode.js';
import type { ExecutionPool } from '../execution/pool/execution-pool.js';
import type { BlockReader } from '../ledger/block-store.js';

/** Number of certificates cached in memory, about 500 bytes each. */
const KEPT = 4_096;

/** Signatures per worker task: the pure implementation takes 4 ms for each. */
const BATCH = 16;

/** Certificates of a chain with one validator, whose committed blocks are final: a worker signs on demand. */
export class ValidatorCertificates implements Certificates {
  readonly #options: ValidatorCertificatesOptions;
  readonly #kept = new LRUCache<bigint, Promise<Finality>>({ max: KEPT });
  /** Messages to sign; requests of one event loop tick share tasks. */
  readonly #wanted = new TickBatch<Uint8Array, Uint8Array>(() => {
    for (const part of chunks(this.#wanted.take(), BATCH)) {
      void answerAll(part, (messages) => this.#sign(messages));
    }
  });
  #reported = false;

  constructor(options: ValidatorCertificatesOptions) {
    this.#options = options;
  }

  /** @throws ExecutionError if no worker could sign */
  async of(height: bigint): Promise<Finality | undefined> {
    const kept = this.#kept.get(height);
    if (kept !== undefined) return kept;
    const block = this.#options.blocks.header(height);
    if (block === undefined) return undefined;
    const { header } = block;
    const parent = height === 0n ? undefined : this.#options.blocks.header(height - 1n)?.header;
    const parentView = parentViewOf(header, parent);
    // The block of the snapshot that the node started from keeps the certificate from the snapshot.
    if (parentView === undefined) return this.#options.stored.of(height);
    const { groupPublicKey } = this.#options;
    const made = signedCertificate(block, parentView, groupPublicKey, (message) =>
      this.#wanted.add(message),
    ).then((certificate): Finality => ({ certificate, descendants: [] }));
    this.#kept.set(height, made);
    // A failure is not cached, so the next request retries.
    made.catch(() => this.#kept.delete(height));
    return made;
  }

  async #sign(messages: readonly Uint8Array[]): Promise<readonly Uint8Array[]> {
    const { workers, privateKey, report } = this.#options;
    const { signatures, choice } = await workers.run('sign_bls', { privateKey, messages });
    if (!this.#reported) report?.(choice);
    this.#reported = true;
    return signatures;
  }
}

export interface ValidatorCertificatesOptions {
  readonly blocks: Pick<BlockReader, 'header'>;
  /** Certificates stored with blocks. */
  readonly stored: Certificates;
  readonly workers: Pick<ExecutionPool, 'run'>;
  /** The group's private key, 32 bytes. */
  readonly privateKey: Uint8Array;
  /** The group's public key as in the genesis, 48 bytes. */
  readonly groupPublicKey: Uint8Array;
  /** Called at the first signature with the implementation in use. */
  readonly report?: NativeReport;
}
