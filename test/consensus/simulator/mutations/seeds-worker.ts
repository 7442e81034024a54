import type { Violation } from '../../../../src/consensus/simulator/model.js';
import type { SeedRange } from './find-mutation.js';

// A process of its own for the runs of a mutated program. Arguments: the simulator's module, and the seeds as JSON.
// Writes the first failure as JSON, or nothing.

type Simulate = (options: {
  readonly seed: number;
  readonly validators: number;
}) => Promise<{ readonly violation: Violation | undefined }>;

/** The module of agreement or that of resharing. */
interface Simulator {
  readonly simulate?: Simulate;
  readonly simulateResharing?: Simulate;
}

const [, , module = '', ranges = '[]'] = process.argv;
const simulator = (await import(module)) as Simulator;
const run = simulator.simulate ?? simulator.simulateResharing;
const found = await firstFailure(JSON.parse(ranges) as readonly SeedRange[]);
if (found !== undefined) process.stdout.write(JSON.stringify(found));

async function firstFailure(seeds: readonly SeedRange[]) {
  for (const { validators, from, to } of seeds) {
    for (let seed = from; seed <= to; seed++) {
      const violation = (await run?.({ seed, validators }))?.violation;
      if (violation !== undefined) return { validators, seed, kind: violation.kind, what: violation.what };
    }
  }
  return undefined;
}
