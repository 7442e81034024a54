import type { SealKey } from '../../generated/ledger.js';
import { quorumOf } from '../../ledger/validators/quorum.js';
import { leaderOf } from '../core/leader.js';
import type { Rules } from '../core/rules.js';
import type { Certificate } from '../core/types.js';
import type { Random } from './random.js';
import { RunRecord } from './run-record.js';
import type { Scenario } from './scenario.js';
import { GENESIS_MS, SimBlocks } from './sim-blocks.js';
import { isSealKey } from './sim-seal-keys.js';
import { SimKeys } from './sim-signatures.js';
import { Timeline } from './timeline.js';

/** Options of a run besides its scenario. */
export interface WorldOptions {
  readonly rules: Rules;
  /** Receives a line for each vote, certificate, commit, crash and fault. */
  readonly trace: ((line: string) => void) | undefined;
}

/** The time, keys, blocks and randomness that a run's validators share, and the record of the run. */
export class World extends Timeline {
  readonly scenario: Scenario;
  readonly options: WorldOptions;
  readonly record: RunRecord;
  readonly keys: SimKeys;
  readonly blocks: SimBlocks;
  /** Whether the faults are over. */
  isStable = false;
  /** Whether something was committed or sent since the last goal check. */
  hasProgress = false;
  /** A certificate that exists, for forgeries. */
  anyFinalization: Certificate | undefined;
  /** Transactions that no block can include. */
  readonly unaffordable = new Set<number>();
  #transactions = 0;

  constructor(scenario: Scenario, random: Random, options: WorldOptions) {
    super(random);
    const { validators, core, envelopes } = scenario;
    this.scenario = scenario;
    this.options = options;
    this.keys = new SimKeys(quorumOf(validators));
    const isKey = (key: SealKey) => isSealKey(this.keys, key);
    this.blocks = new SimBlocks(core.epochLength, validators, envelopes ? isKey : undefined);
    const { blocks, keys, quorum } = this;
    this.record = new RunRecord({ blocks, keys, quorum, nowMs: () => this.nowMs });
  }

  /** The true wall clock, in milliseconds since 1970. */
  get wallMs(): number {
    return GENESIS_MS + 1_000_000 + this.nowMs;
  }

  get quorum(): number {
    return quorumOf(this.scenario.validators);
  }

  /** The number of faulty validators that the agreement tolerates. */
  get faults(): number {
    return this.scenario.validators - this.quorum;
  }

  trace(what: () => string): void {
    this.options.trace?.(`${this.nowMs.toFixed(0).padStart(7)} ${what()}`);
  }

  /** True if a quorum has notarized or finalized a block in a view. */
  isNotarized(epoch: number, view: number, hash: string): boolean {
    return this.keys.isNotarized(epoch, view, hash);
  }

  fail(kind: 'safety' | 'liveness', what: string): void {
    this.record.fail(kind, what);
  }

  isHonest(index: number): boolean {
    return !this.scenario.byzantine.has(index);
  }

  leaderOf(epoch: number, view: number): number {
    return leaderOf(view, epoch, this.scenario.validators);
  }

  newTransaction(): number {
    return ++this.#transactions;
  }
}
