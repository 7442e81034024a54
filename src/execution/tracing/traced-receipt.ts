import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import type { ContractInterfaces } from '../../ledger/contract-interfaces.js';
import { logsJson } from '../../ledger/log-json.js';
import { receiptView } from '../../ledger/queries/receipt-view.js';
import type { IncludedTransaction } from '../../ledger/queries/tx-summary.js';
import { rpcTypes } from '../../ledger/rpc-codecs.js';
import type { TransactionOutcome } from '../execute-transaction.js';

const NO_LOGS = '"logs":[]';

/** The JSON of a stored receipt. The codec's own way to write events costs as much as all the rest. */
export function receiptJson(
  included: IncludedTransaction,
  finalizedHeight: bigint,
  interfaces: ContractInterfaces,
): string {
  const { place, block, receipt: stored } = included;
  const { receipt } = stored;
  const view = receiptView(
    { ...included, receipt: { ...stored, receipt: { ...receipt, logs: [] } } },
    finalizedHeight,
    interfaces,
  );
  const json = rpcTypes.Receipt.toJson(view);
  if (receipt.logs.length === 0) return json;
  const where = `"height":${place.height},"block_hash":"${toHex(block.hash)}","tx_hash":"${toHex(receipt.tx_hash)}","tx_index":${place.index}`;
  const logs = logsJson(receipt.logs, where, (contract) => interfaces.at(contract, place.height));
  // After the events comes nothing but a boolean.
  const at = json.lastIndexOf(NO_LOGS);
  return `${json.slice(0, at)}"logs":${logs}${json.slice(at + NO_LOGS.length)}`;
}

/** The execution of a stored transaction must come to what it came to in its block. @throws Error */
export function expectReceipt(
  { place, receipt: stored }: IncludedTransaction,
  executed: TransactionOutcome,
): void {
  const { outcome, gasUsed, fee, contract, output, logs } = executed;
  const encoded = ledger.LedgerReceipt.encode({
    tx_hash: stored.receipt.tx_hash,
    outcome: { type: outcome },
    gas_used: gasUsed,
    fee,
    ...(contract === undefined ? {} : { contract }),
    output,
    logs,
  });
  if (Buffer.compare(encoded, stored.encoded) === 0) return;
  const was = stored.receipt;
  throw new Error(
    `executing transaction ${place.index} of block ${place.height} again comes to ${outcome} for ${gasUsed} gas with ${logs.length} events; its receipt says ${was.outcome.type} for ${was.gas_used} gas with ${was.logs.length} events${
      outcome === was.outcome.type && gasUsed === was.gas_used ? ', and they differ in their contents' : ''
    }: this node is broken`,
  );
}
