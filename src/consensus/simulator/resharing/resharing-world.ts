import type { Violation } from '../model.js';
import type { Random } from '../random.js';
import { GENESIS_MS } from '../sim-blocks.js';
import { Timeline } from '../timeline.js';
import type { ResharingScenario } from './resharing-scenario.js';

/** What the validators of a run share: time, randomness, and the first violation. */
export class ResharingWorld extends Timeline {
  readonly scenario: ResharingScenario;
  /** Whether the faults of network, disks and machines are over. */
  isStable = false;
  #violation: Violation | undefined;
  readonly #trace: ((line: string) => void) | undefined;

  constructor(scenario: ResharingScenario, random: Random, trace?: (line: string) => void) {
    super(random);
    this.scenario = scenario;
    this.#trace = trace;
  }

  get violation(): Violation | undefined {
    return this.#violation;
  }

  /** The true wall clock, in milliseconds since 1970. */
  get wallMs(): number {
    return GENESIS_MS + this.nowMs;
  }

  isHonest(index: number): boolean {
    return !this.scenario.faulty.has(index);
  }

  /** Notes a violation, if it is the first. */
  fail(kind: Violation['kind'], what: string): void {
    this.trace(() => `VIOLATION: ${what}`);
    this.#violation ??= { kind, what, atMs: this.nowMs };
  }

  trace(what: () => string): void {
    this.#trace?.(`${this.nowMs.toFixed(0).padStart(7)} ${what()}`);
  }
}
