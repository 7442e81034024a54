import { checkedAnswer } from '../../base/answer-limit.js';
import type { LedgerLog, LedgerReceipt } from '../../generated/ledger.js';
import type { Log, Receipt } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import type { JsonValue } from '../../idl/json-value.js';
import { decodeEvent, decodeOutput } from '../contract-decoding.js';
import type { ContractInterfaces } from '../contract-interfaces.js';
import { performedAction } from '../dev-controls.js';
import { type LogJsonCache, logsJson } from '../log-json.js';
import type { TransactionPosition } from '../position-index.js';
import { rpcTypes } from '../rpc-codecs.js';
import { execStatus } from '../stored-receipt.js';
import type { CandidateAction } from '../transaction-envelope.js';
import { interfacesOf } from './action-interfaces.js';
import { type IncludedTransaction, openingHeight } from './tx-summary.js';

const NO_LOGS = '"logs":[]';

/** Inputs that a caller may already have. */
export interface ReceiptJsonInputs {
  readonly receipt?: LedgerReceipt;
  /** Cache of logs that the response shows twice. */
  readonly written?: LogJsonCache;
}

/**
 * JSON of a stored receipt. Events are written one at a time: the codec would hold all of them decoded in memory, and
 * costs as much as all the rest. @throws AnswerTooLongError
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

/** A receipt as shown by the API. Blocks up to `finalizedHeight` are final. */
export function receiptView(
  included: IncludedTransaction,
  finalizedHeight: bigint,
  interfaces: ContractInterfaces,
): Receipt {
  const { position, block, signed, receipt: stored } = included;
  const { transaction } = signed;
  const { receipt } = stored;
  const decoded = decodedOutput(included, interfaces);
  const opens_at = openingHeight(included);
  return {
    tx_hash: receipt.tx_hash,
    height: position.height,
    block_hash: block.hash,
    index: position.index,
    sender: transaction.sender,
    lane: transaction.lane,
    nonce: transaction.nonce,
    status: execStatus(receipt, stored.details, () =>
      interfacesOf(performedAction(transaction), stored.details, receipt.output, position.height, interfaces),
    ),
    gas_used: receipt.gas_used,
    fee: receipt.fee,
    ...(receipt.contract === undefined ? {} : { contract: receipt.contract }),
    output: receipt.output,
    ...(decoded === undefined ? {} : { decoded }),
    logs: receipt.logs.map((log, index) =>
      logView(log, { position, blockHash: block.hash, txHash: receipt.tx_hash, index }, interfaces),
    ),
    finalized: position.height <= finalizedHeight,
    ...(opens_at === undefined ? {} : { opens_at }),
  };
}

/** The result of a call, or of a batch's last call. */
function decodedOutput(
  { position, signed, receipt: { receipt } }: IncludedTransaction,
  interfaces: ContractInterfaces,
): JsonValue | undefined {
  if (receipt.outcome.type !== 'success') return undefined;
  const call = lastCall(performedAction(signed.transaction));
  return call && decodeOutput(interfaces.at(call.contract, position.height), call.input, receipt.output);
}

/** The call whose output is that of the transaction. */
export function lastCall(action: CandidateAction) {
  if (action.type === 'call') return action.value;
  return action.type === 'batch' ? action.value.at(-1) : undefined;
}

export interface LogOrigin {
  readonly position: TransactionPosition;
  readonly blockHash: Uint8Array;
  readonly txHash: Uint8Array;
  /** Index among the transaction's events. */
  readonly index: number;
}

/** An event as shown by the API, decoded with its contract's interface at that height. */
export function logView(
  log: LedgerLog,
  { position, blockHash, txHash, index }: LogOrigin,
  interfaces: ContractInterfaces,
): Log {
  const event = decodeEvent(interfaces.at(log.contract, position.height), log);
  return {
    contract: log.contract,
    topics: log.topics,
    data: log.data,
    height: position.height,
    block_hash: blockHash,
    tx_hash: txHash,
    tx_index: position.index,
    log_index: index,
    ...(event === undefined ? {} : { event }),
  };
}
