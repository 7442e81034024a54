import type { Sha256 } from '../../crypto/crypto.js';
import { BLOCK_BYTES, createSha256Lanes, LANES, type Sha256Lanes } from '../../wasm/hashes/sha256-lanes.js';
import { copyHash, HASH_WORDS, wordsOfBytes } from './words.js';

const HASH_BYTES = HASH_WORDS * 4;
/** Maximum number of messages per hash call. */
const BATCH = 16 * LANES;
/** Longer values are hashed one by one, because Node's own function is then as fast. */
const MAX_VALUE_BLOCKS = 4;
/** SHA-256 padding: an end marker (0x80) and the 8-byte length in bits. */
const PADDING_BYTES = 9;
/** 0x00 ‖ key32 ‖ sha256(value) */
const LEAF_BYTES = 65;
const LEAF_BLOCKS = 2;

// Memory layout: digests of values, digests of leaves, the leaves' messages, and the values' messages by block count.
const LEAF_DIGESTS = BATCH * HASH_BYTES;
const LEAVES = 2 * BATCH * HASH_BYTES;
/** The first byte precedes a word boundary, so that key and hash are word-aligned. */
const LEAVES_KEY = LEAVES + 4;
const VALUES = LEAVES + (BATCH + 1) * LEAF_BLOCKS * BLOCK_BYTES;
const MEMORY_BYTES = VALUES + BATCH * BLOCK_BYTES * ((MAX_VALUE_BLOCKS * (MAX_VALUE_BLOCKS + 1)) / 2);

/** Messages with the same block count that wait to be hashed. */
interface Waiting {
  readonly blocks: number;
  /** Offset of the first message in the hasher's memory. */
  readonly at: number;
  /** Word offset of each message's entry. */
  readonly entries: Int32Array;
  count: number;
}

/**
 * Hashes leaves in batches: leaf = sha256(0x00 ‖ key32 ‖ sha256(value)). Handles one list of entries at a time.
 *
 * Hot path: guarded by bench/tree.bench.ts.
 */
export class LeafHasher {
  readonly #crypto: Sha256;
  readonly #lanes: Sha256Lanes;
  readonly #bytes: Uint8Array;
  readonly #words: Int32Array;
  readonly #values: readonly Waiting[];
  readonly #leaves = waitingAt(LEAVES_KEY - 1, LEAF_BLOCKS);
  #entries = new Int32Array(0);

  constructor(crypto: Sha256) {
    this.#crypto = crypto;
    this.#lanes = createSha256Lanes(MEMORY_BYTES);
    this.#bytes = new Uint8Array(this.#lanes.memory);
    this.#words = new Int32Array(this.#lanes.memory);
    this.#values = Array.from({ length: MAX_VALUE_BLOCKS }, (_, i) =>
      waitingAt(VALUES + BATCH * BLOCK_BYTES * ((i * (i + 1)) / 2), i + 1),
    );
    for (let i = 0; i < BATCH; i++) {
      this.#writeEnd(this.#leaves.at + i * LEAF_BLOCKS * BLOCK_BYTES, LEAF_BLOCKS, LEAF_BYTES);
    }
  }

  /** Starts another list; discards pending work on the previous one. */
  start(entries: Int32Array<ArrayBuffer>): void {
    this.#entries = entries;
    this.#leaves.count = 0;
    for (const waiting of this.#values) waiting.count = 0;
  }

  /** Queues the leaf hash of an entry, written at {@link finish} at the latest. @param at the entry's word offset */
  add(at: number, value: Uint8Array): void {
    const { length } = value;
    const waiting = this.#values[Math.ceil((length + PADDING_BYTES) / BLOCK_BYTES) - 1];
    if (waiting === undefined) {
      this.#addLeaf(at, wordsOfBytes(this.#crypto.sha256(value)), 0);
      return;
    }
    const { blocks } = waiting;
    const start = waiting.at + waiting.count * blocks * BLOCK_BYTES;
    this.#words.fill(0, (start + length) >> 2, (start + blocks * BLOCK_BYTES) >> 2);
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++) bytes[start + i] = value[i] as number;
    this.#writeEnd(start, blocks, length);
    waiting.entries[waiting.count++] = at;
    if (waiting.count === BATCH) this.#hashValues(waiting);
  }

  finish(): void {
    for (const waiting of this.#values) this.#hashValues(waiting);
    this.#hashLeaves();
  }

  #hashValues(waiting: Waiting): void {
    this.#hash(waiting, 0);
    for (let i = 0; i < waiting.count; i++) {
      this.#addLeaf(waiting.entries[i] as number, this.#words, i * HASH_WORDS);
    }
    waiting.count = 0;
  }

  /** @param digest word offset of the value's hash in `digests` */
  #addLeaf(at: number, digests: Int32Array, digest: number): void {
    const leaves = this.#leaves;
    const message = (LEAVES_KEY + leaves.count * LEAF_BLOCKS * BLOCK_BYTES) >> 2;
    copyHash(this.#entries, at, this.#words, message);
    copyHash(digests, digest, this.#words, message + HASH_WORDS);
    leaves.entries[leaves.count++] = at;
    if (leaves.count === BATCH) this.#hashLeaves();
  }

  #hashLeaves(): void {
    const leaves = this.#leaves;
    this.#hash(leaves, LEAF_DIGESTS);
    for (let i = 0; i < leaves.count; i++) {
      const digest = (LEAF_DIGESTS >> 2) + i * HASH_WORDS;
      copyHash(this.#words, digest, this.#entries, (leaves.entries[i] as number) + HASH_WORDS);
    }
    leaves.count = 0;
  }

  #hash({ at, blocks, count }: Waiting, output: number): void {
    this.#lanes.hash(at, blocks, output, Math.ceil(count / LANES));
  }

  #writeEnd(start: number, blocks: number, length: number): void {
    const end = start + blocks * BLOCK_BYTES;
    this.#bytes[start + length] = 0x80;
    this.#bytes[end - 2] = (length * 8) >> 8;
    this.#bytes[end - 1] = (length * 8) & 0xff;
  }
}

function waitingAt(at: number, blocks: number): Waiting {
  return { blocks, at, entries: new Int32Array(BATCH), count: 0 };
}
