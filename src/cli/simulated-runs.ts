import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { defined } from '../base/defined.js';
import type { Violation } from '../consensus/simulator/model.js';
import { RESHARING_ACTORS } from '../consensus/simulator/resharing/resharing-scenario.js';
import { simulateResharing } from '../consensus/simulator/resharing/simulate-resharing.js';
import { ACTORS } from '../consensus/simulator/scenario.js';
import { simulate } from '../consensus/simulator/simulate.js';
import type { SeedResult, SeedTasks } from '../consensus/simulator/simulated-seed.js';

type Trace = ((line: string) => void) | undefined;

/** Runs with the same options. */
export interface RunsOf {
  /** The options on the command line. */
  readonly options: string;
  readonly one: (
    seed: number,
    trace: Trace,
  ) => Promise<{ readonly summary: string; readonly violation: Violation | undefined }>;
  /** Runs seeds in threads; see {@link simulateSeeds}. */
  readonly all: (seeds: Seeds, onResult: (result: SeedResult) => boolean) => Promise<void>;
}

/** A part of consensus that seeds can run. */
export interface SimulatedRuns {
  /** The option that selects it; empty for the default. */
  readonly option: string;
  readonly actors: readonly string[];
  readonly minValidators: number;
  /** @param chosen faulty validators that may take part, all by default */
  readonly of: (validators: number, chosen: readonly string[] | undefined) => RunsOf;
}

function agreement(sealed: boolean): SimulatedRuns {
  return {
    option: sealed ? '--sealed' : '',
    actors: ACTORS,
    // One validator needs nobody for a key.
    minValidators: sealed ? 2 : 1,
    of: (validators, chosen) => {
      const common = { validators, sealed, ...(chosen !== undefined && { actors: named(ACTORS, chosen) }) };
      return {
        options: `${sealed ? '--sealed ' : ''}${optionsOf(validators, chosen)}`,
        all: (seeds, onResult) => simulateSeeds('runSeed', seeds, common, onResult),
        one: async (seed, trace) => {
          const result = await simulate(defined({ ...common, seed, trace }));
          const { scenario, height, messages, virtualMs, violation } = result;
          const { able, withTransactions } = result.openBlocks;
          const summary =
            `${validators} validators, faulty: ${faultyOf(scenario.faulty)}; ` +
            (sealed ? `transactions in ${withTransactions} of ${able} blocks; ` : '') +
            `work ${scenario.work}; height ${height} after ${seconds(virtualMs)} of virtual time and ${messages} messages`;
          return { summary, violation };
        },
      };
    },
  };
}

/** The agreement on blocks. */
export const AGREEMENT = agreement(false);
/** The agreement on blocks with envelopes that open at each height. */
export const SEALED = agreement(true);

export const RESHARING: SimulatedRuns = {
  option: '--resharing',
  actors: RESHARING_ACTORS,
  // One validator has nobody to share with.
  minValidators: 2,
  of: (validators, chosen) => {
    const common = { validators, ...(chosen !== undefined && { actors: named(RESHARING_ACTORS, chosen) }) };
    return {
      options: `--resharing ${optionsOf(validators, chosen)}`,
      all: (seeds, onResult) => simulateSeeds('runResharingSeed', seeds, common, onResult),
      one: async (seed, trace) => {
        const result = await simulateResharing(defined({ ...common, seed, trace }));
        const { scenario, height, epochs, reshared, messages, virtualMs, violation } = result;
        const summary =
          `${validators} validators at first, faulty: ${faultyOf(scenario.faulty)}; ` +
          `${reshared} of ${epochs} epochs reshared, height ${height} after ${seconds(virtualMs)} of virtual time and ${messages} messages`;
        return { summary, violation };
      },
    };
  },
};

/** The known names among those that were chosen, in their own order. */
function named<T extends string>(known: readonly T[], chosen: readonly string[]): readonly T[] {
  return known.filter((name) => chosen.includes(name));
}

function optionsOf(validators: number, chosen: readonly string[] | undefined): string {
  const kinds = chosen === undefined ? '' : ` --byzantine ${chosen.join(',') || 'none'}`;
  return `--validators ${validators}${kinds}`;
}

function faultyOf(faulty: ReadonlyMap<number, readonly string[]>): string {
  return [...faulty].map(([index, names]) => `${names.join(' and ')} (${index})`).join(', ') || 'none';
}

function seconds(virtualMs: number): string {
  return `${(virtualMs / 1_000).toFixed(1)} s`;
}

/** Number of seeds that are worth another thread, which loads and compiles the code once more. */
const SEEDS_A_THREAD = 50;
/** Seeds given to each thread at a time, so that none waits for the next one. */
const AHEAD = 2;
/** Room for new objects: a run makes many short-lived ones, and a full room is searched for those still in use. */
const YOUNG_MIB = 96;

export interface Seeds {
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

/**
 * Runs seeds in threads, as many as there are processors.
 * @param task runs a seed in a thread
 * @param onResult called after each run, in any order; no more begin once it returns false
 * @throws the error of a failed thread
 */
export async function simulateSeeds<K extends keyof SeedTasks>(
  task: K,
  { from, to }: Seeds,
  common: Omit<SeedTasks[K], 'seed'>,
  onResult: (result: SeedResult) => boolean,
): Promise<void> {
  const threads = Math.min(availableParallelism(), Math.ceil((to - from + 1) / SEEDS_A_THREAD));
  const pool = new Piscina<unknown, SeedResult>({
    filename: new URL('../consensus/simulator/simulated-seed.js', import.meta.url).href,
    name: task,
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  });
  let next = from;
  const run = async () => {
    while (next <= to) {
      const seed = next++;
      if (!onResult(await pool.run({ ...common, seed }))) next = to + 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: threads * AHEAD }, run));
  } finally {
    await pool.destroy();
  }
}
