import type { Cancel } from '../../async/runtime.js';
import type { Violation } from './model.js';
import type { Random } from './random.js';
import { Schedule, type Scheduled } from './schedule.js';
import { GENESIS_MS } from './sim-blocks.js';

/** The draws of a run that concern its validators and connections. Times are virtual milliseconds. */
export interface SimScenario {
  readonly seed: number;
  readonly validators: number;
  /** How each faulty validator misbehaves, by index. */
  readonly faulty: ReadonlyMap<number, readonly string[]>;
  /** The first epoch in which faulty validators misbehave. */
  readonly faultyFromEpoch: number;
  /** When the faults of network, disks and machines are over. */
  readonly stableFromMs: number;
  /** Whether all honest validators restart when these faults are over. */
  readonly allRestart: boolean;
  readonly latencyMs: readonly [number, number];
  /** Fraction of messages that are lost, until the faults are over. */
  readonly loss: number;
  /** A kind of message that is mostly lost. */
  readonly rareKind: string | undefined;
  readonly duplication: number;
  /** Fraction of messages that are delayed by up to `longDelayMs`. */
  readonly delay: number;
  readonly longDelayMs: number;
}

export type Trace = (line: string) => void;

/** What the validators of a run share: virtual time, randomness, and the first violation. */
export class SimWorld<S extends SimScenario = SimScenario> {
  readonly scenario: S;
  readonly random: Random;
  nowMs = 0;
  /** Whether the faults of network, disks and machines are over. */
  isStable = false;
  violation: Violation | undefined;
  readonly #trace: Trace | undefined;
  readonly #queue = new Schedule();

  constructor(scenario: S, random: Random, trace: Trace | undefined) {
    this.scenario = scenario;
    this.random = random;
    this.#trace = trace;
  }

  /** The true wall clock, in milliseconds since 1970. */
  get wallMs(): number {
    return GENESIS_MS + 1_000_000 + this.nowMs;
  }

  isHonest(index: number): boolean {
    return !this.scenario.faulty.has(index);
  }

  fail(kind: Violation['kind'], what: string): void {
    this.trace(() => `VIOLATION: ${what}`);
    this.violation ??= { kind, what, atMs: this.nowMs };
  }

  trace(what: () => string): void {
    this.#trace?.(`${this.nowMs.toFixed(0).padStart(7)} ${what()}`);
  }

  after(delayMs: number, run: () => void): Cancel {
    const event = this.#queue.push(this.nowMs + delayMs, run);
    return () => {
      event.run = undefined;
    };
  }

  /** Runs the next event and all that follows without time passing. @returns false if no event is left */
  async next(): Promise<boolean> {
    let event = this.#nextEvent();
    if (event === undefined) {
      // Something that was begun outside of an event may schedule one.
      await settled();
      event = this.#nextEvent();
    }
    if (event === undefined) return false;
    this.nowMs = event.atMs;
    event.run?.();
    await settled();
    return true;
  }

  #nextEvent(): Scheduled | undefined {
    let event = this.#queue.pop();
    while (event !== undefined && event.run === undefined) event = this.#queue.pop();
    return event;
  }
}

/** Resolves after all promises that can settle without an event of the system: Node runs ticks between microtasks. */
function settled(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}
