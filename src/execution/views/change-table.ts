/**
 * The heights of the last changes to parts of the state, shared by the thread that commits blocks and the workers
 * that cache values, so that a cached value stays valid across blocks that did not change it.
 *
 * The state's keys are divided into buckets by their first bits. Each bucket holds the greatest height at which any
 * of its keys changed; initially the height of the tip, because earlier changes are unknown. For heights c ≤ h, a
 * value read at c is still the value at h if its bucket holds at most c. That is true without a lock because:
 *
 * 1. Keys are hashes, and heights only grow: a bucket is never lowered, and one that is too high only costs a read.
 * 2. The committing thread marks a block's keys before it sends any task that names the height of that block or a
 *    later one as readable. A task sent by message makes earlier writes visible to the receiving thread, so a worker
 *    asked for height h sees every change up to h. It may also see changes of later blocks, which only cost a read
 *    (see 1).
 * 3. A bucket is one aligned word, read and written atomically.
 */
export class ChangeTable {
  readonly #buckets: Uint32Array;

  private constructor(buckets: Uint32Array) {
    this.#buckets = buckets;
  }

  /** @param height of the tip */
  static create(height: number): ChangeTable {
    const buckets = new Uint32Array(new SharedArrayBuffer(4 * BUCKETS));
    return new ChangeTable(buckets.fill(inRange(height)));
  }

  /** Attaches to the table that another thread created. */
  static attach(shared: SharedArrayBuffer): ChangeTable {
    return new ChangeTable(new Uint32Array(shared));
  }

  /** The memory to send to workers. */
  get shared(): SharedArrayBuffer {
    const { buffer } = this.#buckets;
    if (buffer instanceof SharedArrayBuffer) return buffer;
    throw new TypeError('the table of changes is not in shared memory');
  }

  /** Records that a key, 32 bytes, changed at a height. Only for the committing thread. */
  mark(key: Uint8Array, height: number): void {
    Atomics.store(this.#buckets, bucketOf(key), inRange(height));
  }

  /** Returns the greatest height at which the bucket is known to have changed. */
  lastChange(bucket: number): number {
    return Atomics.load(this.#buckets, bucket);
  }
}

const BUCKETS = 1 << 18;

export function bucketOf(key: Uint8Array): number {
  return (((key[0] ?? 0) << 10) | ((key[1] ?? 0) << 2) | ((key[2] ?? 0) >> 6)) & (BUCKETS - 1);
}

/** Caps heights at a bucket's maximum, some 34 years at four blocks per second. Later changes go unnoticed. */
function inRange(height: number): number {
  return Math.min(height, 0xffff_ffff);
}
