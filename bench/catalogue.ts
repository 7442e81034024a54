/** A group of benchmarks; its name on the command line selects all of them. */
export type Part = 'micro' | 'macro' | 'growth' | 'load' | 'floods' | 'engine';

export interface Benchmark {
  /** Name on the command line: lower case with hyphens, unique also among the parts. */
  readonly name: string;
  readonly part: Part;
  /** One line for `--list`: the thing measured, then its baseline or aim. */
  readonly about: string;
  /** Program, relative to this folder, without its extension. */
  readonly program: string;
  /** Arguments of `--quick`; a benchmark without them has no shorter form. */
  readonly quick?: readonly string[];
  /** Arguments that are always given, before those of the command line. */
  readonly fixed?: readonly string[];
  /** Flags of Node.js. */
  readonly nodeFlags?: readonly string[];
}

/** The parts that run when no name is given: they answer how fast the node is, and how cost grows. */
export const DEFAULT_PARTS: readonly Part[] = ['micro', 'macro', 'growth'];

export const BENCHMARKS: readonly Benchmark[] = [
  {
    name: 'codecs',
    part: 'micro',
    about: 'Borsh and JSON of transactions and answers, beside JSON.parse and JSON.stringify',
    program: 'codecs.bench',
  },
  {
    name: 'reads',
    part: 'macro',
    about: 'tip, account and batch of accounts over HTTP, beside anvil, ganache and bare uWebSockets.js',
    program: 'macro/reads.bench',
    quick: ['--rounds', '2', '--milliseconds', '300', '--connections', '16'],
  },
  {
    name: 'contract-calls',
    part: 'macro',
    about: 'views, simulations and traces of contracts over HTTP, beside anvil and ganache',
    program: 'macro/contract-calls.bench',
    quick: ['--rounds', '2', '--milliseconds', '300', '--connections', '16', '--skip-variants'],
  },
  {
    name: 'transfers-side-by-side',
    part: 'macro',
    about:
      'signed transfers until all are in blocks, beside anvil and ganache; aim: twice as many a second as anvil',
    program: 'macro/transfers-side-by-side.bench',
    quick: ['--rounds', '1', '--transfers', '8000', '--accounts', '100'],
  },
  {
    name: 'start-and-memory',
    part: 'macro',
    about: 'start-up until the first answer, memory idle and after reads, beside anvil and ganache',
    program: 'macro/start-and-memory.bench',
    quick: ['--rounds', '1', '--milliseconds', '500'],
  },
  {
    name: 'cold-calls',
    part: 'engine',
    about: 'first call of contracts of 100 KiB on a node that has just started; aim 50 ms',
    program: 'cold-calls.bench',
    quick: ['--contracts', '3'],
  },
];
