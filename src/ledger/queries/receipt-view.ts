import type { Receipt } from '../../generated/node-rpc-v1.js';
import { execStatus } from '../stored-receipt.js';
import type { IncludedTransaction } from './tx-summary.js';

/** The receipt as the API shows it. `finalizedHeight` is the height up to which blocks are final. */
export function receiptView(included: IncludedTransaction, finalizedHeight: bigint): Receipt {
  const { place, block, signed, receipt: stored } = included;
  const { transaction } = signed;
  const { receipt } = stored;
  return {
    tx_hash: receipt.tx_hash,
    height: place.height,
    block_hash: block.hash,
    index: place.index,
    sender: transaction.sender,
    lane: transaction.lane,
    nonce: transaction.nonce,
    status: execStatus(stored),
    gas_used: receipt.gas_used,
    fee: receipt.fee,
    ...(receipt.contract === undefined ? {} : { contract: receipt.contract }),
    output: receipt.output,
    logs: receipt.logs.map((log, log_index) => ({
      contract: log.contract,
      topics: log.topics,
      data: log.data,
      height: place.height,
      block_hash: block.hash,
      tx_hash: receipt.tx_hash,
      tx_index: place.index,
      log_index,
    })),
    finalized: place.height <= finalizedHeight,
  };
}
