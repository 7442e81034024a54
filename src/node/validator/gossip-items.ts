import type { Crypto } from '../../crypto/crypto.js';
import type { GossipItem } from '../../generated/mesh.js';
import {
  envelopeFromEncoded,
  type TransactionEnvelope,
  transactionFromEncoded,
  type VerifiedTransaction,
} from '../../ledger/transaction-envelope.js';
import { type BundleEnvelope, bundleOf } from '../../mempool/bundles/bundle.js';
import { bundleBytes } from '../../mempool/bundles/waiting-bundle.js';
import type { PoolShare } from '../../mempool/eviction-policy.js';

/** Limits of one frame, in transactions and in bytes, except for a single larger bundle; the mesh's own are higher. */
const MAX_TRANSACTIONS = 4_096;
const MAX_BYTES = 512 * 1024;
/** Encoded size of an item or of a bundle's transaction in addition to its bytes, at most. */
const OVERHEAD_BYTES = 5;

/** What validators send one another: a transaction, or a bundle as a whole. */
export type Gossiped<T extends TransactionEnvelope = TransactionEnvelope> =
  | { readonly type: 'transaction'; readonly value: T }
  | { readonly type: 'bundle'; readonly value: BundleEnvelope<T> };

export function transactionsIn(item: GossipItem): number {
  return item.type === 'bundle' ? item.value.transactions.length : 1;
}

/** @throws BorshError */
export function decodeItem(item: GossipItem, crypto: Crypto): Gossiped {
  switch (item.type) {
    case 'transaction':
      return { type: 'transaction', value: transactionFromEncoded(item.value, crypto) };
    case 'sealed':
      return { type: 'transaction', value: envelopeFromEncoded(item.value, crypto) };
    case 'bundle': {
      const { transactions, max_height: maxHeight } = item.value;
      const decoded = transactions.map((encoded) => transactionFromEncoded(encoded, crypto));
      return { type: 'bundle', value: bundleOf(decoded, maxHeight, crypto) };
    }
  }
}

/** Splits transactions and bundles into as few frames as possible. */
export function* inFrames(
  all: readonly Gossiped<VerifiedTransaction>[],
): IterableIterator<readonly GossipItem[]> {
  let items: GossipItem[] = [];
  let [transactions, bytes] = [0, 0];
  for (const one of all) {
    const size = sizeOf(one);
    const isFull = transactions + size.transactions > MAX_TRANSACTIONS || bytes + size.bytes > MAX_BYTES;
    if (items.length > 0 && isFull) {
      yield items;
      items = [];
      [transactions, bytes] = [0, 0];
    }
    items.push(encodeItem(one));
    transactions += size.transactions;
    bytes += size.bytes;
  }
  if (items.length > 0) yield items;
}

function sizeOf(one: Gossiped<VerifiedTransaction>): PoolShare {
  if (one.type === 'transaction')
    return { transactions: 1, bytes: one.value.encoded.length + OVERHEAD_BYTES };
  const { transactions } = one.value;
  const { length } = transactions;
  return { transactions: length, bytes: bundleBytes(transactions) + length * OVERHEAD_BYTES };
}

function encodeItem(one: Gossiped<VerifiedTransaction>): GossipItem {
  if (one.type === 'bundle') {
    const { transactions, maxHeight } = one.value;
    const value = { transactions: transactions.map(({ encoded }) => encoded) };
    return { type: 'bundle', value: maxHeight === undefined ? value : { ...value, max_height: maxHeight } };
  }
  const { encoded, signed } = one.value;
  const isSealed = signed.transaction.action.type === 'sealed';
  return { type: isSealed ? 'sealed' : 'transaction', value: encoded };
}
