import { checkedAnswer } from '../../base/answer-limit.js';
import type { LedgerReceipt } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import type { ContractInterfaces } from '../contract-interfaces.js';
import { type LogJsonCache, logsJson } from '../log-json.js';
import { rpcTypes } from '../rpc-codecs.js';
import { receiptView } from './receipt-view.js';
import type { IncludedTransaction } from './tx-summary.js';

const NO_LOGS = '"logs":[]';

/** Inputs that a caller may already have. */
export interface ReceiptJsonInputs {
  readonly receipt?: LedgerReceipt;
  /** Cache of logs that the response shows twice. */
  readonly written?: LogJsonCache;
}

/**
 * JSON of a stored receipt. Events are written one at a time: the codec would hold all of them decoded in memory, and
 * costs as much as all the rest.
 * @throws AnswerTooLongError
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
    { ...included, receipt: { receipt: { ...receipt, logs: [] }, head: receipt, encoded, details } },
    finalizedHeight,
    interfaces,
  );
  const json = rpcTypes.Receipt.toJson(view);
  const { logs, tx_hash } = receipt;
  if (logs.length === 0) return checkedAnswer(json);
  const where = `"height":${position.height},"block_hash":"${toHex(block.hash)}","tx_hash":"${toHex(tx_hash)}","tx_index":${position.index}`;
  const shown = logsJson(logs, where, (contract) => interfaces.at(contract, position.height), written);
  // Only a boolean and a number follow the events.
  const at = json.lastIndexOf(NO_LOGS);
  return checkedAnswer(`${json.slice(0, at)}"logs":${shown}${json.slice(at + NO_LOGS.length)}`);
}
