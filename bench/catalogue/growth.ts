import type { Benchmark } from './benchmark.js';

export const GROWTH: readonly Benchmark[] = [
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
    name: 'growth-pruned',
    part: 'growth',
    about: 'a read of an absent key by the number of keys whose history was pruned; must not grow',
    program: 'growth/pruned.bench',
    quick: ['--largest', '10000', '--rounds', '2'],
  },
  {
    name: 'growth-conflicts',
    part: 'growth',
    about: 'a block shared by two workers by its share of conflicts, relative to one worker; at most 1.25',
    program: 'growth/conflicts.bench',
    quick: ['--calls', '50', '--transfers', '500', '--rounds', '1', '--unmeasured', '1'],
  },
];
