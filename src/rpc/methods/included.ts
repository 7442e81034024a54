import type { CommittedChain } from '../../chain/committed-chain.js';
import type { SignedTransaction } from '../../generated/ledger.js';
import type { TxStatus } from '../../generated/node-rpc-v1.js';
import type { BlockReader } from '../../ledger/block-store.js';
import { isOpen } from '../../ledger/transaction-envelope.js';

/** The status of a transaction that is in a committed block; undefined for any other. */
export function includedStatus(
  blocks: BlockReader,
  { finalizedHeight }: Pick<CommittedChain, 'finalizedHeight'>,
  hash: Uint8Array,
): TxStatus | undefined {
  const place = blocks.positionOf(hash);
  const block = place === undefined ? undefined : blocks.header(place.height);
  if (place === undefined || block === undefined) return undefined;
  const { height, index } = place;
  const finalized = height <= finalizedHeight;
  return { type: 'included', value: { height, block_hash: block.hash, index, finalized } };
}

/** A transaction that is in a block; undefined if it is sealed or in no block. */
export function includedTransaction(blocks: BlockReader, hash: Uint8Array): SignedTransaction | undefined {
  const place = blocks.positionOf(hash);
  const signed = place === undefined ? undefined : blocks.candidate(place);
  return signed === undefined || !isOpen(signed) ? undefined : signed;
}
