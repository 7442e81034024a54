import { needsEngine, type TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import type { Writer } from '../access-recorder.js';
import type { AtomicGroup } from '../atomic-groups.js';
import type { AccessKeys } from './access-keys.js';
import { accessesOf, blobsByIndex } from './merge-results.js';
import { defaultPrediction, MAX_PREDICTED_GAS, type Prediction, type Predictions } from './predictions.js';
import { decodeOutcomes, type SpeculationResult } from './speculation-result.js';
import {
  type SpeculationTask,
  type SpeculativeResult,
  UNKNOWN_WRITER,
  validateReadSet,
  type Writers,
  writerOf,
} from './validate-reads.js';

export type BlockGroup = AtomicGroup<TransactionEnvelope>;

/** Returns true for a transfer or an envelope, which the main thread executes. */
export function isPlain({ signed }: TransactionEnvelope): boolean {
  return !needsEngine(signed);
}

/** Returns true if the main thread executes all of a group. */
export function isAllPlain({ members }: BlockGroup): boolean {
  return members.every(isPlain);
}

/** The workers' results for the groups of a block. */
export class GroupOutcomes {
  readonly #predictions: Predictions;
  readonly #writers: Writers;
  /** By index of the candidate. */
  readonly #results: (SpeculativeResult | undefined)[];

  /** @param candidates number of candidates, including earlier waves */
  constructor(predictions: Predictions, writers: Writers, candidates: number) {
    this.#predictions = predictions;
    this.#writers = writers;
    this.#results = new Array<SpeculativeResult | undefined>(candidates);
  }

  outcomeAt(index: number): SpeculativeResult | undefined {
    return this.#results[index];
  }

  has({ start, length }: BlockGroup): boolean {
    for (let index = start; index < start + length; index++)
      if (this.#results[index] !== undefined) return true;
    return false;
  }

  /** Returns the gas that a group used when it was tried; 0 if it was not. */
  gasOf(group: BlockGroup): number {
    let gas = 0;
    for (const { speculation } of this.#resultsOf(group)) gas += Number(speculation.gasUsed);
    return gas;
  }

  /** @returns the gas used by the task's transactions */
  record(task: SpeculationTask, result: SpeculationResult): bigint {
    const { slots, transactions } = decodeOutcomes(result.outcomes);
    const blobs = blobsByIndex(result);
    let gas = 0n;
    for (const speculation of transactions) {
      const { index, gasUsed } = speculation;
      this.#results[index] = { task, speculation, slots, blobs: blobs.get(index) ?? [] };
      gas += gasUsed;
    }
    return gas;
  }

  forget({ start, length }: BlockGroup): void {
    this.#results.fill(undefined, start, start + length);
  }

  /** Returns a group's accesses from its last try, or else from its prediction, or else from its action. */
  expectedAccesses({ start, members }: BlockGroup): AccessKeys {
    const expected = members.map((member, place) => {
      const result = this.#results[start + place];
      return result === undefined ? this.#predicted(member).accesses : accessesOf(result, member.sender);
    });
    const [only] = expected;
    if (only !== undefined && expected.length === 1) return only;
    return Uint32Array.from(expected.flatMap((accesses) => [...accesses]));
  }

  /** Returns a group's gas from its last try, or else from its predictions; the gas limit if these were cut off. */
  expectedGas({ start, members }: BlockGroup): number {
    let gas = 0;
    for (const [place, member] of members.entries()) {
      const result = this.#results[start + place];
      const used = result === undefined ? this.#predicted(member).gas : Number(result.speculation.gasUsed);
      const isCut = result === undefined && used >= Number(MAX_PREDICTED_GAS);
      gas += isCut ? Number(member.signed.transaction.gas_limit) : used;
    }
    return gas;
  }

  /** Returns the gas of a group as measured for its prediction. */
  predictedGas({ members }: BlockGroup): number {
    return members.reduce((sum, member) => sum + this.#predicted(member).gas, 0);
  }

  /** Returns the groups with invalid reads if all groups before them were valid; always includes the first. */
  uncertainGroups(rest: readonly BlockGroup[]): Set<BlockGroup> {
    const slots = new Map<string, Writer>();
    const contracts = new Map<string, Writer>();
    const writers: Writers = {
      slot: (name) => slots.get(name) ?? this.#writers.slot(name),
      contract: (address) => contracts.get(address) ?? this.#writers.contract(address),
    };
    const unsure = new Set<BlockGroup>();
    for (const [place, group] of rest.entries()) {
      const isValid = place > 0 && this.#isValid(group, writers);
      if (!isValid) unsure.add(group);
      for (const result of this.#resultsOf(group)) {
        const writer = isValid ? writerOf(result.task, result.speculation.index) : UNKNOWN_WRITER;
        for (const { slot } of result.speculation.slotWrites) {
          const name = result.slots[slot]?.name;
          if (name !== undefined) slots.set(name, writer);
        }
        for (const { address } of result.speculation.contractWrites) contracts.set(address, writer);
      }
    }
    return unsure;
  }

  #predicted(member: TransactionEnvelope): Prediction {
    return this.#predictions.of(member) ?? defaultPrediction(member);
  }

  #isValid(group: BlockGroup, writers: Writers): boolean {
    for (const [place, transaction] of group.members.entries()) {
      if (isPlain(transaction)) continue;
      const result = this.#results[group.start + place];
      if (result === undefined || !validateReadSet(result, writers)) return false;
      // Later members were not tried.
      if (group.bundle && !result.speculation.success) return true;
    }
    return true;
  }

  #resultsOf({ start, length }: BlockGroup): SpeculativeResult[] {
    return this.#results.slice(start, start + length).filter((result) => result !== undefined);
  }
}
