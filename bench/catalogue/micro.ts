import type { Benchmark } from './benchmark.js';

/** Seconds for all micro benchmarks together. */
const QUICK_ROUNDS = ['--rounds', '3', '--milliseconds', '20'];

export const MICRO: readonly Benchmark[] = [
  {
    name: 'codecs',
    part: 'micro',
    about: 'Borsh and JSON of transactions and answers, beside JSON.parse and JSON.stringify',
    program: 'micro/codecs.bench',
    quick: QUICK_ROUNDS,
  },
  {
    name: 'hashes',
    part: 'micro',
    about: 'sha256, pairs of hashes, keccak256 and blake3, beside @noble/hashes and node:crypto',
    program: 'micro/hashes.bench',
    quick: QUICK_ROUNDS,
  },
  {
    name: 'tree-update',
    part: 'micro',
    about: 'a changed key in the state tree, beside its hashes alone',
    program: 'micro/tree-update.bench',
    quick: QUICK_ROUNDS,
  },
  {
    name: 'history-range',
    part: 'micro',
    about: 'the history’s Merkle range: append, prove and verify, beside its hashes alone',
    program: 'micro/history-range.bench',
    quick: QUICK_ROUNDS,
  },
  {
    name: 'interfaces',
    part: 'micro',
    about: 'interface texts of strangers compiled, beside an ordinary text, and their heap',
    program: 'micro/interfaces.bench',
    quick: QUICK_ROUNDS,
  },
  {
    name: 'contract-entry',
    part: 'micro',
    about: 'a call of a contract that does nothing, beside a bare WebAssembly instance; under 3 µs',
    program: 'micro/contract-entry.bench',
    quick: QUICK_ROUNDS,
  },
  {
    name: 'host-calls',
    part: 'micro',
    about: 'a host call of a contract, beside an import that does nothing',
    program: 'micro/host-calls.bench',
    quick: QUICK_ROUNDS,
  },
  {
    name: 'store-reads',
    part: 'micro',
    about: 'get, get of 50 and seek, beside the database’s binding and a Map',
    program: 'micro/store-reads.bench',
    quick: QUICK_ROUNDS,
  },
  {
    name: 'hand-over',
    part: 'micro',
    about: 'a call to a worker and back that does nothing, beside a bare message and a shared word',
    program: 'micro/hand-over.bench',
    quick: QUICK_ROUNDS,
  },
  {
    name: 'signatures',
    part: 'micro',
    about: 'signing and verifying, beside pure JavaScript; checks in a worker, beside a bare verification',
    program: 'micro/signatures.bench',
    quick: QUICK_ROUNDS,
  },
];
