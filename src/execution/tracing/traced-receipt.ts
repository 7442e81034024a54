import type { LedgerReceipt } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import { logsJson, type WrittenLogs } from '../../ledger/log-json.js';
import { receiptView } from '../../ledger/queries/receipt-view.js';
import type { IncludedTransaction } from '../../ledger/queries/tx-summary.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { TransactionOutcome } from '../execute-transaction.js';

const NO_LOGS = '"logs":[]';

/**
 * The JSON of a stored receipt. The codec's own way to write events costs as much as all the rest.
 * @param receipt as the execution that was traced made it, the same as the stored one
 */
export function receiptJson(
  included: IncludedTransaction,
  receipt: LedgerReceipt,
  finalizedHeight: bigint,
  interfaces: ContractInterfaces,
  written: WrittenLogs,
): string {
  const { place, block } = included;
  const { encoded, details } = included.receipt;
  const view = receiptView(
    { ...included, receipt: { receipt: { ...receipt, logs: [] }, encoded, details } },
    finalizedHeight,
    interfaces,
  );
  const json = rpcTypes.Receipt.toJson(view);
  const { logs, tx_hash } = receipt;
  if (logs.length === 0) return json;
  const where = `"height":${place.height},"block_hash":"${toHex(block.hash)}","tx_hash":"${toHex(tx_hash)}","tx_index":${place.index}`;
  const shown = logsJson(logs, where, (contract) => interfaces.at(contract, place.height), written);
  // After the events comes nothing but a boolean.
  const at = json.lastIndexOf(NO_LOGS);
  return `${json.slice(0, at)}"logs":${shown}${json.slice(at + NO_LOGS.length)}`;
}

/**
 * The receipt of an executed transaction, which must be what is stored of it.
 * @param hash of the transaction
 * @throws Error where it is another
 */
export function expectReceipt(
  { place, receipt: stored }: IncludedTransaction,
  hash: Uint8Array,
  executed: TransactionOutcome,
): LedgerReceipt {
  const { outcome, gasUsed, fee, contract, output, logs } = executed;
  const receipt: LedgerReceipt = {
    tx_hash: hash,
    outcome: { type: outcome },
    gas_used: gasUsed,
    fee,
    ...(contract === undefined ? {} : { contract }),
    output,
    logs,
  };
  if (Buffer.compare(ledger.LedgerReceipt.encode(receipt), stored.encoded) === 0) return receipt;
  const was = stored.receipt;
  throw new Error(
    `executing transaction ${place.index} of block ${place.height} again comes to ${outcome} for ${gasUsed} gas with ${logs.length} events; its receipt says ${was.outcome.type} for ${was.gas_used} gas with ${was.logs.length} events${
      outcome === was.outcome.type && gasUsed === was.gas_used ? ', and they differ in their contents' : ''
    }: this node is broken`,
  );
}
