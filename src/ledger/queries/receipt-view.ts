import type { Receipt } from '../../generated/node-rpc-v1.js';
import type { JsonValue } from '../../idl/json-value.js';
import { decodeOutput } from '../contract-decoding.js';
import type { ContractInterfaces } from '../contract-interfaces.js';
import { performedAction } from '../dev-controls.js';
import { execStatus } from '../stored-receipt.js';
import type { CandidateAction } from '../transaction-envelope.js';
import { interfacesOf } from './action-interfaces.js';
import { logView } from './log-view.js';
import { type IncludedTransaction, openingHeight } from './tx-summary.js';

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
