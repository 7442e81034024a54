/*
 * Two 64-bit words that the main thread writes and front threads read:
 *
 *   BEAT   time of the main thread's last tick, in nanoseconds of `process.hrtime`, whose clock all threads share
 *   KEY    1 if the node holds its share of the group key, else 0
 */
const BEAT = 0;
const KEY = 1;
const WORDS = 2;

export function createHeartbeat(): SharedArrayBuffer {
  return new SharedArrayBuffer(WORDS * BigInt64Array.BYTES_PER_ELEMENT);
}

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

export class HeartbeatReader {
  readonly #words: BigInt64Array;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new BigInt64Array(memory);
  }

  get silentMs(): number {
    return Number((process.hrtime.bigint() - Atomics.load(this.#words, BEAT)) / 1_000_000n);
  }

  get hasKey(): boolean {
    return Atomics.load(this.#words, KEY) === 1n;
  }
}
