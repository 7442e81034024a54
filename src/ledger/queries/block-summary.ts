import type { BlockSummary } from '../../generated/node-rpc-v1.js';
import type { StoredHeader } from '../block-store.js';

/** A block's summary. Blocks up to `finalizedHeight` are final. */
export function blockSummary(
  { header, hash, receiptCount }: StoredHeader,
  finalizedHeight: bigint,
): BlockSummary {
  return {
    height: header.height,
    hash,
    parent_hash: header.parent_hash,
    timestamp_ms: header.timestamp_ms,
    proposer: header.proposer,
    epoch: header.epoch,
    view: header.view,
    tx_count: receiptCount,
    gas_used: header.gas_used,
    gas_limit: header.gas_limit,
    base_fee: header.base_fee,
    state_root: header.state_root,
    finalized: header.height <= finalizedHeight,
  };
}
