import type { ContractMachine } from '../../../src/execution/contract-machine.js';
import { DecodedOverlay } from '../../../src/execution/parallel/block-overlay.js';
import { speculate } from '../../../src/execution/parallel/speculate.js';
import type { SpeculationBudget } from '../../../src/execution/parallel/speculation-budget.js';
import type { SpeculationInput } from '../../../src/execution/parallel/speculation-input.js';
import type { SpeculationResult } from '../../../src/execution/parallel/speculation-result.js';
import type { SpeculationRunner } from '../../../src/execution/parallel/worker-tasks.js';
import type { StateSource } from '../../../src/execution/state-source.js';

interface Pending {
  readonly input: SpeculationInput;
  readonly resolve: (result: SpeculationResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Runs tasks in this thread instead of workers, and completes them in random order. */
export class InProcessRunner implements SpeculationRunner {
  readonly workers: number;
  tasks = 0;
  /** Number of groups that were cut off. */
  cutOff = 0;
  readonly #source: StateSource;
  readonly #machine: ContractMachine;
  readonly #random: () => number;
  readonly #overlay = new DecodedOverlay();
  #pending: Pending[] = [];

  constructor(workers: number, source: StateSource, machine: ContractMachine, random: () => number) {
    this.workers = workers;
    this.#source = source;
    this.#machine = machine;
    this.#random = random;
  }

  run(input: SpeculationInput): Promise<SpeculationResult> {
    this.tasks++;
    return new Promise((resolve, reject) => {
      this.#pending.push({ input: structuredClone(input), resolve, reject });
      setImmediate(() => this.#endOne());
    });
  }

  #endOne(): void {
    const [chosen] = this.#pending.splice(Math.floor(this.#random() * this.#pending.length), 1);
    if (chosen === undefined) return;
    const parts = { source: this.#source, machine: this.#machine, overlay: this.#overlay };
    try {
      const result = speculate(chosen.input, parts);
      if (result.stopped?.gas !== undefined) this.cutOff++;
      chosen.resolve(structuredClone(result));
    } catch (error) {
      chosen.reject(error);
    }
  }
}

/** A random budget: the block's result must not depend on it. */
export class ArbitraryBudget implements SpeculationBudget {
  readonly #random: () => number;
  readonly #patience: number;

  constructor(random: () => number) {
    this.#random = random;
    this.#patience = random();
  }

  begin(): void {
    // Ignores time.
  }

  worked(): void {
    // Ignores time.
  }

  merged(): void {
    // Ignores gas.
  }

  gasIn(ms: number): number {
    return ms * 1e6;
  }

  isWasted(): boolean {
    return this.#random() > this.#patience;
  }

  spareGas(restGas: number): number {
    return (8 * this.#random() - 1) * restGas;
  }
}
