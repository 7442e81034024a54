import { sameBytes } from '../base/same-bytes.js';
import { sha256 } from '../crypto/sha256.js';
import type { LedgerLog } from '../generated/ledger.js';
import { be64, readBe64 } from '../storage/big-endian.js';
import { latin1 } from '../storage/latin1.js';
import type { StoreReader } from '../storage/store.js';
import type { WriteBatch } from '../storage/write-batch.js';

/*
 * Index of the tokens that an address sent or received, according to the events of contracts:
 *
 *   by_holder   holder20 ‖ contract20 → be64(height of the contract's last transfer from or to the holder)
 *
 * Blocks are never removed, so that each block overwrites the entry without reading it.
 */

/** The first topic of `Transfer` in contracts/token/token.idl. */
export const TRANSFER_TOPIC: Uint8Array = sha256(Buffer.from('Token.Transfer(address,address,u128)'));

const ADDRESS_BYTES = 20;
/** An address in a topic follows zeros. */
const PADDING_BYTES = 32 - ADDRESS_BYTES;

/** A contract with the height of its last transfer from or to a holder. */
export interface HeldContract {
  /** 20 bytes. */
  readonly contract: Uint8Array;
  readonly lastHeight: bigint;
}

export function appendTokenHolders(
  batch: WriteBatch,
  height: bigint,
  events: readonly { readonly logs: readonly LedgerLog[] }[],
): void {
  const keys = new Map<string, Uint8Array>();
  for (const { logs } of events) {
    for (const { contract, topics } of logs) {
      const [first, from, to, more] = topics;
      if (first === undefined || from === undefined || to === undefined || more !== undefined) continue;
      if (!sameBytes(first, TRANSFER_TOPIC)) continue;
      for (const holder of [addressIn(from), addressIn(to)]) {
        if (holder === undefined) continue;
        const key = Buffer.allocUnsafe(2 * ADDRESS_BYTES);
        key.set(holder);
        key.set(contract, ADDRESS_BYTES);
        keys.set(latin1(key), key);
      }
    }
  }
  if (keys.size === 0) return;
  const value = be64(height);
  for (const key of keys.values()) batch.put('by_holder', key, value);
}

/** The address in a topic; undefined for the zero address, the other side of mints and burns, and for other values. */
function addressIn(topic: Uint8Array): Uint8Array | undefined {
  for (let at = 0; at < PADDING_BYTES; at++) if (topic[at] !== 0) return undefined;
  const address = topic.subarray(PADDING_BYTES);
  return address.some((byte) => byte !== 0) ? address : undefined;
}

/**
 * The contracts whose events say that a holder (20 bytes) sent or received their tokens, ascending by address.
 * @param after the contract before the first one
 */
export function* contractsOfHolder(
  store: StoreReader,
  holder: Uint8Array,
  after: Uint8Array | undefined,
  limit: number,
): IterableIterator<HeldContract> {
  // A key with another byte follows it, and precedes all others.
  const gte = after === undefined ? holder : Buffer.concat([holder, after, Buffer.of(0)]);
  const lt = Buffer.concat([holder, new Uint8Array(ADDRESS_BYTES).fill(0xff), Buffer.of(0)]);
  for (const [key, value] of store.scan('by_holder', { gte, lt, limit })) {
    yield { contract: key.subarray(ADDRESS_BYTES), lastHeight: readBe64(value, 0) };
  }
}
