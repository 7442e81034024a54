import type { ActionKind, TxSummary } from '../../generated/node-rpc-v1.js';
import { actionValue, recipient } from '../action-facts.js';
import type { BlockReader, StoredHeader } from '../block-store.js';
import { ledger } from '../codecs.js';
import type { ContractInterfaces } from '../contract-interfaces.js';
import type { TransactionPosition } from '../position-index.js';
import { execStatus, type StoredReceipt } from '../stored-receipt.js';
import { type CandidateAction, opensAt, type SignedCandidate } from '../transaction-envelope.js';
import { interfacesOf } from './action-interfaces.js';

export interface IncludedTransaction {
  readonly position: TransactionPosition;
  readonly block: StoredHeader;
  readonly signed: SignedCandidate;
  readonly receipt: StoredReceipt;
}

/** Reads the included transactions at given positions; consecutive positions in a block share one header read. */
export function* readIncluded(
  reader: BlockReader,
  places: Iterable<TransactionPosition>,
): IterableIterator<IncludedTransaction> {
  let block: StoredHeader | undefined;
  for (const position of places) {
    if (block?.header.height !== position.height) block = reader.header(position.height);
    const signed = reader.candidate(position);
    const receipt = reader.receipt(position);
    if (block === undefined || signed === undefined || receipt === undefined) {
      throw new Error(`block ${position.height}: transaction ${position.index} is indexed but not stored`);
    }
    yield { position, block, signed, receipt };
  }
}

/** The height whose key opens, or opened, a sealed transaction; undefined for others. */
export function openingHeight({ signed, receipt }: IncludedTransaction): bigint | undefined {
  const { opening } = receipt.details;
  if (opening === undefined) return opensAt(signed.transaction);
  return ledger.PendingEnvelope.decode(opening.pending).signed.envelope.header.opens_at;
}

export function txSummary(included: IncludedTransaction, interfaces: ContractInterfaces): TxSummary {
  const { position, block, signed, receipt } = included;
  const opens_at = openingHeight(included);
  const { head, details } = receipt;
  const { transaction } = signed;
  const { action } = transaction;
  const to = recipient(action);
  const method =
    action.type === 'call'
      ? interfaces.functionName(action.value.contract, position.height, action.value.input)
      : undefined;
  return {
    tx_hash: head.tx_hash,
    height: position.height,
    block_hash: block.hash,
    index: position.index,
    timestamp_ms: block.header.timestamp_ms,
    sender: transaction.sender,
    lane: transaction.lane,
    nonce: transaction.nonce,
    kind: actionKind(action),
    ...(to === undefined ? {} : { to }),
    value: actionValue(action),
    ...(method === undefined ? {} : { method }),
    status: execStatus(head, details, () =>
      interfacesOf(action, details, head.output, position.height, interfaces),
    ),
    gas_used: head.gas_used,
    fee: head.fee,
    ...(opens_at === undefined ? {} : { opens_at }),
  };
}

export function actionKind(action: CandidateAction): ActionKind {
  return { type: action.type };
}
