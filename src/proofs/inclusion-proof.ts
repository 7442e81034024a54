import type { Hashes } from '../crypto/crypto.js';
import type { InclusionProof } from '../generated/node-rpc-v1.js';
import type { BlockReader, StoredHeader } from '../ledger/block-store.js';
import { ledger } from '../ledger/codecs.js';
import { listLeaves, listPath } from './list-root.js';

/**
 * Proves that a block contains the transaction or envelope at an index, and its receipt, under the roots of the
 * block's header. For an opening, the proved item is the key that opened the envelope, and the proof includes the
 * envelope.
 */
export function inclusionProof(
  crypto: Hashes,
  reader: BlockReader,
  block: StoredHeader,
  index: number,
): InclusionProof {
  const { header, keyCount, openingCount } = block;
  const items = reader.encodedItems(header.height);
  const stored = reader.receipts(header.height);
  const receipts = stored.map(({ encoded }) => encoded);
  const opening = stored[index]?.details.opening;
  const opened = opening && ledger.PendingEnvelope.decode(opening.pending).signed.envelope;
  const itemIndex =
    opened === undefined
      ? index - openingCount + keyCount
      : keyPlace(items.slice(0, keyCount), opened.header.opens_at);
  const item = items[itemIndex];
  const receipt = receipts[index];
  if (item === undefined || receipt === undefined) {
    throw new RangeError(`block ${header.height} has no transaction ${index}`);
  }
  return {
    header,
    item,
    item_index: itemIndex,
    item_path: listPath(crypto, listLeaves(crypto, items), items.length, itemIndex),
    item_count: items.length,
    receipt,
    receipt_index: index,
    receipt_path: listPath(crypto, listLeaves(crypto, receipts), receipts.length, index),
    receipt_count: receipts.length,
    ...(opened === undefined ? {} : { envelope: ledger.SealedEnvelope.encode(opened) }),
  };
}

/** Index of the key for a height among a block's keys, or -1 if there is none. */
function keyPlace(keys: readonly Uint8Array[], height: bigint): number {
  return keys.findIndex((key) => {
    const item = ledger.BlockItem.decode(key);
    return item.type === 'seal_key' && item.value.height === height;
  });
}
