import type { DevChain } from './dev-chain.js';
import { CONSTANT, LINEAR, type Quantity } from './growth.js';
import type { MeasuredStart } from './starts.js';

const START = 'start-up';
const START_CPU = 'start-up, processor time';
const MEMORY = 'memory after the start';
const MAKING = 'making it with heddle dev-state';

/** What every chain of `heddle dev-state` costs. @param each one of the things that the size counts, such as `block` */
export function chainQuantities(each: string): readonly Quantity[] {
  return [
    { name: START, unit: 's', better: 'lower', largestExponent: CONSTANT },
    { name: START_CPU, unit: 's', better: 'lower', largestExponent: CONSTANT },
    { name: MEMORY, unit: 'MiB', better: 'lower', largestExponent: CONSTANT },
    { name: `disk per ${each}`, unit: 'bytes', better: 'lower', largestExponent: CONSTANT },
    { name: MAKING, unit: 's', better: 'lower', largestExponent: LINEAR },
  ];
}

/** The rounds of {@link chainQuantities}. */
export function chainCosts(
  each: string,
  size: number,
  { bytes, seconds }: DevChain,
  starts: readonly MeasuredStart[],
): Readonly<Record<string, readonly number[]>> {
  return {
    [START]: starts.map((start) => start.seconds),
    [START_CPU]: starts.map(({ cpuSeconds }) => cpuSeconds),
    [MEMORY]: starts.map(({ residentMiB }) => residentMiB),
    [`disk per ${each}`]: [bytes / size],
    [MAKING]: [seconds],
  };
}
