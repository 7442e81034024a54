import type { ReceiptLogs } from './receipt-logs.js';

/** With this many bits for each item and hash functions, one absent item in 120 seems present. */
const BITS_PER_ITEM = 10;
const HASHES = 7;

/** An item's place in an event: the contract, or a topic by position. */
const CONTRACT = 0;
const FIRST_TOPIC = 1;

/** Selects events by contracts (20 bytes each) and by alternatives per topic position (32 bytes each); see `LogQuery`. */
export interface EventSelection {
  readonly contracts?: readonly Uint8Array[] | undefined;
  readonly topics?: readonly (readonly Uint8Array[])[] | undefined;
}

/**
 * The contracts and topics of a block's events, as a Bloom filter (B. Bloom, "Space/time trade-offs in hash coding with
 * allowable errors", 1970). It tells for most selections that a block has no event for them.
 */
export class EventBloom {
  readonly #bits: Uint8Array;

  private constructor(bits: Uint8Array) {
    this.#bits = bits;
  }

  /** @param receipts the events of each receipt of the block */
  static of(receipts: readonly ReceiptLogs[]): EventBloom {
    const items = receipts.reduce((sum, receipt) => sum + receipt.items, 0);
    const bloom = new EventBloom(new Uint8Array(Math.ceil((items * BITS_PER_ITEM) / 8)));
    for (const receipt of receipts) {
      receipt.forEachItem((bytes, topic) =>
        bloom.#add(bytes, topic === undefined ? CONTRACT : FIRST_TOPIC + topic),
      );
    }
    return bloom;
  }

  /** @param text what {@link encode} returned */
  static decode(text: string): EventBloom {
    return new EventBloom(Buffer.from(text, 'base64'));
  }

  encode(): string {
    return Buffer.from(this.#bits).toString('base64');
  }

  /** Memory in bytes. */
  get size(): number {
    return this.#bits.length;
  }

  /** Returns false if no event of the block is selected; true may be wrong. */
  mayHave({ contracts = [], topics = [] }: EventSelection): boolean {
    if (this.#bits.length === 0) return false;
    if (contracts.length > 0 && !contracts.some((each) => this.#has(each, CONTRACT))) return false;
    return topics.every(
      (alternatives, position) =>
        alternatives.length === 0 || alternatives.some((topic) => this.#has(topic, FIRST_TOPIC + position)),
    );
  }

  #add(bytes: Uint8Array, place: number): void {
    for (const bit of this.#bitsOf(bytes, place)) {
      this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  #has(bytes: Uint8Array, place: number): boolean {
    return this.#bitsOf(bytes, place).every((bit) => ((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0);
  }

  #bitsOf(bytes: Uint8Array, place: number): number[] {
    const count = 8 * this.#bits.length;
    const first = hash(bytes, place);
    const step = hash(bytes, ~place) | 1;
    return Array.from({ length: HASHES }, (_, i) => ((first + i * step) >>> 0) % count);
  }
}

/** FNV-1a with the finalizer of MurmurHash3; unsigned. Items made to collide only cause the read that a match causes. */
function hash(bytes: Uint8Array, seed: number): number {
  let value = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1);
  for (let i = 0; i < bytes.length; i++) value = Math.imul(value ^ (bytes[i] as number), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
