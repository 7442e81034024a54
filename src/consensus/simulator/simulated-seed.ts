import type { Violation } from './model.js';
import { type ResharingRunOptions, simulateResharing } from './resharing/simulate-resharing.js';
import { type SimulationOptions, simulate } from './simulate.js';

/** A run without its trace, as a thread performs it. */
export type SimulatedSeed = Omit<SimulationOptions, 'rules' | 'trace'>;

/** A run of resharing, as a thread performs it. */
export type ResharingSeed = Omit<ResharingRunOptions, 'trace'>;

export interface SeedResult {
  readonly seed: number;
  readonly violation: Violation | undefined;
}

/** The tasks of a thread by name; each runs one seed. */
export interface SeedTasks {
  readonly runSeed: SimulatedSeed;
  readonly runResharingSeed: ResharingSeed;
}

export async function runSeed(options: SimulatedSeed): Promise<SeedResult> {
  const { violation } = await simulate(options);
  return { seed: options.seed, violation };
}

export async function runResharingSeed(options: ResharingSeed): Promise<SeedResult> {
  const { violation } = await simulateResharing(options);
  return { seed: options.seed, violation };
}
