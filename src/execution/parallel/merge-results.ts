import { hasLane, withNextNonce } from '../../ledger/accounts.js';
import { ledger } from '../../ledger/codecs.js';
import { effectivePriorityFee } from '../../ledger/fees.js';
import { decodeStoredReceipt, receiptOf } from '../../ledger/stored-receipt.js';
import type { TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import { BEFORE, type Writer } from '../access-recorder.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { TransactionResult } from '../block-execution.js';
import type { WorldState } from '../world-state.js';
import { type AccessKeys, accountAccess, CHANGED, READ, slotAccess, WRITTEN } from './access-keys.js';
import type { SpeculatedBlob, Speculation, SpeculationResult, TouchedSlot } from './speculation-result.js';

/** A task that was given to a worker. */
export interface SpeculationTask {
  /** Its number in the block. */
  readonly number: number;
  /** The place among the candidates from which on the task does not know what the block writes. */
  readonly from: number;
}

/** A transaction that was tried, and where. */
export interface SpeculativeResult {
  readonly task: SpeculationTask;
  readonly speculation: Speculation;
  readonly slots: readonly TouchedSlot[];
  readonly blobs: SpeculatedBlob[];
}

/** Who last wrote what, as far as a check is to know. */
export interface Writers {
  slot(name: string): Writer;
  contract(address: string): Writer;
}

/** Marks the writes of a run that must be repeated: no read of them is valid. */
export const UNKNOWN_WRITER: Writer = -2;

/** Candidates a task number is multiplied by to name writers: more than a block can have. */
const TASK_STEP = 2 ** 24;

/** What a transaction's writes are marked with once a task's outcome of it is taken over. */
export function writerOf(task: SpeculationTask, index: number): Writer {
  return task.number * TASK_STEP + index;
}

/** The writers of what is in a state. */
export function writersIn(state: WorldState): Writers {
  return {
    slot: (name) => state.slotWrite(name)?.writer ?? BEFORE,
    contract: (address) => state.contractWriter(address),
  };
}

/**
 * Whether a transaction would do the same on the block's state as it did where it was tried: everything that it read was
 * written by the same run of the same transaction, or by none since its task began, and every balance is within bounds.
 */
export function isStillValid(
  result: SpeculativeResult,
  transaction: TransactionEnvelope,
  state: WorldState,
  writers: Writers,
): boolean {
  const { opensLane, accounts, deployments } = result.speculation;
  const { lane } = transaction.signed.transaction;
  if (hasLane(state.peekAccount(transaction.sender), lane) === opensLane) return false;
  if (!validateReadSet(result, writers)) return false;
  for (const { address, low, high } of accounts) {
    if (low === undefined && high === undefined) continue;
    const { balance } = state.peekAccount(address);
    if ((low !== undefined && balance < low) || (high !== undefined && balance > high)) return false;
  }
  return deployments.every(({ address, before }) => state.peekAccount(address).deploy_index === before);
}

/** Whether what was read is what these writers wrote. */
export function validateReadSet({ task, speculation, slots }: SpeculativeResult, writers: Writers): boolean {
  const { slotReads, contractReads } = speculation;
  for (let place = 0; place < slotReads.length; place += 2) {
    const name = slots[slotReads[place] ?? -1]?.name ?? '';
    if (!isSame(task, slotReads[place + 1] ?? BEFORE, writers.slot(name))) return false;
  }
  return contractReads.every(({ address, writer }) => isSame(task, writer, writers.contract(address)));
}

/** @param seen the index of the transaction that wrote what was read, where that was one of the task's own */
function isSame(task: SpeculationTask, seen: Writer, last: Writer): boolean {
  if (seen !== BEFORE) return last === writerOf(task, seen);
  if (last === BEFORE) return true;
  // A remainder keeps the sign: without this an unsure writer would be one from before the task began.
  return last !== UNKNOWN_WRITER && last % TASK_STEP < task.from;
}

/** Writes what a transaction did where it was tried to the block's state. */
export function mergeResult(
  { task, speculation, slots, blobs }: SpeculativeResult,
  { sender, signed }: TransactionEnvelope,
  state: WorldState,
  env: BlockEnvironment,
): TransactionResult {
  const { index, gasUsed, storedReceipt, hasLogs, touched } = speculation;
  const { transaction } = signed;
  const tipPrice = effectivePriorityFee(transaction, env.baseFee);
  const lanes = withNextNonce(state.lanes(sender), transaction.lane, transaction.nonce + 1n);
  state.startTransaction(sender, lanes, gasUsed * (env.baseFee + tipPrice));
  const writer = writerOf(task, index);
  for (const { address, change } of speculation.accounts) {
    if (change !== 0n) state.addBalance(address, change);
  }
  for (const { address, before, after } of speculation.deployments) {
    if (before !== after) state.writeDeployIndex(address, after);
  }
  for (const { address, record } of speculation.contractWrites) state.adoptContract(address, record, writer);
  for (const { slot, value, entry } of speculation.slotWrites) {
    const touchedSlot = slots[slot];
    if (touchedSlot === undefined) throw new RangeError(`a write names slot ${slot} of ${slots.length}`);
    const { name, bytes } = touchedSlot;
    state.adoptSlot(name, {
      contract: bytes.subarray(0, 20),
      slot: bytes.subarray(20),
      value,
      writer,
      entry,
    });
  }
  for (const { column, blob } of blobs) {
    if (column === 'code') state.addCode(blob);
    else state.addIdl(blob);
  }
  state.endTransaction();
  const receipt = receiptOf(storedReceipt);
  return {
    gasUsed,
    tip: gasUsed * tipPrice,
    logs: hasLogs ? ledger.LedgerReceipt.decode(receipt).logs : [],
    touched,
    receipt,
    storedReceipt,
    ...outcomeOf(speculation),
  };
}

/** Only a failure has to be read from its receipt. */
function outcomeOf({ success, storedReceipt }: Speculation): Pick<TransactionResult, 'outcome' | 'message'> {
  if (success) return { outcome: 'success' };
  const { receipt, details } = decodeStoredReceipt(storedReceipt);
  const { message } = details;
  return { outcome: receipt.outcome.type, ...(message === undefined ? {} : { message }) };
}

/** What a transaction touched when it was tried. */
export function accessesOf({ speculation, slots }: SpeculativeResult, sender: string): AccessKeys {
  const { slotReads, slotWrites, contractReads, contractWrites, accounts, deployments } = speculation;
  const keys: number[] = [accountAccess('balance', sender, CHANGED)];
  const nameOf = (slot: number): string => slots[slot]?.name ?? '';
  for (const { slot } of slotWrites) keys.push(slotAccess(nameOf(slot), WRITTEN));
  for (let place = 0; place < slotReads.length; place += 2) {
    keys.push(slotAccess(nameOf(slotReads[place] ?? -1), READ));
  }
  for (const { address } of contractWrites) keys.push(accountAccess('contract', address, WRITTEN));
  for (const { address } of contractReads) keys.push(accountAccess('contract', address, READ));
  for (const { address, low, high, change } of accounts) {
    if (low !== undefined && low === high) keys.push(accountAccess('balance', address, READ));
    if (change !== 0n) keys.push(accountAccess('balance', address, CHANGED));
  }
  for (const { address } of deployments) keys.push(accountAccess('deployments', address, WRITTEN));
  return Uint32Array.from(keys);
}

/** The outcomes of a task by transaction. */
export function blobsByIndex({ blobs }: Pick<SpeculationResult, 'blobs'>): Map<number, SpeculatedBlob[]> {
  const byIndex = new Map<number, SpeculatedBlob[]>();
  for (const blob of blobs) {
    const list = byIndex.get(blob.index);
    if (list === undefined) byIndex.set(blob.index, [blob]);
    else list.push(blob);
  }
  return byIndex;
}
