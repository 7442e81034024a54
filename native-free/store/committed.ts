const LENGTH_BITS = 48n;

/** A position in the log: a file, and the bytes of it that are committed. */
export interface Committed {
  /** Low 16 bits of the file's generation. */
  readonly generationTag: number;
  readonly length: number;
}

/** The part of a generation that fits into a {@link CommittedWord}. */
export function generationTag(generation: number): number {
  return generation & 0xffff;
}

/**
 * The memory store's committed position, shared with its readers in other threads: one 64-bit word with the
 * generation's tag in the upper 16 bits and the length in the lower 48, so that both always change together.
 */
export class CommittedWord {
  readonly #word: BigInt64Array;

  constructor(readonly buffer = new SharedArrayBuffer(8)) {
    this.#word = new BigInt64Array(buffer);
  }

  publish(generation: number, length: number): void {
    const packed = (BigInt(generationTag(generation)) << LENGTH_BITS) | BigInt(length);
    Atomics.store(this.#word, 0, BigInt.asIntN(64, packed));
  }

  /** The packed word, for comparison with an earlier one and for {@link unpackCommitted}. */
  load(): bigint {
    return Atomics.load(this.#word, 0);
  }

  /** Blocks the thread until the word differs from `seen`, for at most `ms`. */
  waitWhile(seen: bigint, ms: number): void {
    Atomics.wait(this.#word, 0, seen, ms);
  }
}

export function unpackCommitted(word: bigint): Committed {
  const tag = BigInt.asUintN(16, word >> LENGTH_BITS);
  return { generationTag: Number(tag), length: Number(BigInt.asUintN(Number(LENGTH_BITS), word)) };
}
