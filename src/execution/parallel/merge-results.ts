import { setImmediate } from 'node:timers/promises';
import { ledger } from '../../ledger/codecs.js';
import { withNextNonce } from '../../ledger/lanes.js';
import { decodeStoredReceipt, receiptOf } from '../../ledger/stored-receipt.js';
import type { TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import { writeCopiedLanes } from '../actions/forked-copies.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { BlockExecution, TransactionResult } from '../block-execution.js';
import { gasPrice } from '../prices.js';
import type { WorldState } from '../world-state.js';
import { type BlockGroup, type GroupOutcomes, isPlain } from './group-outcomes.js';
import type { Speculation } from './speculation-result.js';
import { isStillValid, type SpeculativeResult, type Writers, writerOf } from './validate-reads.js';

export function mergeResult(
  { task, speculation, slots, blobs }: SpeculativeResult,
  { sender, signed }: TransactionEnvelope,
  state: WorldState,
  env: BlockEnvironment,
): TransactionResult {
  const { index, gasUsed, storedReceipt, hasLogs, touched, payments } = speculation;
  const { transaction } = signed;
  const { price, tip } = gasPrice(transaction, env);
  const lanes = withNextNonce(state.lanes(sender), transaction.lane, transaction.nonce + 1n);
  state.startTransaction(sender, lanes, gasUsed * price);
  const writer = writerOf(task, index);
  for (const { address, change } of speculation.accounts) {
    if (change !== 0n) state.addBalance(address, change);
  }
  for (const { address, before, after } of speculation.deployments) {
    if (before !== after) state.writeDeployIndex(address, after);
  }
  for (const { address, record } of speculation.contractWrites) {
    if (record === undefined) state.adoptRemoval(address, writer);
    else state.adoptContract(address, record, writer);
  }
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
  if (speculation.success) writeCopiedLanes(transaction, env, state);
  state.endTransaction();
  const receipt = receiptOf(storedReceipt);
  return {
    gasUsed,
    tip: gasUsed * tip,
    logs: hasLogs ? ledger.LedgerReceipt.decode(receipt).logs : [],
    touched,
    payments,
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

export interface BlockMergerOptions {
  readonly env: BlockEnvironment;
  readonly groups: readonly BlockGroup[];
  readonly block: BlockExecution;
  readonly writers: Writers;
  readonly outcomes: GroupOutcomes;
  /** Called with accounts needed soon, so that they are read together. */
  readonly prefetch: ((addresses: Iterable<string>) => void) | undefined;
}

/** Groups validated per event loop tick: a worker may be waiting for its next task. */
const SLICE = 16;
/** Number of groups whose accounts are prefetched together. */
const PREFETCHED = 96;

/** Adds groups in block order: executes plain transactions, and merges valid outcomes of the others. */
export class BlockMerger {
  readonly #options: BlockMergerOptions;
  #cursor = 0;
  #gas = 0n;
  #kept = 0n;

  constructor(options: BlockMergerOptions) {
    this.#options = options;
  }

  /** Index of the first group that is not in the block. */
  get cursor(): number {
    return this.#cursor;
  }

  /** The group at the cursor; undefined once all groups are in the block. */
  get next(): BlockGroup | undefined {
    return this.#options.groups[this.#cursor];
  }

  /** Total gas of the merged outcomes. */
  get gas(): bigint {
    return this.#gas;
  }

  /** The part of {@link gas} whose groups were tried before all groups ahead of them were in the block. */
  get kept(): bigint {
    return this.#kept;
  }

  /** Validates and merges outcomes up to the first group without a valid one. */
  async merge(): Promise<void> {
    const { groups, prefetch } = this.#options;
    let prefetched = 0;
    for (let since = 1; this.#cursor < groups.length; since++) {
      if (since % SLICE === 0) await setImmediate();
      if (this.#cursor >= prefetched) {
        prefetched = this.#cursor + PREFETCHED;
        prefetch?.(groups.slice(this.#cursor, prefetched).flatMap(addressesOf));
      }
      const group = groups[this.#cursor];
      if (group === undefined || !this.#add(group)) break;
      this.#cursor++;
    }
  }

  /** @returns false if the group has no valid outcome yet */
  #add(group: BlockGroup): boolean {
    const { env, block, outcomes, writers } = this.#options;
    const { state } = block;
    let gas = 0n;
    let kept = 0n;
    const added = block.addBy(group, (transaction, index) => {
      if (isPlain(transaction)) return block.execute(transaction);
      const result = outcomes.outcomeAt(index);
      if (result === undefined || !isStillValid(result, transaction, state, writers)) return undefined;
      const { gasUsed } = result.speculation;
      gas += gasUsed;
      if (result.task.from !== group.start) kept += gasUsed;
      return mergeResult(result, transaction, state, env);
    });
    if (added) {
      this.#gas += gas;
      this.#kept += kept;
    }
    return added;
  }
}

function addressesOf({ members }: BlockGroup): string[] {
  return members.flatMap(({ sender, signed }) => {
    const { action } = signed.transaction;
    return action.type === 'transfer' ? [sender, Buffer.from(action.value.to).toString('hex')] : [sender];
  });
}
