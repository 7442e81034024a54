/** A group of benchmarks; its name on the command line selects all of them. */
export type Part = 'micro' | 'macro' | 'growth' | 'load' | 'floods' | 'engine';

export interface Benchmark {
  /**
   * Name on the command line: lower case with hyphens, unique. It may be that of a part only if the part has no other
   * benchmark.
   */
  readonly name: string;
  readonly part: Part;
  /**
   * One line for `--list`, the report and bench/README.md: the thing measured, then its baseline or aim; no full stop.
   * Code is in backquotes.
   */
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
    name: 'crypto',
    part: 'micro',
    about: 'hashing, signing and verification, native beside the fallback',
    program: 'crypto.bench',
    quick: ['--rounds', '3', '--milliseconds', '30'],
  },
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
    about: 'processor time of a kept result, beside the same call without `--result-cache`',
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
    name: 'validators',
    part: 'load',
    about:
      'signed transfers at a steady rate, spread over four validators on this machine, until all are final',
    program: 'load/four-validators',
    quick: ['--seconds', '5'],
  },
  {
    name: 'floods',
    part: 'floods',
    about: 'latency, block times and memory of a node for an honest client, while another address floods it',
    program: 'floods/floods',
    quick: ['--seconds', '2'],
  },
  {
    name: 'abi',
    part: 'engine',
    about: 'run-time codecs of contract arguments, results and events',
    program: 'abi.bench',
  },
  {
    name: 'caches',
    part: 'engine',
    about: 'the hand-written map caches beside `lru-cache` with the same entries',
    program: 'caches.bench',
  },
  {
    name: 'calls',
    part: 'engine',
    about: 'the worker side of a view call and of a transfer as view, simulation and trace, in one thread',
    program: 'calls.bench',
    quick: ['--calls', '4000', '--rounds', '3'],
  },
  {
    name: 'dkg',
    part: 'engine',
    about: 'resharing of the group key by number of validators: dealing, evaluation and check',
    program: 'dkg.bench',
    quick: ['require', '4', '10'],
  },
  {
    name: 'frames',
    part: 'engine',
    about: 'search for the function with the largest real stack frame; bound: a third of the margin',
    program: 'frames.bench',
    quick: ['0.2'],
  },
  {
    name: 'http',
    part: 'engine',
    about: 'processor time of a request in the front end, beside a bare handler in the same thread',
    program: 'http.bench',
    quick: ['0.5'],
  },
  {
    name: 'mempool',
    part: 'engine',
    about: '100,000 transactions admitted, drawn for blocks and removed; the journal; signatures in workers',
    program: 'mempool.bench',
    quick: ['20000'],
  },
  {
    name: 'mesh',
    part: 'engine',
    about: 'latency of votes and blocks between two validators, beside bare TLS sockets with the same bytes',
    program: 'mesh.bench',
    quick: ['2'],
  },
  {
    name: 'parallel',
    part: 'engine',
    about:
      'blocks executed by several workers, beside serial execution, by share of conflicting transactions',
    program: 'parallel.bench',
    quick: ['--rounds', '1', '--workers', '1,2'],
  },
  {
    name: 'prices',
    part: 'engine',
    about: 'time per gas of each price in the schedule; aim: at most 4 ns',
    program: 'prices.bench',
    quick: [
      '--gas',
      '5000000',
      '--milliseconds',
      '50',
      '--entries',
      '20000',
      '--random-modules',
      '5',
      '--frame-minutes',
      '0.1',
    ],
  },
  {
    name: 'snapshot',
    part: 'engine',
    about: 'creation, export, import and verification of a snapshot of 1,000,000 accounts; start with it',
    program: 'snapshot.bench',
    quick: ['100000'],
  },
  {
    name: 'store',
    part: 'engine',
    about: 'batching, writing, reading and scanning of entries; memory of writes',
    program: 'store.bench',
    quick: ['100000'],
  },
  {
    name: 'threshold',
    part: 'engine',
    about:
      'threshold signatures signed, combined and checked; envelopes sealed and opened, beside one signature and verification',
    program: 'threshold.bench',
  },
  {
    name: 'trace',
    part: 'engine',
    about:
      'traces of every transaction of a block, beside one execution of the block; aim: 3 times in a worker',
    program: 'trace-block.bench',
    quick: ['--transactions', '200', '--rounds', '3', '--warm-up', '3'],
  },
  {
    name: 'tree',
    part: 'engine',
    about: 'the state tree: rebuild, start, roots of blocks, proofs; floor: two hashes for each changed key',
    program: 'tree.bench',
    quick: ['100000', '2000'],
  },
  {
    name: 'tree-memory',
    part: 'engine',
    about: 'memory of the proof worker with 10,000,000 keys; aim: `--tree-memory` and 512 MiB',
    program: 'tree-memory.bench',
    quick: ['500000'],
    nodeFlags: ['--heap-growing-percent=100'],
  },
  {
    name: 'views-pool',
    part: 'engine',
    about:
      'overhead of the worker pool for a view call, beside the same calls in the calling thread; aim: 4 µs',
    program: 'view-call-pool.bench',
    quick: ['--rounds', '3', '--calls', '20000'],
  },
  {
    name: 'vm',
    part: 'engine',
    about:
      'overhead of the contract engine beside the same loop without metering; a cold call of a large contract',
    program: 'vm.bench',
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
