import { type Random, randomBelow, seededRandom } from '../../load/workload.js';
import { type FarmNode, NodeAwayError, type NodeCall } from '../node/farm-node.js';
import type { Pin } from '../run/run-record.js';
import { pinnedCall } from '../worker/pinned-call.js';
import type { CheckedCall } from './call-source.js';

/** Number of calls tried per method, and the time limit of all of them together, in milliseconds. */
const SAMPLE = 8;
const SAMPLE_MS = 5_000;

/** Cost of a call of a method that could not be tried, in microseconds. */
const USUAL_US = 1_000;

/** Chooses a few calls of each method, evenly over the input. */
export class CallSample {
  readonly #methods = new Map<string, { seen: number; readonly calls: CheckedCall[] }>();
  readonly #random: Random = seededRandom(1);

  /** Takes the call with the probability of its share in the sample (reservoir sampling, Vitter's algorithm R). */
  add(call: CheckedCall): void {
    const of = this.#methods.get(call.method) ?? { seen: 0, calls: [] };
    this.#methods.set(call.method, of);
    of.seen++;
    if (of.calls.length < SAMPLE) of.calls.push(call);
    else {
      const place = randomBelow(this.#random, of.seen);
      if (place < SAMPLE) of.calls[place] = call;
    }
  }

  /** Number of calls seen, by method. */
  get counts(): ReadonlyMap<string, number> {
    return new Map([...this.#methods].map(([method, { seen }]) => [method, seen]));
  }

  /**
   * Makes the chosen calls, one at a time. The slowest of a method does not count: the first call of a contract compiles
   * its code.
   * @returns the mean time of a call in microseconds, by method
   * @throws NodeAwayError, or the signal's reason
   */
  async measure(
    node: FarmNode,
    pinOf: (call: CheckedCall) => Promise<Pin> | Pin,
    overrides: string | undefined,
    signal: AbortSignal,
  ): Promise<Record<string, number>> {
    const costs: Record<string, number> = {};
    const end = performance.now() + SAMPLE_MS;
    for (const [method, { calls }] of this.#methods) {
      const times: number[] = [];
      for (const call of calls) {
        if (performance.now() > end) break;
        const timeUs = await timeOf(node, pinnedCall(call, await pinOf(call), overrides), signal);
        if (timeUs !== undefined) times.push(timeUs);
      }
      costs[method] = meanWithoutSlowest(times) ?? USUAL_US;
    }
    return costs;
  }
}

/** A positive integer; undefined without times. */
function meanWithoutSlowest(times: readonly number[]): number | undefined {
  if (times.length === 0) return undefined;
  const slowest = times.length === 1 ? 0 : Math.max(...times);
  const counted = Math.max(1, times.length - 1);
  const sum = times.reduce((total, time) => total + time, 0) - slowest;
  return Math.max(1, Math.round(sum / counted));
}

/** How long a node takes for a call, in microseconds; undefined if it lacks the state, which the workers may have. */
async function timeOf(node: FarmNode, call: NodeCall, signal: AbortSignal): Promise<number | undefined> {
  try {
    return (await node.call(call, signal)).timeUs;
  } catch (error) {
    if (error instanceof NodeAwayError && error.code === 'lacks_state') return undefined;
    throw error;
  }
}
