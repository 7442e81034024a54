/*
 * How the memory store tells its readers in other threads what is in the log: one 64-bit word, generation (16 bits) and length
 * (48 bits), so that both always change together.
 */
const LENGTH_BITS = 48n;
const LENGTH_MASK = (1n << LENGTH_BITS) - 1n;
const GENERATION_MASK = 0xffff;

/** Which file, and how much of it, is acknowledged. */
export interface Committed {
  /** The low 16 bits of the file's generation. */
  readonly generationTag: number;
  /** Bytes of the file that hold acknowledged writes. */
  readonly length: number;
}

/** The part of a generation that readers are told. */
export function generationTag(generation: number): number {
  return generation & GENERATION_MASK;
}

/** The shared word. */
export class CommittedWord {
  readonly buffer: SharedArrayBuffer;
  readonly #word: BigInt64Array;

  constructor(buffer = new SharedArrayBuffer(8)) {
    this.buffer = buffer;
    this.#word = new BigInt64Array(buffer);
  }

  /** Makes everything up to `length` of that generation's file readable in every thread. */
  publish(generation: number, length: number): void {
    const packed = (BigInt(generationTag(generation)) << LENGTH_BITS) | BigInt(length);
    Atomics.store(this.#word, 0, BigInt.asIntN(64, packed));
  }

  /** The word as it is, to compare with an earlier one. */
  load(): bigint {
    return Atomics.load(this.#word, 0);
  }

  /** Sleeps until the word differs from `seen`, for `ms` at most. Blocks the thread. */
  waitWhile(seen: bigint, ms: number): void {
    Atomics.wait(this.#word, 0, seen, ms);
  }
}

/** The parts of a loaded word. */
export function unpackCommitted(word: bigint): Committed {
  const packed = BigInt.asUintN(64, word);
  return { generationTag: Number(packed >> LENGTH_BITS), length: Number(packed & LENGTH_MASK) };
}
