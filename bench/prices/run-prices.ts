import { parentPort, workerData } from 'node:worker_threads';
import { errorMessage } from '../../src/base/errors.js';
import type { NativeMode } from '../../src/config/native-mode.js';
import type { StoreHandle } from '../../src/storage/store.js';
import { hostCases } from './host-cases.js';
import { instanceCases, randomCases } from './instance-cases.js';
import { instructionCases } from './instruction-cases.js';
import { type Measured, PriceWorld } from './price-world.js';
import { stackCases } from './stack-cases.js';

export interface PriceTask {
  readonly store: StoreHandle;
  readonly native: NativeMode;
  readonly entries: number;
  /** The last height of the store. */
  readonly tip: bigint;
  readonly gas: number;
  readonly milliseconds: number;
  readonly randomModules: number;
  readonly only?: string;
}

export interface PriceLine {
  readonly price: string;
  readonly shape: string;
  /**
   * Best nanoseconds per gas once the engine's compilers have finished, and nanoseconds per gas of the very first
   * run.
   */
  readonly warm: number;
  readonly first: number;
  /** The unexpected status or error of a case. */
  readonly problem?: string;
}

const { store, native, entries, tip, gas, milliseconds, randomModules, only } = workerData as PriceTask;
const world = await PriceWorld.open(store, native, tip);
const cases = [
  ...instructionCases(),
  ...(await hostCases(world.crypto, native, entries)),
  ...instanceCases(),
  ...stackCases(),
  ...randomCases(randomModules),
];
for (const one of cases) {
  if (only !== undefined && !`${one.price}: ${one.shape}`.includes(only)) continue;
  parentPort?.postMessage(measure(one));
}
parentPort?.postMessage(undefined);

function measure(one: Parameters<PriceWorld['prepare']>[0]): PriceLine {
  const name = { price: one.price, shape: one.shape };
  try {
    const run = world.prepare(one);
    const rate = ({ nanoseconds, gas: used }: Measured): number => nanoseconds / Math.max(1, used);
    const first = run(BigInt(gas));
    let best = Number.POSITIVE_INFINITY;
    const end = performance.now() + milliseconds;
    // Twelve runs let a case with many contracts enter all of them.
    const least = one.inputOf === undefined ? 4 : 12;
    for (let rounds = 0; rounds < least || (rounds < 40 && performance.now() < end); rounds++) {
      if (rounds > 0 && performance.now() > end + 10 * milliseconds) break;
      best = Math.min(best, rate(run(BigInt(gas))));
    }
    return {
      ...name,
      warm: best,
      first: rate(first),
      ...(first.status === (one.end ?? 'out_of_gas') ? {} : { problem: first.status }),
    };
  } catch (error) {
    return {
      ...name,
      warm: Number.NaN,
      first: Number.NaN,
      problem: errorMessage(error),
    };
  }
}
