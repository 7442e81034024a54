/*
 * Two 64-bit words that the main thread writes and front threads read:
 *
 *   BEAT   time of the main thread's last tick, in nanoseconds of `process.hrtime`, whose clock all threads share
 *   KEY    1 if the node holds its share of the group key, else 0
 */
const BEAT = 0;
const KEY = 1;
const WORDS = 2;

/** A sign of life of the main thread, which all threads see. */
export class Heartbeat {
  readonly memory: SharedArrayBuffer;
  readonly #words: BigInt64Array;

  /** @param memory of the main thread's heartbeat; new by default */
  constructor(memory = new SharedArrayBuffer(WORDS * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#words = new BigInt64Array(memory);
  }

  /** Called by the main thread. */
  beat(hasKey: boolean): void {
    Atomics.store(this.#words, KEY, hasKey ? 1n : 0n);
    Atomics.store(this.#words, BEAT, process.hrtime.bigint());
  }

  get silentMs(): number {
    return Number((process.hrtime.bigint() - Atomics.load(this.#words, BEAT)) / 1_000_000n);
  }

  get hasKey(): boolean {
    return Atomics.load(this.#words, KEY) === 1n;
  }
}
