// docs/scaling.md is computed from the figures of a run.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { scalingPage } from '../../../bench/report/scaling-page.js';
import type { Figure } from '../../../bench/results/figure.js';
import type { BenchmarkRun } from '../../../bench/results/run.js';

const cost = (name: string, rounds: readonly number[]): Figure => ({
  name,
  unit: 'µs',
  better: 'lower',
  rounds,
});
const REQUESTS = [
  'status',
  'account',
  'token balance, view',
  'transfer, view',
  'transfer, simulated',
  'call tree',
  'list_blocks',
];
const FIGURES: Readonly<Record<string, readonly Figure[]>> = {
  threads: REQUESTS.flatMap((name) => [
    cost(`${name}, 64 connections: CPU per request, main`, [0]),
    cost(`${name}, 64 connections: CPU per request, front`, [9, 10, 30]),
    cost(`${name}, 64 connections: CPU per request, others`, [30]),
  ]),
  transfers: [
    cost('single requests: CPU of the node per transfer', [200]),
    cost('single requests: CPU of the main thread per transfer', [50]),
    cost('single requests: CPU of the front threads per transfer', [20]),
  ],
  'catch-up': [cost('from genesis: CPU of the follower per transaction', [400])],
  'shared-quotas': [
    cost('processor time of Redis per second, for a token in use at a node', [2_500]),
    {
      ...cost('account with a token, Redis: processor time of the node', [12]),
      baselines: [{ name: 'embedded store', rounds: [11] }],
    },
  ],
};

function run(figures: typeof FIGURES): BenchmarkRun {
  return {
    format: 'heddle-bench-1',
    began: '2026-01-01T00:00:00.000Z',
    quick: false,
    machine: {
      processor: 'p',
      cores: 2,
      memoryMiB: 1,
      node: 'v20',
      kernel: 'k',
      verificationMicros: [40, 40],
    },
    benchmarks: Object.entries(figures).map(([name, each]) => ({
      name,
      seconds: 1,
      arguments: [],
      figures: each,
      series: [],
    })),
  };
}

describe('docs/scaling.md', () => {
  const page = scalingPage(run(FIGURES));
  const row = (label: string): string[] =>
    page
      .split('\n')
      .filter((line) => line.startsWith(`| ${label} `))
      .map((line) => line.replace(/ +/g, ' '));

  test('divides the processor time of all cores by that of a request', () => {
    assert.deepEqual(row('account'), [
      '| account | 0 µs | 10 µs | 30 µs |',
      '| account | 100,000/s | 200,000/s | 400,000/s | 800,000/s |',
    ]);
  });

  test('bounds sealing by the main thread', () => {
    assert.match(page, /10⁶ \/ 50 = 20,000\/s transfers a second, on\s+4 cores/);
  });

  test('takes the cores for following from those of a follower', () => {
    assert.deepEqual(row('5,000'), ['| 5,000 | 2.00 | 150,000/s | 1,500,000/s |']);
  });

  test('bounds a fleet by its quota store', () => {
    assert.match(page, /10⁶ \/ 2,500 = 400\./);
  });

  test('names a figure that the run lacks', () => {
    assert.throws(() => scalingPage(run({ ...FIGURES, transfers: [] })), {
      name: 'RangeError',
      message: /no figure "single requests: CPU of the node per transfer" of the benchmark transfers/,
    });
  });
});
