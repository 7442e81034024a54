// The command `npm run bench`. See bench/README.md.
import { constants } from 'node:os';
import { BENCHMARKS } from './catalogue.js';
import { benchCommand } from './command/bench-command.js';

const interrupted = new AbortController();
let signalCode: number | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    signalCode = 128 + constants.signals[signal];
    interrupted.abort();
  });
}
const exitCode = await benchCommand(process.argv.slice(2), {
  catalogue: BENCHMARKS,
  programs: new URL('./', import.meta.url),
  signal: interrupted.signal,
  out: (line) => console.log(line),
  err: (line) => console.error(line),
});
process.exitCode = signalCode ?? exitCode;
