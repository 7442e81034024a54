import { LRUCache } from 'lru-cache';
import { answerAll, chunks, TickBatch } from '../async/tick-batch.js';
import { type Certificates, type Finality, parentViewOf } from '../chain/certificates.js';
import type { NativeReport } from '../config/native-mode.js';
import type { ExecutionPool } from '../execution/pool/execution-pool.js';
import type { BlockReader } from '../ledger/block-store.js';
import { finalizeMessage } from '../proofs/verify/certificate-message.js';

/** Certificates kept in memory, some 500 bytes each. */
const KEPT = 4_096;

/** Signatures in one task: the pure implementation takes 4 ms for each. */
const BATCH = 16;

/**
 * The certificates of a chain with one validator. A committed block of such a chain is final, so its validator may sign any
 * of them at any time: certificates are made by a worker when they are asked for, and nothing is stored.
 */
export class ValidatorCertificates implements Certificates {
  readonly #options: ValidatorCertificatesOptions;
  /** By height. */
  readonly #kept = new LRUCache<bigint, Promise<Finality>>({ max: KEPT });
  /** Messages to sign: what is wanted in one turn of the event loop shares tasks. */
  readonly #wanted = new TickBatch<Uint8Array, Uint8Array>(() => {
    for (const part of chunks(this.#wanted.take(), BATCH)) {
      void answerAll(part, (messages) => this.#sign(messages));
    }
  });
  #reported = false;

  constructor(options: ValidatorCertificatesOptions) {
    this.#options = options;
  }

  /** @throws ExecutionError where no worker could sign */
  async of(height: bigint): Promise<Finality | undefined> {
    const kept = this.#kept.get(height);
    if (kept !== undefined) return kept;
    const block = this.#options.blocks.header(height);
    if (block === undefined) return undefined;
    const { header, hash } = block;
    const parent = height === 0n ? undefined : this.#options.blocks.header(height - 1n)?.header;
    const parentView = parentViewOf(header, parent);
    // The block of the snapshot that a node started from has the certificate it came with.
    if (parentView === undefined) return this.#options.stored.of(height);
    const facts = { epoch: header.epoch, view: header.view, parentView };
    const made = this.#wanted.add(finalizeMessage({ chainId: header.chain_id, ...facts, hash })).then(
      (signature): Finality => ({
        certificate: {
          epoch: facts.epoch,
          view: facts.view,
          block_hash: hash,
          parent_view: facts.parentView,
          signature,
          group_public_key: this.#options.groupPublicKey,
        },
        descendants: [],
      }),
    );
    this.#keep(height, made);
    return made;
  }

  #keep(height: bigint, made: Promise<Finality>): void {
    this.#kept.set(height, made);
    // What failed is tried again when it is asked for again.
    made.catch(() => this.#kept.delete(height));
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
  /** What was stored with blocks. */
  readonly stored: Certificates;
  readonly workers: Pick<ExecutionPool, 'run'>;
  /** Of the group key, 32 bytes. */
  readonly privateKey: Uint8Array;
  /** Of the same key, 48 bytes, as the genesis has it. */
  readonly groupPublicKey: Uint8Array;
  /** Told at the first signature which implementation makes them. */
  readonly report?: NativeReport;
}
