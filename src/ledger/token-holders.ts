import type { LedgerLog } from '../generated/ledger.js';
import { be64, readBe64 } from '../storage/big-endian.js';
import { latin1 } from '../storage/latin1.js';
import type { StoreReader } from '../storage/store.js';
import type { WriteBatch } from '../storage/write-batch.js';

/*
 * Index of the events that may say that an address sent or received tokens: those with two indexed addresses and 16 bytes of
 * data.
 *
 *   by_holder   holder20 ‖ contract20 ‖ the first 8 bytes of topic 0 → be64(height of the contract's last such event)
 *
 * Only the interface of a contract tells which event is the transfer. Strangers write interfaces, so listings compile them and
 * blocks never do. Blocks are never removed, so that each block overwrites the entry without reading it.
 */

const ADDRESS_BYTES = 20;
/** An address in a topic follows zeros. */
const PADDING_BYTES = 32 - ADDRESS_BYTES;
const AMOUNT_BYTES = 16;
/** First bytes of a topic in a key. */
const TOPIC_BYTES = 8;
/** Follows all topics of a contract. */
const AFTER_TOPICS = new Uint8Array(TOPIC_BYTES + 1).fill(0xff);

export function appendTokenHolders(
  batch: WriteBatch,
  height: bigint,
  events: readonly { readonly logs: readonly LedgerLog[] }[],
): void {
  const keys = new Map<string, Uint8Array>();
  for (const { logs } of events) {
    for (const { contract, topics, data } of logs) {
      const [first, second, third, more] = topics;
      if (first === undefined || second === undefined || third === undefined || more !== undefined) continue;
      if (data.length !== AMOUNT_BYTES || !isAddress(second) || !isAddress(third)) continue;
      for (const side of [second, third]) {
        const holder = side.subarray(PADDING_BYTES);
        // The other side of mints and burns.
        if (isZero(holder)) continue;
        const key = holderKey(holder, contract, first);
        keys.set(latin1(key), key);
      }
    }
  }
  if (keys.size === 0) return;
  const value = be64(height);
  for (const key of keys.values()) batch.put('by_holder', key, value);
}

function holderKey(holder: Uint8Array, contract: Uint8Array, topic: Uint8Array): Uint8Array {
  const key = Buffer.allocUnsafe(2 * ADDRESS_BYTES + TOPIC_BYTES);
  key.set(holder);
  key.set(contract, ADDRESS_BYTES);
  key.set(topic.subarray(0, TOPIC_BYTES), 2 * ADDRESS_BYTES);
  return key;
}

function isAddress(topic: Uint8Array): boolean {
  return isZero(topic.subarray(0, PADDING_BYTES));
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/**
 * The next contract, ascending by address, with an event of {@link appendTokenHolders} about a holder (20 bytes); one
 * lookup, however many such events it has. @param after the contract before, if any
 */
export function nextContractOfHolder(
  store: StoreReader,
  holder: Uint8Array,
  after: Uint8Array | undefined,
): Uint8Array | undefined {
  const gte = after === undefined ? holder : Buffer.concat([holder, after, AFTER_TOPICS]);
  const lt = Buffer.concat([holder, new Uint8Array(ADDRESS_BYTES).fill(0xff), AFTER_TOPICS]);
  for (const [key] of store.scan('by_holder', { gte, lt, limit: 1 })) {
    return key.subarray(ADDRESS_BYTES, 2 * ADDRESS_BYTES);
  }
  return undefined;
}

/** The height of a contract's last event about a holder whose topic 0 has the same first 8 bytes, if any. */
export function lastHeightOf(
  store: StoreReader,
  holder: Uint8Array,
  contract: Uint8Array,
  topic: Uint8Array,
): bigint | undefined {
  const value = store.get('by_holder', holderKey(holder, contract, topic));
  return value === undefined ? undefined : readBe64(value, 0);
}
