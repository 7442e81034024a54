import { deserialize, serialize } from 'node:v8';
import type { CommittedChain } from './committed-chain.js';

/** A consistent snapshot of the chain's tip, visible to every thread of the process. */
export interface PublishedTip {
  readonly tip: CommittedChain['tip'];
  /** The newest checkpoint; undefined until there is one. */
  readonly checkpoint: { readonly height: bigint; readonly state_root: Uint8Array } | undefined;
  /** A follower's view of its sources; undefined on other nodes. */
  readonly following:
    | { readonly bestKnownHeight: bigint; readonly blockTimeMs: number | undefined }
    | undefined;
}

/*
 * The memory: two 32-bit words, then the record as `v8.serialize` writes it.
 *
 *   SEQUENCE   odd while the record is being written; increases by two with each write
 *   LENGTH     length of the record in bytes
 *
 * Readers take no lock: a reader that finds an odd sequence, or a different one after reading, reads again (a seqlock;
 * H.-J. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012).
 */
const SEQUENCE = 0;
const LENGTH = 1;
const HEAD_BYTES = 8;
/** A header takes about 400 bytes, a set of 100 validators 15 KB. */
const RECORD_BYTES = 128 * 1024;

/** Creates the memory shared by a publisher and its readers. */
export function createTipMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEAD_BYTES + RECORD_BYTES);
}

/** Publishes the tip; main thread only. */
export class TipPublisher {
  readonly #words: Int32Array;
  readonly #record: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory, 0, HEAD_BYTES / 4);
    this.#record = new Uint8Array(memory, HEAD_BYTES);
  }

  /** Publishes a record; every thread sees it once this returns. @throws RangeError if the record exceeds the memory */
  publish({ tip, checkpoint, following }: PublishedTip): void {
    const { header, hash, epochs, slots } = tip;
    const { parameters, validators } = epochs;
    const bytes = serialize({
      tip: { header, hash, epochs: { parameters, validators }, slots },
      checkpoint,
      following,
    });
    if (bytes.length > RECORD_BYTES) {
      throw new RangeError(`the published tip: expected at most ${RECORD_BYTES} bytes, got ${bytes.length}`);
    }
    Atomics.add(this.#words, SEQUENCE, 1);
    this.#record.set(bytes);
    Atomics.store(this.#words, LENGTH, bytes.length);
    Atomics.add(this.#words, SEQUENCE, 1);
  }
}

export class TipReader {
  readonly #words: Int32Array;
  readonly #record: Uint8Array;
  #sequence = -1;
  #last: PublishedTip | undefined;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory, 0, HEAD_BYTES / 4);
    this.#record = new Uint8Array(memory, HEAD_BYTES);
  }

  /** The last record; the same object until a new one is published. */
  get published(): PublishedTip {
    if (this.#last === undefined || Atomics.load(this.#words, SEQUENCE) !== this.#sequence)
      this.#last = this.#read();
    return this.#last;
  }

  #read(): PublishedTip {
    for (;;) {
      const before = Atomics.load(this.#words, SEQUENCE);
      // A write is in progress, for a few microseconds.
      if ((before & 1) === 1) continue;
      // Copied first: the bytes may be overwritten while they are being read.
      const bytes = this.#record.slice(0, Atomics.load(this.#words, LENGTH));
      // A read-modify-write instead of a load, so that the reads above cannot be reordered after it.
      if (Atomics.add(this.#words, SEQUENCE, 0) !== before) continue;
      this.#sequence = before;
      return deserialize(bytes) as PublishedTip;
    }
  }
}
