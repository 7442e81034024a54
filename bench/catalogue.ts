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
    name: 'growth-connections',
    part: 'growth',
    about: 'rate and p99 of reads, views and simulations by the number of connections',
    program: 'growth/connections.bench',
    quick: ['--connections', '1,16,256', '--rounds', '1', '--milliseconds', '300'],
  },
  {
    name: 'growth-workers',
    part: 'growth',
    about: 'view calls of 1 ms by --workers, and a block of such calls by the workers that share it',
    program: 'growth/workers.bench',
    quick: ['--workers', '1,2', '--rounds', '1', '--milliseconds', '500', '--calls', '50'],
  },
  {
    name: 'growth-state',
    part: 'growth',
    about: 'reads, proofs, transfers, start-up and memory by accounts in the state; none may grow',
    program: 'growth/state.bench',
    quick: [
      '--smallest',
      '5000',
      '--largest',
      '50000',
      '--rounds',
      '1',
      '--reads',
      '2000',
      '--transfers',
      '200',
    ],
  },
  {
    name: 'growth-chain',
    part: 'growth',
    about: 'a block, a history proof, start-up and memory by blocks of the chain; none may grow',
    program: 'growth/chain.bench',
    quick: ['--shortest', '500', '--longest', '5000', '--rounds', '1', '--proofs', '500', '--blocks', '5'],
  },
  {
    name: 'growth-conflicts',
    part: 'growth',
    about: 'a block shared by two workers by its share of conflicts, relative to one worker; at most 1.25',
    program: 'growth/conflicts.bench',
    quick: ['--calls', '50', '--transfers', '500', '--rounds', '1', '--unmeasured', '1'],
  },
];
