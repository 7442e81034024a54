import type { Benchmark } from './benchmark.js';

export const FLOODS: readonly Benchmark[] = [
  {
    name: 'floods',
    part: 'floods',
    about: 'latency, block times and memory of a node for an honest client, while another address floods it',
    program: 'floods/floods',
    quick: ['--seconds', '2'],
  },
];
