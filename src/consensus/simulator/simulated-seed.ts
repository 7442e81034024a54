import type { Violation } from './model.js';
import { type SimulationOptions, simulate } from './simulate.js';

/** A run without its trace, as a thread performs it. */
export type SimulatedSeed = Omit<SimulationOptions, 'rules' | 'trace'>;

export interface SeedResult {
  readonly seed: number;
  readonly violation: Violation | undefined;
}

/** The task of a thread: runs one seed. */
export async function runSeed(options: SimulatedSeed): Promise<SeedResult> {
  const { violation } = await simulate(options);
  return { seed: options.seed, violation };
}
