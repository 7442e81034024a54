import { hasLane } from '../../ledger/lanes.js';
import type { TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import { BEFORE, type Writer } from '../access-recorder.js';
import type { WorldState } from '../world-state.js';
import type { SpeculatedBlob, Speculation, TouchedSlot } from './speculation-result.js';

export interface SpeculationTask {
  readonly number: number;
  /** Index of the first candidate whose writes to the block the task did not see. */
  readonly from: number;
}

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

export function writersIn(state: WorldState): Writers {
  return {
    slot: (name) => state.slotWrite(name)?.writer ?? BEFORE,
    contract: (address) => state.contractWriter(address),
  };
}

/**
 * Returns true if a transaction would behave on the block's state as it did when tried: every value read is from the
 * same run of the same transaction, or unchanged since its task began, and balances are within bounds.
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
