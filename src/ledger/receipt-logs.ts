import { LRUCache } from 'lru-cache';
import type { LedgerLog, LedgerReceipt } from '../generated/ledger.js';
import { ledger } from './codecs.js';

/** Offset of `contract` in borsh(LedgerReceipt), after tx_hash, outcome, gas_used and fee. */
const CONTRACT_AT = 32 + 1 + 8 + 16;
const ADDRESS_BYTES = 20;
const TOPIC_BYTES = 32;

/** The place of `output`, which begins with its length. */
function outputAt(encoded: Uint8Array): number {
  return CONTRACT_AT + 1 + (encoded[CONTRACT_AT] === 1 ? ADDRESS_BYTES : 0);
}

/** A receipt, borsh(LedgerReceipt), without its events; `output` is a view into the given bytes. */
export function receiptHead(encoded: Uint8Array): Omit<LedgerReceipt, 'logs'> {
  const at = outputAt(encoded);
  // An empty output and no events, 4 bytes each, end the shortened receipt.
  const shortened = new Uint8Array(at + 8);
  shortened.set(encoded.subarray(0, at));
  const { logs: _, ...head } = ledger.LedgerReceipt.decode(shortened);
  const length = new DataView(encoded.buffer, encoded.byteOffset + at, 4).getUint32(0, true);
  return { ...head, output: encoded.subarray(at + 4, at + 4 + length) };
}

/** The events of an encoded receipt, read in place: of tens of thousands, a page shows a few hundred. */
export class ReceiptLogs {
  /** 32 bytes. */
  readonly txHash: Uint8Array;
  readonly #encoded: Uint8Array;
  readonly #view: DataView;
  /** The offset of each event, and the end of the last one. */
  readonly #offsets: Uint32Array;

  /** @param encoded borsh(LedgerReceipt) */
  constructor(encoded: Uint8Array) {
    const view = new DataView(encoded.buffer, encoded.byteOffset, encoded.byteLength);
    let at = outputAt(encoded);
    at += 4 + view.getUint32(at, true);
    const count = view.getUint32(at, true);
    at += 4;
    this.#offsets = new Uint32Array(count + 1);
    for (let index = 0; index < count; index++) {
      this.#offsets[index] = at;
      at += ADDRESS_BYTES + 4 + TOPIC_BYTES * view.getUint32(at + ADDRESS_BYTES, true);
      at += 4 + view.getUint32(at, true);
    }
    this.#offsets[count] = at;
    this.#encoded = encoded;
    this.#view = view;
    this.txHash = encoded.subarray(0, 32);
  }

  get count(): number {
    return this.#offsets.length - 1;
  }

  /** Bytes that this object keeps alive: receipts are views into the pack that was read. */
  get memory(): number {
    return this.#encoded.buffer.byteLength + this.#offsets.byteLength;
  }

  /** Number of contracts and topics in the events, counted each time. */
  get items(): number {
    let items = 0;
    for (let index = 0; index < this.count; index++) items += 1 + this.#topicsOf(index);
    return items;
  }

  /** Visits the contract (20 bytes) of each event and its topics (32 bytes each), as views, with their positions. */
  forEachItem(visit: (bytes: Uint8Array, topic: number | undefined) => void): void {
    for (let index = 0; index < this.count; index++) {
      const at = this.#offsets[index] ?? 0;
      visit(this.#encoded.subarray(at, at + ADDRESS_BYTES), undefined);
      const count = this.#topicsOf(index);
      for (let topic = 0; topic < count; topic++) {
        const topicAt = at + ADDRESS_BYTES + 4 + TOPIC_BYTES * topic;
        visit(this.#encoded.subarray(topicAt, topicAt + TOPIC_BYTES), topic);
      }
    }
  }

  /** @returns undefined if there are fewer events */
  at(index: number): LedgerLog | undefined {
    const end = this.#offsets[index + 1];
    return end === undefined
      ? undefined
      : ledger.LedgerLog.decode(this.#encoded.subarray(this.#offsets[index], end));
  }

  /**
   * Returns true if an event has one of the contracts (20 bytes each), and at each position one of the topics (32
   * bytes each); an empty list matches any.
   */
  matches(
    index: number,
    contracts: readonly Uint8Array[],
    topics: readonly (readonly Uint8Array[])[],
  ): boolean {
    const at = this.#offsets[index] ?? 0;
    if (contracts.length > 0 && !contracts.some((each) => this.#has(each, at))) return false;
    const count = this.#topicsOf(index);
    return topics.every((alternatives, position) => {
      if (alternatives.length === 0) return true;
      const topicAt = at + ADDRESS_BYTES + 4 + TOPIC_BYTES * position;
      return position < count && alternatives.some((each) => this.#has(each, topicAt));
    });
  }

  #topicsOf(index: number): number {
    return this.#view.getUint32((this.#offsets[index] ?? 0) + ADDRESS_BYTES, true);
  }

  #has(bytes: Uint8Array, at: number): boolean {
    for (let i = 0; i < bytes.length; i++) if (this.#encoded[at + i] !== bytes[i]) return false;
    return true;
  }
}

/** Maximum memory of kept receipts, in bytes. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024;
/** Receipts with fewer events take less time to read again than a page of their events takes to write. */
const MIN_EVENTS = 512;

/** The receipts with many events that were read last: each page of each log filter needs them again. One per thread. */
export class RecentReceiptLogs {
  readonly #kept = new LRUCache<string, ReceiptLogs>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ memory }) => memory,
  });

  /** @param place the block's hash, as blocks of one height may replace each other, and the transaction's index */
  at(place: string, read: () => ReceiptLogs | undefined): ReceiptLogs | undefined {
    const kept = this.#kept.get(place);
    if (kept !== undefined) return kept;
    const logs = read();
    if (logs !== undefined && logs.count >= MIN_EVENTS) this.#kept.set(place, logs);
    return logs;
  }
}
