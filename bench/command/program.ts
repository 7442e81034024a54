import { constants } from 'node:os';
import type { Benchmark } from '../catalogue/benchmark.js';
import { benchCommand } from './bench-command.js';

/**
 * Runs the command with the arguments, signals and output of this process.
 *
 * @param programs folder of the compiled programs, as a URL that ends with a slash
 */
export async function benchProgram(catalogue: readonly Benchmark[], programs: URL): Promise<void> {
  const interrupted = new AbortController();
  let signalCode: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      signalCode = 128 + constants.signals[signal];
      interrupted.abort();
    });
  }
  const exitCode = await benchCommand(process.argv.slice(2), {
    catalogue,
    programs,
    signal: interrupted.signal,
    out: (line) => console.log(line),
    err: (line) => console.error(line),
  });
  process.exitCode = signalCode ?? exitCode;
}
