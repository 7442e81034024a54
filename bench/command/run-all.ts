import type { Benchmark } from '../catalogue/benchmark.js';
import type { BenchmarkResult, BenchmarkRun } from '../results/run.js';
import { verificationMicros } from '../support/machine-speed.js';
import { thisCommit, thisMachine } from './machine.js';
import { runBenchmark } from './run-benchmark.js';
import type { Selection } from './selection.js';

export interface RunSettings extends Selection {
  readonly quick: boolean;
  /** Folder of the compiled programs, as a URL that ends with a slash. */
  readonly programs: URL;
  /** Ends the benchmark that runs; those after it do not start. */
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
}

/** Runs benchmarks one after another. */
export async function runAll(settings: RunSettings): Promise<BenchmarkRun> {
  const { benchmarks, quick, signal, print } = settings;
  const began = new Date().toISOString();
  const commit = thisCommit();
  const machine = thisMachine();
  print(`Node.js ${machine.node} on ${machine.cores} cores, ${machine.processor}`);
  const before = await verificationMicros();
  const results: BenchmarkResult[] = [];
  for (const [index, benchmark] of benchmarks.entries()) {
    if (signal.aborted) break;
    print(`\n[${index + 1}/${benchmarks.length}] ${benchmark.name}: ${benchmark.about}`);
    const result = await runBenchmark({
      ...settings,
      benchmark,
      arguments: argumentsOf(benchmark, settings),
    });
    if (result.failure !== undefined) print(`${benchmark.name} failed: ${result.failure}`);
    results.push(result);
  }
  const after = await verificationMicros();
  return {
    format: 'heddle-bench-1',
    began,
    ...(commit === undefined ? {} : { commit }),
    quick,
    machine: { ...machine, verificationMicros: [before, after] },
    benchmarks: results,
  };
}

function argumentsOf({ quick = [] }: Benchmark, settings: RunSettings): string[] {
  return [...(settings.quick ? quick : []), ...settings.arguments];
}
