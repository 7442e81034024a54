// The command `npm run bench`. See bench/README.md.
import { BENCHMARKS } from './catalogue.js';
import { benchProgram } from './command/program.js';

await benchProgram(BENCHMARKS, new URL('./', import.meta.url));
