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

export interface SpeculationTask {
  readonly number: number;
  /** Index of the first candidate whose writes to the block the task did not see. */
  readonly from: number;
}

/** A transaction that was tried, with its task. */
export interface SpeculativeResult {
  readonly task: SpeculationTask;
  readonly speculation: Speculation;
  readonly slots: readonly TouchedSlot[];
  readonly blobs: SpeculatedBlob[];
}

/** The last writers of slots and contracts, for a validation. */
export interface Writers {
  slot(name: string): Writer;
  contract(address: string): Writer;
}

/** Marks the writes of a run that must be repeated: no read of them is valid. */
export const UNKNOWN_WRITER: Writer = -2;

/** Factor of the task number in a writer: greater than the number of candidates of any block. */
const TASK_STEP = 2 ** 24;

/** Returns the writer that marks a transaction's writes once a task's result is merged. */
export function writerOf(task: SpeculationTask, index: number): Writer {
  return task.number * TASK_STEP + index;
}

/** Returns the writers of the values in a state. */
export function writersIn(state: WorldState): Writers {
  return {
    slot: (name) => state.slotWrite(name)?.writer ?? BEFORE,
    contract: (address) => state.contractWriter(address),
  };
}

/**
 * Returns true if a transaction would behave on the block's state as it did when tried: every value it read is from the
 * same run of the same transaction, or unchanged since its task began, and every balance is within bounds.
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

/** Returns true if these writers wrote the values that were read. */
export function validateReadSet({ task, speculation, slots }: SpeculativeResult, writers: Writers): boolean {
  const { slotReads, contractReads } = speculation;
  for (let place = 0; place < slotReads.length; place += 2) {
    const name = slots[slotReads[place] ?? -1]?.name ?? '';
    if (!isSame(task, slotReads[place + 1] ?? BEFORE, writers.slot(name))) return false;
  }
  return contractReads.every(({ address, writer }) => isSame(task, writer, writers.contract(address)));
}

/** @param seen index of the transaction that wrote the value read, or {@link BEFORE} if not of the same task */
function isSame(task: SpeculationTask, seen: Writer, last: Writer): boolean {
  if (seen !== BEFORE) return last === writerOf(task, seen);
  if (last === BEFORE) return true;
  // The remainder keeps the sign: without this check, an unknown writer would count as one from before the task.
  return last !== UNKNOWN_WRITER && last % TASK_STEP < task.from;
}

/** Writes the result of a tried transaction to the block's state. */
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

/** Decodes the outcome from the receipt only if the transaction failed. */
function outcomeOf({ success, storedReceipt }: Speculation): Pick<TransactionResult, 'outcome' | 'message'> {
  if (success) return { outcome: 'success' };
  const { receipt, details } = decodeStoredReceipt(storedReceipt);
  const { message } = details;
  return { outcome: receipt.outcome.type, ...(message === undefined ? {} : { message }) };
}

/** Returns the accesses of a transaction when it was tried. */
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

/** Groups the blobs of a task by transaction. */
export function blobsByIndex({ blobs }: Pick<SpeculationResult, 'blobs'>): Map<number, SpeculatedBlob[]> {
  const byIndex = new Map<number, SpeculatedBlob[]>();
  for (const blob of blobs) {
    const list = byIndex.get(blob.index);
    if (list === undefined) byIndex.set(blob.index, [blob]);
    else list.push(blob);
  }
  return byIndex;
}
