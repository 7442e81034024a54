import { Bench } from 'tinybench';
import type { Aim, Unit } from '../results/figure.js';
import { recordFigure } from '../results/record.js';
import { median } from '../results/rounds.js';
import { benchArguments } from '../support/bench-arguments.js';

/** Work to be timed. A promise that it returns is waited for. */
export interface Task {
  readonly run: () => unknown;
  /** Number of operations that one call of `run` does; 1 if absent. */
  readonly operations?: number;
}

/** The least that the same work can cost, or another way to do it. */
export interface Floor extends Task {
  readonly name: string;
}

export interface PairedTask extends Task {
  /** Name of the figure. */
  readonly name: string;
  readonly floors: readonly Floor[];
  readonly aim?: Aim;
}

/** Calls of a short function are timed together, so that reading the clock costs little beside them. */
const SAMPLE_NS = 50_000;
/** Of short functions, so that a busy machine leaves some undisturbed. */
const CHEAP_SAMPLES = 16;
const NS_PER: Readonly<Record<'ns' | 'µs', number>> = { ns: 1, µs: 1_000 };

/** The options of all micro benchmarks. */
function roundOptions(): { readonly rounds: number; readonly milliseconds: number } {
  const values = benchArguments({
    rounds: { type: 'string', default: '5' },
    milliseconds: { type: 'string', default: '150' },
  });
  const count = (name: keyof typeof values): number => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1) {
      throw new RangeError(`--${name}: expected a count of at least 1, got ${values[name]}`);
    }
    return value;
  };
  return { rounds: count('rounds'), milliseconds: count('milliseconds') };
}

/**
 * Times each task in turn with its floors, for some rounds. A round's value is the median time of one operation. Prints
 * the medians of the rounds, and records them.
 *
 * Options of the command line: `--rounds` and `--milliseconds` of each task in a round.
 */
export async function measurePairs(
  title: string,
  unit: Extract<Unit, 'ns' | 'µs'>,
  pairs: readonly PairedTask[],
): Promise<void> {
  const { rounds, milliseconds } = roundOptions();
  console.log(`\n${title}: median time of one operation, ${rounds} rounds, in turn with the floors`);
  const width = Math.max(...pairs.map(({ name }) => name.length));
  for (const { name, aim, floors, ...own } of pairs) {
    const tasks = [];
    for (const task of [own, ...floors]) tasks.push(await prepared(task, milliseconds));
    const measured: number[][] = tasks.map(() => []);
    for (let round = 0; round < rounds; round++) {
      for (const [place, task] of tasks.entries()) {
        measured[place]?.push((await nanoseconds(task, milliseconds)) / NS_PER[unit]);
      }
    }
    const [figure = [], ...baselines] = measured;
    recordFigure({
      name,
      unit,
      better: 'lower',
      rounds: figure,
      baselines: floors.map((floor, place) => ({ name: floor.name, rounds: baselines[place] ?? [] })),
      ...(aim === undefined ? {} : { aim }),
    });
    const middle = median(figure);
    const columns = floors.map((floor, place) => {
      const base = median(baselines[place] ?? []);
      return `${floor.name} ${shown(base)} ${unit}, × ${(middle / base).toFixed(2)}`;
    });
    console.log(`  ${name.padEnd(width)}  ${shown(middle).padStart(10)} ${unit}   ${columns.join('; ')}`);
  }
}

interface PreparedTask {
  readonly operations: number;
  /** Samples to take at least, however long they take. */
  readonly samples: number;
  readonly run: () => unknown;
}

/** Warms a task up, and gathers enough calls of it for one sample. */
async function prepared({ run, operations = 1 }: Task, milliseconds: number): Promise<PreparedTask> {
  const begin = performance.now();
  let isAsync = false;
  do {
    const result = run();
    isAsync = result instanceof Promise;
    await result;
  } while (performance.now() - begin < milliseconds / 2);
  const callNs = (await nanoseconds({ operations: 1, samples: 1, run }, milliseconds / 4)) || 1;
  const together = isAsync ? 1 : Math.max(1, Math.ceil(SAMPLE_NS / callNs));
  if (together === 1) return { operations, samples: 1, run };
  return {
    operations: operations * together,
    samples: CHEAP_SAMPLES,
    run: () => {
      for (let i = 0; i < together; i++) run();
    },
  };
}

async function nanoseconds(
  { operations, samples, run }: PreparedTask,
  milliseconds: number,
): Promise<number> {
  const bench = new Bench({ time: milliseconds, iterations: samples, warmup: false, throws: true });
  bench.add('task', run);
  await bench.run();
  const result = bench.tasks[0]?.result;
  if (result?.state !== 'completed') throw new Error('the task did not complete');
  return (result.latency.p50 * 1e6) / operations;
}

function shown(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });
}
