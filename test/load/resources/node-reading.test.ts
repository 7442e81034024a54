import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readingOf, readMetrics, usageBetween } from '../../../src/load/resources/node-reading.js';
import { meanUsage } from '../../../src/load/resources/usage.js';

function metrics(seconds: number, { tasks = 2, limited = 0 } = {}): string {
  return [
    '# HELP process_cpu_seconds_total Total user and system CPU time spent in seconds.',
    '# TYPE process_cpu_seconds_total counter',
    `process_cpu_seconds_total ${10 + 1.5 * seconds}`,
    'process_resident_memory_bytes 1000000',
    `heddle_thread_active_seconds_total{thread="main"} ${3 + 0.5 * seconds}`,
    `heddle_thread_active_seconds_total{thread="front-0"} ${1 + 0.25 * seconds}`,
    `heddle_thread_active_seconds_total{thread="front-1"} ${1 + 0.75 * seconds}`,
    `heddle_thread_processor_seconds_total{thread="main"} ${2 + 0.25 * seconds}`,
    `heddle_worker_tasks{pool="blocks"} ${tasks}`,
    'heddle_worker_threads{pool="blocks"} 4',
    `heddle_parallel_work_seconds_total ${seconds}`,
    `heddle_block_roots_seconds_sum ${0.125 * seconds}`,
    `heddle_block_roots_seconds_bucket{le="0.1"} 7`,
    'heddle_rpc_calls_total{method="NodeRpcV1.tx_submit",outcome="ok"} 5',
    ...(limited === 0
      ? []
      : [
          `heddle_rpc_calls_total{method="NodeRpcV1.tx_submit",outcome="rate_limited"} ${limited}`,
          `heddle_rpc_calls_total{method="",outcome="rate_limited"} ${limited}`,
        ]),
    '',
  ].join('\n');
}

const reading = (seconds: number, changes = {}) =>
  readingOf(metrics(seconds, changes), seconds * 1_000) ?? assert.fail('no reading');

test('usage is the difference of two readings by the time between them', () => {
  assert.deepEqual(usageBetween(reading(1), reading(3, { limited: 10 })), {
    cores: 1.5,
    memory_bytes: 1_000_000,
    main: { busy: 0.5, cores: 0.25 },
    // The busiest one; this system gives no processor time of it.
    front: { busy: 0.75 },
    block_workers: 0.5,
    contracts: 0.25,
    roots: 0.125,
    rate_limited: 10,
    overloaded: 0,
  });
  assert.equal(usageBetween(reading(1), reading(3, { tasks: 9 }))?.block_workers, 1);
});

test('a restarted node, or no time in between, gives no usage', () => {
  assert.equal(usageBetween(reading(1), reading(1)), undefined);
  assert.equal(usageBetween(reading(9), { ...reading(1), atMs: 10_000 }), undefined);
  assert.equal(readingOf('<html>not found</html>', 0), undefined);
  assert.equal(readingOf('', 0), undefined);
});

test('malformed lines and endless series of a hostile node are passed over', () => {
  const wanted = { a: 'thread' };
  const hostile = [
    'a{thread="x"} NaN',
    'a{thread="y"} -1',
    'a{thread="z"} 1e999',
    'a{thread="w} 1',
    'a 5 extra words',
    'constructor 4',
    `a{thread="${'v'.repeat(1_000)}"} 3`,
    ...Array.from({ length: 5_000 }, (_, place) => `a{thread="t${place}"} 1`),
  ];
  const series = readMetrics(hostile.join('\n'), wanted);
  assert.deepEqual([...series.keys()], ['a']);
  const values = series.get('a') ?? new Map();
  assert.equal(values.size, 64);
  assert.ok([...values.keys()].every((key) => key === '' || /^t\d+$/.test(key)));
});

test('means leave out spans without a value, and memory is the maximum', () => {
  const generator = { busy: 0.5, cores: 1, memory_bytes: 5 };
  const node = { cores: 1, memory_bytes: 7, main: { busy: 0.2 }, roots: 0.5 };
  const mean = meanUsage([
    { generator },
    { generator: { busy: 1, cores: 2, memory_bytes: 3 }, node },
    { node: { cores: 3, memory_bytes: 1, main: { busy: 0.4, cores: 0.3 } } },
  ]);
  assert.deepEqual(mean.generator, { busy: 0.75, cores: 1.5, memory_bytes: 5 });
  const { main, ...others } = mean.node ?? assert.fail('no usage of the node');
  assert.deepEqual(others, { cores: 2, memory_bytes: 7, roots: 0.5 });
  assert.ok(Math.abs((main?.busy ?? 0) - 0.3) < 1e-9 && main?.cores === 0.3);
  assert.deepEqual(meanUsage([]), {});
});
