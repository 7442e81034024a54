import type { Crypto } from '../crypto/crypto.js';
import type { InclusionProof } from '../generated/node-rpc-v1.js';
import type { BlockReader, StoredHeader } from '../ledger/block-store.js';
import { listLeaves, listPath } from './list-root.js';

/** Proves the transaction and the receipt at a place of a block under the roots of its header. */
export function inclusionProof(
  crypto: Crypto,
  reader: BlockReader,
  block: StoredHeader,
  index: number,
): InclusionProof {
  const { header } = block;
  const items = reader.encodedItems(header.height);
  const receipts = reader.receipts(header.height).map((stored) => stored.encoded);
  const item = items[index];
  const receipt = receipts[index];
  if (item === undefined || receipt === undefined) {
    throw new RangeError(`block ${header.height} has no transaction ${index}`);
  }
  return {
    header,
    item,
    item_index: index,
    item_path: listPath(crypto, listLeaves(crypto, items), items.length, index),
    item_count: items.length,
    receipt,
    receipt_index: index,
    receipt_path: listPath(crypto, listLeaves(crypto, receipts), receipts.length, index),
    receipt_count: receipts.length,
  };
}
