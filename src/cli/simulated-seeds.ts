import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Violation } from '../consensus/simulator/model.js';
import { type SimulationOptions, simulate } from '../consensus/simulator/simulate.js';
import { CliError } from './cli-error.js';

/** Number of seeds that are worth another thread, which loads and compiles the code once more. */
const SEEDS_A_THREAD = 50;
/** Room for new objects: a run makes many that are soon garbage, and each full room is searched for the others. */
const YOUNG_MIB = 96;

/** Runs of consecutive seeds. Threads share `next`: the number of seeds taken so far. */
export interface SeedWork {
  readonly common: Omit<SimulationOptions, 'seed' | 'rules' | 'trace'>;
  readonly from: number;
  readonly to: number;
  readonly next: Int32Array<SharedArrayBuffer>;
}

export interface SeedResult {
  readonly seed: number;
  readonly violation: Violation | undefined;
}

/** Runs seeds that no other thread has taken, until none is left. */
export async function simulateNext(work: SeedWork, onResult: (result: SeedResult) => void): Promise<void> {
  const { common, from, to, next } = work;
  for (let seed = from + Atomics.add(next, 0, 1); seed <= to; seed = from + Atomics.add(next, 0, 1)) {
    const { violation } = await simulate({ ...common, seed });
    onResult({ seed, violation });
  }
}

/**
 * Runs seeds on all processors; a few of them in one thread.
 * @param onResult called after each run, in any order; no more begin once it returns false
 * @throws CliError if a thread fails
 */
export async function simulateSeeds(
  { common, from, to }: Pick<SeedWork, 'common' | 'from' | 'to'>,
  onResult: (result: SeedResult) => boolean,
): Promise<void> {
  const next = new Int32Array(new SharedArrayBuffer(4));
  const work = { common, from, to, next };
  const seeds = to - from + 1;
  const threads = Math.max(1, Math.min(availableParallelism(), Math.floor(seeds / SEEDS_A_THREAD)));
  await Promise.all(
    Array.from({ length: threads }, () =>
      runThread(work, (result) => {
        if (!onResult(result)) Atomics.store(next, 0, seeds);
      }),
    ),
  );
}

function runThread(workerData: SeedWork, onResult: (result: SeedResult) => void): Promise<void> {
  const worker = new Worker(new URL('../../workers/simulation-worker.js', import.meta.url), {
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
  });
  return new Promise((resolve, reject) => {
    worker.on('message', onResult);
    worker.on('error', (error: Error) => {
      const { from, to, next } = workerData;
      Atomics.store(next, 0, to - from + 1);
      reject(new CliError('failure', `a simulation failed: ${error.message}`, { cause: error }));
    });
    worker.on('exit', () => resolve());
  });
}
