import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { FOUND_SEEDS } from '../found-seeds.js';
import { mutatedCopy, type PackagePaths } from './mutated-copy.js';
import type { Mutation } from './mutation.js';

/** Seeds of a number of validators. */
export interface SeedRange {
  readonly validators: number;
  readonly from: number;
  readonly to: number;
}

/** The seeds that the slow tier of the test suite runs, those first that have found something. */
const SUITE_SEEDS: readonly SeedRange[] = [
  ...FOUND_SEEDS.map(({ validators, seed }) => ({ validators, from: seed, to: seed })),
  { validators: 4, from: 1, to: 3_000 },
  { validators: 7, from: 1, to: 300 },
  { validators: 1, from: 1, to: 100 },
];

/** The seeds of resharing that the slow tier runs. */
const RESHARING_SEEDS: readonly SeedRange[] = [
  { validators: 4, from: 1, to: 250 },
  { validators: 7, from: 1, to: 50 },
];

/** The seeds of the test suite that must find a mutation. */
export function suiteSeeds({ resharing }: Mutation): readonly SeedRange[] {
  return resharing === true ? RESHARING_SEEDS : SUITE_SEEDS;
}

/** Time after which a mutated program counts as hanging, in milliseconds. */
const MAX_RUN_MS = 20 * 60_000;

/** The first seed whose run fails, and how. */
export interface Finding {
  readonly validators: number;
  readonly seed: number;
  readonly kind: string;
  readonly what: string;
}

/** Runs the seeds with a mutation until one fails. @returns undefined if none does */
export async function findMutation(
  paths: PackagePaths,
  mutation: Mutation,
  seeds: readonly SeedRange[],
): Promise<Finding | undefined> {
  const copy = mutatedCopy(paths, mutation);
  try {
    return await firstFailure(copy, mutation, seeds);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function firstFailure(
  copy: string,
  { resharing }: Mutation,
  seeds: readonly SeedRange[],
): Promise<Finding | undefined> {
  const worker = fileURLToPath(new URL('seeds-worker.js', import.meta.url));
  const module = resharing === true ? 'resharing/simulate-resharing.js' : 'simulate.js';
  const simulator = pathToFileURL(join(copy, 'src/consensus/simulator', module)).href;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [worker, simulator, JSON.stringify(seeds)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: MAX_RUN_MS,
      killSignal: 'SIGKILL',
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString();
    });
    child.stderr.on('data', (data: Buffer) => {
      errors += data.toString();
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(output === '' ? undefined : (JSON.parse(output) as Finding));
      else
        resolve({
          validators: 0,
          seed: 0,
          kind: 'crash',
          what: errors.trim().split('\n').at(-1) ?? 'it hangs',
        });
    });
  });
}
