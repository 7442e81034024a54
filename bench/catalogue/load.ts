import type { Benchmark } from './benchmark.js';

export const LOAD: readonly Benchmark[] = [
  {
    name: 'rpc',
    part: 'load',
    about:
      '`status`, `account` and `state_proof` over HTTP, beside a bare uWebSockets.js server that parses the same JSON',
    program: 'load/rpc-load',
    quick: ['--rounds', '3', '--milliseconds', '500'],
  },
  {
    name: 'views',
    part: 'load',
    about: '`view_call` over HTTP, beside a bare uWebSockets.js server that sends the same answers',
    program: 'view-call.bench',
    quick: ['--rounds', '3', '--milliseconds', '1000', '--connections', '16'],
  },
  {
    name: 'status-beside-traces',
    part: 'load',
    about: '`status` while 64 connections trace calls, beside anvil; aim: p50 of 1 ms and p99 of 5 ms',
    program: 'macro/status-beside-traces.bench',
    quick: ['--rounds', '2', '--milliseconds', '1000'],
  },
  {
    name: 'threads',
    part: 'load',
    about: 'processor time of each thread for a request of seven kinds',
    program: 'load/thread-time',
    quick: ['--milliseconds', '500'],
  },
  {
    name: 'transfers',
    part: 'load',
    about:
      'signed transfers over HTTP until all are sealed, and `status` meanwhile; aim: 10,000/s on two cores',
    program: 'load/transfers',
    quick: ['--transfers', '20000'],
  },
  {
    name: 'large-writes',
    part: 'load',
    about: 'memory of a follower on full blocks of 16 KiB writes; at most 1.2 GiB',
    program: 'load/large-writes',
    quick: ['--blocks', '10'],
  },
  {
    name: 'catch-up',
    part: 'load',
    about: 'a follower on the sealing machine from genesis and from a snapshot, beside the sealing rate',
    program: 'load/catch-up',
    quick: ['--transactions', '10000'],
  },
  {
    name: 'soak',
    part: 'load',
    about:
      'memory over 2,000,000 transfers, shutdown, and restart on the stored chain; fails if memory grows',
    program: 'load/soak',
    quick: ['--transfers', '200000'],
  },
  {
    name: 'kept',
    part: 'load',
    about: 'processor time of a mix of calls with repeats, beside the same mix without `--result-cache`',
    program: 'kept-results.bench',
    quick: ['--rounds', '2', '--calls', '1000'],
  },
  {
    name: 'subscriptions',
    part: 'load',
    about: 'processor time of log filters and replays at their limits, beside a node without subscriptions',
    program: 'subscriptions.bench',
    quick: ['--blocks', '1000', '--seconds', '3', '--rounds', '1'],
  },
  {
    name: 'cost-units',
    part: 'load',
    about: 'processor time per compute unit of each method with its worst parameters; aim: 5 to 500 µs',
    program: 'load/cost-units',
    quick: ['--milliseconds', '150'],
  },
  {
    name: 'read-your-writes',
    part: 'load',
    about: 'reads of the state after a receipt, each on another connection; fails if one is older',
    program: 'floods/read-your-writes',
    quick: ['--rounds', '5000'],
  },
  {
    name: 'tools',
    part: 'load',
    about:
      '`heddle simulate`, `heddle load` and `heddle replay` beside a node: rate, processor time and memory',
    program: 'load/tools',
    quick: ['--calls', '20000', '--seconds', '3'],
  },
  {
    name: 'farm',
    part: 'load',
    about:
      'calls with `heddle simulate`, with a farm of one node and of two, in turn; the cost of a job to Redis',
    program: 'load/farm',
    quick: ['--calls', '2000', '--rounds', '1'],
  },
  {
    name: 'shared-quotas',
    part: 'load',
    about:
      'a request with a token whose quota is in Redis, beside the embedded store; cost of a token to Redis',
    program: 'load/shared-quotas',
    quick: ['--rounds', '2', '--milliseconds', '500'],
  },
  {
    name: 'validators',
    part: 'load',
    about:
      'signed transfers at a steady rate, spread over four validators on this machine, until all are final',
    program: 'load/four-validators',
    quick: ['--seconds', '5'],
  },
];
