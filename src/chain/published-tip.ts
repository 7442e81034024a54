import { deserialize, serialize } from 'node:v8';
import type { CommittedChain } from './committed-chain.js';

/** What every thread of the process knows of the chain's end, all of one moment. */
export interface PublishedTip {
  readonly tip: CommittedChain['tip'];
  /** The newest checkpoint; undefined until there is one. */
  readonly checkpoint: { readonly height: bigint; readonly state_root: Uint8Array } | undefined;
  /** What a follower knows of those that it follows; undefined on a node that follows nobody. */
  readonly following:
    | { readonly bestKnownHeight: bigint; readonly blockTimeMs: number | undefined }
    | undefined;
}

/*
 * The memory: two 32-bit words, then the record as `v8.serialize` writes it.
 *
 *   SEQUENCE   odd while the record is being written; two more after each time
 *   LENGTH     of the record, in bytes
 *
 * Readers take no lock: one that finds an odd number, or another after reading than before, reads again (a sequence lock;
 * H.-J. Boehm, "Can seqlocks get along with programming language memory models?", MSPC 2012).
 */
const SEQUENCE = 0;
const LENGTH = 1;
const HEAD_BYTES = 8;
/** A header has some 400 bytes; the set of a chain of 100 validators 15 KB. */
const RECORD_BYTES = 128 * 1024;

/** The memory that a publisher and its readers share. */
export function createTipMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(HEAD_BYTES + RECORD_BYTES);
}

/** Publishes the tip, from the main thread alone. */
export class TipPublisher {
  readonly #words: Int32Array;
  readonly #record: Uint8Array;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory, 0, HEAD_BYTES / 4);
    this.#record = new Uint8Array(memory, HEAD_BYTES);
  }

  /** Once this returns, every thread reads the new record. @throws RangeError where it is too long for the memory */
  publish({ tip, checkpoint, following }: PublishedTip): void {
    const { header, hash, epochs } = tip;
    const { parameters, validators } = epochs;
    const bytes = serialize({
      tip: { header, hash, epochs: { parameters, validators } },
      checkpoint,
      following,
    });
    if (bytes.length > RECORD_BYTES) {
      throw new RangeError(`the published tip: at most ${RECORD_BYTES} bytes, got ${bytes.length}`);
    }
    Atomics.add(this.#words, SEQUENCE, 1);
    this.#record.set(bytes);
    Atomics.store(this.#words, LENGTH, bytes.length);
    Atomics.add(this.#words, SEQUENCE, 1);
  }
}

/** Reads the published tip, in any thread. */
export class TipReader {
  readonly #words: Int32Array;
  readonly #record: Uint8Array;
  #sequence = -1;
  #last: PublishedTip | undefined;

  /** @param memory in which something has been published already */
  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory, 0, HEAD_BYTES / 4);
    this.#record = new Uint8Array(memory, HEAD_BYTES);
  }

  /** The same object for as long as nothing else is published. */
  get published(): PublishedTip {
    if (this.#last === undefined || Atomics.load(this.#words, SEQUENCE) !== this.#sequence)
      this.#last = this.#read();
    return this.#last;
  }

  #read(): PublishedTip {
    for (;;) {
      const before = Atomics.load(this.#words, SEQUENCE);
      // Being written: some microseconds.
      if ((before & 1) === 1) continue;
      // A copy: what is read while it is written over must not be looked at.
      const bytes = this.#record.slice(0, Atomics.load(this.#words, LENGTH));
      // Not a load: what was read above must not be put off until behind it.
      if (Atomics.add(this.#words, SEQUENCE, 0) !== before) continue;
      this.#sequence = before;
      return deserialize(bytes) as PublishedTip;
    }
  }
}
