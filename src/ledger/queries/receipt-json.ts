import type { LedgerReceipt } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import type { ContractInterfaces } from '../contract-interfaces.js';
import { type LogJsonCache, logsJson } from '../log-json.js';
import { checkedResponse } from '../response-limit.js';
import { rpcTypes } from '../rpc-codecs.js';
import { receiptView } from './receipt-view.js';
import type { IncludedTransaction } from './tx-summary.js';

const NO_LOGS = '"logs":[]';

/** What is at hand already. */
export interface ReceiptJsonInputs {
  readonly receipt?: LedgerReceipt;
  /** Where its logs are shown elsewhere too. */
  readonly written?: LogJsonCache;
}

/**
 * The JSON of a stored receipt. Its events are written one by one: the codec's own way costs as much as all the rest, and
 * has them all in memory first, decoded.
 * @throws ResponseTooLargeError
 */
export function receiptJson(
  included: IncludedTransaction,
  finalizedHeight: bigint,
  interfaces: ContractInterfaces,
  { receipt = included.receipt.receipt, written }: ReceiptJsonInputs = {},
): string {
  const { position, block } = included;
  const { encoded, details } = included.receipt;
  const view = receiptView(
    { ...included, receipt: { receipt: { ...receipt, logs: [] }, encoded, details } },
    finalizedHeight,
    interfaces,
  );
  const json = rpcTypes.Receipt.toJson(view);
  const { logs, tx_hash } = receipt;
  if (logs.length === 0) return checkedResponse(json);
  const where = `"height":${position.height},"block_hash":"${toHex(block.hash)}","tx_hash":"${toHex(tx_hash)}","tx_index":${position.index}`;
  const shown = logsJson(logs, where, (contract) => interfaces.at(contract, position.height), written);
  // After the events comes nothing but a boolean and a number.
  const at = json.lastIndexOf(NO_LOGS);
  return checkedResponse(`${json.slice(0, at)}"logs":${shown}${json.slice(at + NO_LOGS.length)}`);
}
