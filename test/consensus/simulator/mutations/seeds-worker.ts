import type { SimulationOptions, SimulationResult } from '../../../../src/consensus/simulator/simulate.js';
import type { SeedRange } from './find-mutation.js';

// A process of its own for the runs of a mutated program. Arguments: the simulator's module, and the seeds as JSON.
// Writes the first failure as JSON, or nothing.

interface Simulator {
  readonly simulate: (options: SimulationOptions) => Promise<SimulationResult>;
}

const [, , module = '', ranges = '[]'] = process.argv;
const { simulate } = (await import(module)) as Simulator;
const found = await firstFailure(JSON.parse(ranges) as readonly SeedRange[]);
if (found !== undefined) process.stdout.write(JSON.stringify(found));

async function firstFailure(seeds: readonly SeedRange[]) {
  for (const { validators, from, to } of seeds) {
    for (let seed = from; seed <= to; seed++) {
      const { violation } = await simulate({ seed, validators });
      if (violation !== undefined) return { validators, seed, kind: violation.kind, what: violation.what };
    }
  }
  return undefined;
}
