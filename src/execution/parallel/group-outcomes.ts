import { addTo } from '../../base/multi-map.js';
import { needsEngine, type TransactionEnvelope } from '../../ledger/transaction-envelope.js';
import type { Writer } from '../access-recorder.js';
import type { AtomicGroup } from '../atomic-groups.js';
import { type AccessKeys, accountAccess, CHANGED, READ, slotAccess, WRITTEN } from './access-keys.js';
import { defaultPrediction, MAX_PREDICTED_GAS, type Prediction, type Predictions } from './predictions.js';
import { decodeOutcomes, type SpeculatedBlob, type SpeculationResult } from './speculation-result.js';
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

export function isAllPlain({ members }: BlockGroup): boolean {
  return members.every(isPlain);
}

/** The workers' results for the groups of a block. */
export class GroupOutcomes {
  readonly #predictions: Predictions;
  readonly #writers: Writers;
  /** By index of the candidate. */
  readonly #results: (SpeculativeResult | undefined)[];
  /** Gas used in the last try, by index of the candidate; kept when the outcome is dropped. */
  readonly #lastGas: (number | undefined)[];
  /** Groups with a try that was cut off, by index of their first candidate. */
  readonly #cutOff = new Set<number>();
  /** Number of calls without a prediction that were tried, and their gas beyond the default. */
  #unforeseen = 0;
  #excess = 0;

  /** @param candidates number of candidates, including earlier waves */
  constructor(predictions: Predictions, writers: Writers, candidates: number) {
    this.#predictions = predictions;
    this.#writers = writers;
    this.#results = new Array<SpeculativeResult | undefined>(candidates);
    this.#lastGas = new Array<number | undefined>(candidates);
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
  record(task: SpeculationTask, groups: readonly BlockGroup[], result: SpeculationResult): bigint {
    const { slots, transactions } = decodeOutcomes(result.outcomes);
    const blobs = new Map<number, SpeculatedBlob[]>();
    for (const blob of result.blobs) addTo(blobs, blob.index, blob);
    let gas = 0n;
    for (const speculation of transactions) {
      const { index, gasUsed } = speculation;
      this.#results[index] = { task, speculation, slots, blobs: blobs.get(index) ?? [] };
      this.#lastGas[index] = Number(gasUsed);
      gas += gasUsed;
    }
    for (const group of groups) this.#learn(group, result.stopped);
    return gas + (result.stopped?.gas ?? 0n);
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

  /** Returns a group's gas from its last try, or else from its predictions; the gas limit if these or that were cut off. */
  expectedGas({ start, members }: BlockGroup): number {
    let gas = 0;
    for (const [place, member] of members.entries()) {
      const last = this.#lastGas[start + place];
      const used = last ?? this.#predicted(member).gas;
      const isCut = last === undefined && (used >= Number(MAX_PREDICTED_GAS) || this.#cutOff.has(start));
      gas += isCut ? Number(member.signed.transaction.gas_limit) : used;
    }
    return gas;
  }

  predictedGas({ members }: BlockGroup): number {
    return members.reduce((sum, member) => sum + this.#predicted(member).gas, 0);
  }

  /** Returns true if a try of the group used more gas than expected and was cut off. */
  isCutOff({ start }: BlockGroup): boolean {
    return this.#cutOff.has(start);
  }

  /** Returns the number of a group's calls without a prediction. */
  unforeseenIn({ members }: BlockGroup): number {
    return members.filter((member) => this.#isUnforeseen(member)).length;
  }

  /** Gas that calls without a prediction have used beyond the default so far, on average; 0 if they used less. */
  get unforeseenExcess(): number {
    return this.#unforeseen === 0 ? 0 : Math.max(0, this.#excess / this.#unforeseen);
  }

  #learn(group: BlockGroup, stopped: SpeculationResult['stopped']): void {
    const { start, members } = group;
    const cutGas = stopped?.start === start ? stopped.gas : undefined;
    if (cutGas !== undefined) {
      // The outcomes of a bundle's earlier members went with the one that was cut off.
      this.forget(group);
      this.#lastGas.fill(undefined, start, start + group.length);
      this.#cutOff.add(start);
    }
    for (const [place, member] of members.entries()) {
      const used = cutGas ?? this.#results[start + place]?.speculation.gasUsed;
      if (used === undefined || !this.#isUnforeseen(member)) continue;
      this.#unforeseen++;
      this.#excess += Number(used) - defaultPrediction(member).gas;
    }
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
    const prediction = this.#predictions.of(member) ?? defaultPrediction(member);
    const excess = this.unforeseenExcess;
    if (excess === 0 || !this.#isUnforeseen(member)) return prediction;
    const gas = Math.min(prediction.gas + excess, Number(member.signed.transaction.gas_limit));
    return { ...prediction, gas };
  }

  /** Returns true for a call of whose gas nothing is known. */
  #isUnforeseen(member: TransactionEnvelope): boolean {
    const { type } = member.signed.transaction.action;
    return (type === 'call' || type === 'batch') && this.#predictions.of(member) === undefined;
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

/** Returns a function that gives the expected gas of the groups from a position on. */
export function expectedRest(
  groups: readonly BlockGroup[],
  outcomes: GroupOutcomes,
): (place: number) => number {
  // By position: the predicted gas of a group and all later ones, and the number of their calls without a prediction.
  const gas = new Float64Array(groups.length + 1);
  const unforeseen = new Uint32Array(groups.length + 1);
  for (let place = groups.length - 1; place >= 0; place--) {
    const group = groups[place];
    if (group === undefined) continue;
    gas[place] = (gas[place + 1] ?? 0) + outcomes.predictedGas(group);
    unforeseen[place] = (unforeseen[place + 1] ?? 0) + outcomes.unforeseenIn(group);
  }
  return (place) => (gas[place] ?? 0) + (unforeseen[place] ?? 0) * outcomes.unforeseenExcess;
}

function accessesOf({ speculation, slots }: SpeculativeResult, sender: string): AccessKeys {
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
