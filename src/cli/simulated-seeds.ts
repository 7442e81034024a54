import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import type { SeedResult, SeedTasks } from '../consensus/simulator/simulated-seed.js';

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
