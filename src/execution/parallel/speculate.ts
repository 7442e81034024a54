import { errorMessage } from '../../base/errors.js';
import { toHex } from '../../idl/hex.js';
import { hasLane } from '../../ledger/lanes.js';
import { candidateIn, needsEngine, type SignedCandidate } from '../../ledger/transaction-envelope.js';
import { StoreError } from '../../storage/store-error.js';
import { AccessRecorder, BEFORE, slotName } from '../access-recorder.js';
import type { AtomicGroup } from '../atomic-groups.js';
import type { BlockEnvironment } from '../block-environment.js';
import { encodeReceipts, gasLimitOf } from '../block-execution.js';
import type { CandidateFault } from '../candidates-at-fault.js';
import type { ContractMachine } from '../contract-machine.js';
import { canEverBeIncluded } from '../execute-transaction.js';
import { GasWithheld } from '../gas-dependence.js';
import { candidateProblem, executeCandidate } from '../sealed/include-envelope.js';
import { LayeredState, type StateEntry, type StateSource } from '../state-source.js';
import { WorldState } from '../world-state.js';
import type { DecodedOverlay } from './block-overlay.js';
import { SharedAllowance } from './loss-allowance.js';
import { ProgressMarker } from './progress-marks.js';
import {
  decodeGroups,
  type EncodedGroup,
  type SpeculatedTransaction,
  type SpeculationInput,
} from './speculation-input.js';
import { ResultWriter, type SpeculatedBlob, type SpeculationResult } from './speculation-result.js';

const IGNORED_PROGRESS = new Int32Array(new SharedArrayBuffer(4));

/** The state before the block, and the contract machine of this thread. */
export interface SpeculationSources {
  readonly source: StateSource;
  readonly machine: ContractMachine;
}

export interface SpeculationParts extends SpeculationSources {
  readonly overlay: DecodedOverlay;
}

/** Executes groups one after another and records what each depends on. Hot: see `bench/parallel.bench.ts`. */
export function speculate(input: SpeculationInput, parts: SpeculationParts): SpeculationResult {
  const started = performance.now();
  const speculation = new TaskRun(input, parts);
  const faults: CandidateFault[] = [];
  const { progress = IGNORED_PROGRESS } = input;
  const marker = input.mark === undefined ? undefined : new ProgressMarker(input.mark);
  let reached = 0;
  let stopped: SpeculationResult['stopped'];
  for (const group of decodeGroups(input.groups)) {
    if (!speculation.mayProceed) break;
    if (!speculation.takeGas(group)) {
      stopped = { start: group.start, gas: undefined };
      break;
    }
    Atomics.store(progress, 0, group.start + 1);
    marker?.at(group.start + 1);
    reached = group.start + group.length;
    try {
      speculation.try(group);
    } catch (error) {
      // A failure of the store is not the fault of a candidate.
      if (error instanceof StoreError) {
        marker?.close();
        throw error;
      }
      if (error instanceof GasWithheld) {
        reached = group.start;
        stopped = { start: group.start, gas: speculation.cutOff(error) };
        break;
      }
      faults.push({ start: group.start, message: errorMessage(error) });
      speculation.abandon();
    }
  }
  Atomics.store(progress, 0, 0);
  marker?.at(0);
  marker?.close();
  const { outcomes, blobs } = speculation.finish();
  const { risked } = speculation;
  const workMs = performance.now() - started;
  return { outcomes, blobs, faults, reached, workMs, risked, ...(stopped === undefined ? {} : { stopped }) };
}

interface DecodedTransaction extends SpeculatedTransaction {
  readonly signed: SignedCandidate;
}

class TaskRun {
  readonly #env: BlockEnvironment;
  readonly #exact: boolean;
  readonly #gasSpent: BigUint64Array;
  readonly #gasSpentBefore: bigint;
  /** Gas left before the first group or, in exact execution, before the next one. */
  #gasLeft: bigint;
  readonly #machine: ContractMachine;
  readonly #recorder = new AccessRecorder();
  readonly #state: WorldState;
  readonly #result: ResultWriter;
  readonly #blobs: SpeculatedBlob[] = [];
  /** Declared gas of the running group. */
  #declared = 0n;
  readonly #from: number;
  readonly #allowance: SharedAllowance;
  /** Gas that the running group took from the allowance and has not used; undefined if it needs none. */
  #taken: bigint | undefined;
  /** Gas used by groups that took it from the allowance. */
  #risked = 0n;

  constructor(
    { env, exact, from, gasLeft, allowance, gasSpent, gasSpentBefore, overlay = [], codes }: SpeculationInput,
    parts: SpeculationParts,
  ) {
    this.#env = env;
    this.#from = from;
    this.#allowance = new SharedAllowance(allowance);
    this.#exact = exact;
    this.#gasLeft = gasLeft;
    this.#gasSpent = new BigUint64Array(gasSpent);
    this.#gasSpentBefore = gasSpentBefore;
    this.#machine = parts.machine;
    const kept = new KeptState(parts.source);
    parts.overlay.set(overlay);
    this.#state = new WorldState(kept, this.#recorder, parts.overlay);
    this.#result = new ResultWriter(kept);
    this.#state.begin(BEFORE);
    for (const blob of codes) this.#state.addCode(blob);
    this.#state.endTransaction();
  }

  /** True if the round has gas left for another group. */
  get mayProceed(): boolean {
    return this.#exact || Atomics.load(this.#gasSpent, 0) - this.#gasSpentBefore < this.#gasLeft;
  }

  get risked(): bigint {
    return this.#risked;
  }

  /** @returns false if the allowance does not suffice for the group */
  takeGas({ start, expectedGas }: EncodedGroup): boolean {
    this.#taken = undefined;
    if (this.#exact || start === this.#from) return true;
    this.#taken = this.#allowance.take(expectedGas);
    return this.#taken !== undefined;
  }

  try({ members, bundle }: AtomicGroup<SpeculatedTransaction>): void {
    this.#declared = 0n;
    const transactions = members.map((member) => ({ signed: candidateIn(member.item), ...member }));
    this.#declared = gasLimitOf(transactions);
    if (this.#exact && bundle && this.#declared > this.#gasLeft) return;
    const before = this.#state.beginGroup();
    const gasLeft = this.#gasLeft;
    for (const transaction of transactions) {
      const succeeded = this.#tryOne(transaction);
      if (bundle && !succeeded) {
        this.#state.revert(before);
        this.#gasLeft = gasLeft;
        break;
      }
    }
    this.#state.commitGroup();
    this.#allowance.add(this.#taken ?? 0n);
  }

  /** Undoes a group that needs more gas than it took. @returns gas used by its last transaction */
  cutOff({ unused }: GasWithheld): bigint {
    const gas = (this.#taken ?? unused) - unused;
    Atomics.add(this.#gasSpent, 0, gas);
    this.#risked += gas;
    this.#allowance.add(unused);
    this.#undo();
    return gas;
  }

  /** Undoes a group that threw. All its declared gas counts as used, so that the round ends in time. */
  abandon(): void {
    Atomics.add(this.#gasSpent, 0, this.#declared);
    this.#undo();
  }

  #undo(): void {
    this.#state.revert(0);
    this.#state.endTransaction();
    this.#state.commitGroup();
  }

  finish(): Pick<SpeculationResult, 'outcomes' | 'blobs'> {
    return { outcomes: this.#result.finish(), blobs: this.#blobs };
  }

  /** Returns true if the transaction was executed with success. */
  #tryOne({ index, hash, signed, opensLane }: DecodedTransaction): boolean {
    const { transaction } = signed;
    const sender = toHex(transaction.sender);
    const state = this.#state;
    if (this.#exact) {
      const problem = candidateProblem(transaction, sender, state, this.#env, this.#gasLeft);
      if (problem !== undefined) return false;
    }
    if (!canEverBeIncluded(transaction, this.#env)) return false;
    const opens = this.#exact ? !hasLane(state.peekAccount(sender), transaction.lane) : opensLane;
    state.begin(index);
    const outcome = executeCandidate(signed, sender, {
      state,
      env: this.#env,
      machine: this.#machine,
      opensLane: opens,
      ...(this.#taken === undefined ? {} : { mostGas: this.#taken }),
    });
    if (this.#taken !== undefined) {
      this.#taken -= outcome.gasUsed;
      this.#risked += outcome.gasUsed;
    }
    const success = outcome.outcome === 'success';
    if (this.#exact) this.#gasLeft -= outcome.gasUsed;
    else Atomics.add(this.#gasSpent, 0, outcome.gasUsed);
    // The block's assembler executes transfers and envelopes itself.
    if (!needsEngine(signed)) return success;
    const { storedReceipt } = encodeReceipts(hash, outcome);
    this.#result.add(
      {
        index,
        sender,
        opensLane: opens,
        success,
        gasUsed: outcome.gasUsed,
        fee: outcome.fee,
        storedReceipt,
        hasLogs: outcome.logs.length > 0,
        touched: outcome.touched,
        payments: outcome.payments,
      },
      this.#recorder,
      state,
    );
    if (success) {
      for (const blob of this.#recorder.codes) this.#blobs.push({ index, column: 'code', blob });
      for (const blob of this.#recorder.idls) this.#blobs.push({ index, column: 'idl', blob });
    }
    return success;
  }
}

/** Limit on the bytes of slot values that a task caches. */
const KEPT_BYTES = 8 * 1024 * 1024;

/** A source that caches slots up to a total size; serves one task. */
class KeptState extends LayeredState {
  readonly #slots = new Map<string, StateEntry>();
  #bytes = 0;

  override slot(contract: Uint8Array, slot: Uint8Array): StateEntry {
    const name = slotName(contract, slot);
    let entry = this.#slots.get(name);
    if (entry === undefined) {
      entry = this.source.slot(contract, slot);
      this.#bytes += entry.raw?.length ?? 0;
      if (this.#bytes > KEPT_BYTES) {
        this.#slots.clear();
        this.#bytes = entry.raw?.length ?? 0;
      }
      this.#slots.set(name, entry);
    }
    return entry;
  }
}
