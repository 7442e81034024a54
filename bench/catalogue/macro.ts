import type { Benchmark } from './benchmark.js';

export const MACRO: readonly Benchmark[] = [
  {
    name: 'reads',
    part: 'macro',
    group: 'peers',
    about: 'tip, account and batch of accounts over HTTP, beside anvil, ganache and bare uWebSockets.js',
    program: 'macro/reads.bench',
    quick: ['--rounds', '2', '--milliseconds', '250', '--connections', '16'],
  },
  {
    name: 'contract-calls',
    part: 'macro',
    group: 'peers',
    about: 'views, simulations and traces of contracts over HTTP, beside anvil and ganache',
    program: 'macro/contract-calls.bench',
    quick: ['--rounds', '2', '--milliseconds', '250', '--connections', '16', '--skip-variants'],
  },
  {
    name: 'transfers-side-by-side',
    part: 'macro',
    group: 'peers',
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
];
