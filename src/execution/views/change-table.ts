/**
 * When the parts of the state changed last, shared by the thread that commits blocks and the workers that keep values of
 * it, so that what a worker keeps stays good over blocks that did not touch it.
 *
 * The state's keys are spread over buckets by their first bits. Each bucket holds the greatest height at which any of its
 * keys changed; at the start, the height of the tip, since nothing is known of what changed before. Then, for heights
 * c ≤ h, a value read at c is the value at h if its bucket says at most c. That holds without a lock because:
 *
 * 1. Keys are hashes, and heights only grow: a bucket is never lowered, and one that says too much only costs a read.
 * 2. The committing thread marks a block's keys before it hands out any task that names that block's height or a later
 *    one as readable, and handing out a task by message makes what came before visible to the thread that gets it. A
 *    worker asked for height h thus sees every change up to h. What it may also see of later blocks falls under 1.
 * 3. A bucket is one aligned word, read and written whole.
 */
export class ChangeTable {
  readonly #buckets: Uint32Array;

  private constructor(buckets: Uint32Array) {
    this.#buckets = buckets;
  }

  /** @param height the tip's */
  static create(height: number): ChangeTable {
    const buckets = new Uint32Array(new SharedArrayBuffer(4 * BUCKETS));
    return new ChangeTable(buckets.fill(inRange(height)));
  }

  /** The table that another thread created. */
  static attach(shared: SharedArrayBuffer): ChangeTable {
    return new ChangeTable(new Uint32Array(shared));
  }

  /** What crosses to workers. */
  get shared(): SharedArrayBuffer {
    const { buffer } = this.#buckets;
    if (buffer instanceof SharedArrayBuffer) return buffer;
    throw new TypeError('the table of changes is not in shared memory');
  }

  /** Notes that a key, 32 bytes, changed at a height. Only the committing thread does. */
  mark(key: Uint8Array, height: number): void {
    Atomics.store(this.#buckets, bucketOf(key), inRange(height));
  }

  /** The greatest height at which the bucket is known to have changed. */
  lastChange(bucket: number): number {
    return Atomics.load(this.#buckets, bucket);
  }
}

const BUCKETS = 1 << 18;

/** The bucket of a key, 32 bytes. */
export function bucketOf(key: Uint8Array): number {
  return (((key[0] ?? 0) << 10) | ((key[1] ?? 0) << 2) | ((key[2] ?? 0) >> 6)) & (BUCKETS - 1);
}

/** Heights beyond what a bucket holds, after 34 years of four blocks a second, all count as changes still to come. */
function inRange(height: number): number {
  return Math.min(height, 0xffff_ffff);
}
