/*
 * Two 64-bit words that the main thread writes and front threads read:
 *
 *   BEAT   when the main thread last had a turn, nanoseconds on the clock of `process.hrtime`, the same in all threads
 *   KEY    1 where the node holds its part of the group key, else 0
 */
const BEAT = 0;
const KEY = 1;
const WORDS = 2;

/** Memory for a pulse. */
export function createHeartbeat(): SharedArrayBuffer {
  return new SharedArrayBuffer(WORDS * BigInt64Array.BYTES_PER_ELEMENT);
}

/** Writes the pulse; for the main thread. */
export class HeartbeatWriter {
  readonly #words: BigInt64Array;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new BigInt64Array(memory);
  }

  beat(hasKey: boolean): void {
    Atomics.store(this.#words, KEY, hasKey ? 1n : 0n);
    Atomics.store(this.#words, BEAT, process.hrtime.bigint());
  }
}

/** Reads the pulse, in any thread. */
export class HeartbeatReader {
  readonly #words: BigInt64Array;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new BigInt64Array(memory);
  }

  /** Milliseconds since the last beat. */
  get silentMs(): number {
    return Number((process.hrtime.bigint() - Atomics.load(this.#words, BEAT)) / 1_000_000n);
  }

  get hasKey(): boolean {
    return Atomics.load(this.#words, KEY) === 1n;
  }
}
