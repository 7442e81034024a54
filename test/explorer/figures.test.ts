import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ClientError, RpcCallError } from '../../src/client/client.js';
import { failureOf } from '../../src/explorer/node/failure.js';
import { withFinal, withNewBlocks } from '../../src/explorer/node/latest-blocks.js';
import { rateText, throughputOf } from '../../src/explorer/node/throughput.js';
import { blockSeries, sampleSeries } from '../../src/explorer/plots/block-series.js';
import { flameBoxes, zoomed } from '../../src/explorer/trace/flame-layout.js';

const block = (height: bigint, timestamp_ms: bigint, tx_count: number) => ({
  height,
  timestamp_ms,
  tx_count,
  gas_used: BigInt(tx_count) * 30_000n,
});

/** Newest first, as listed. */
const BLOCKS = [block(3n, 1_500n, 30), block(2n, 1_250n, 20), block(1n, 1_000n, 99), block(0n, 0n, 0)];

describe('throughput', () => {
  test('is that of the blocks after the first; block 0 does not count', () => {
    assert.deepEqual(throughputOf(BLOCKS), { perSecond: 100, intervalMs: 250 });
    assert.equal(throughputOf(BLOCKS.slice(2)), undefined);
    assert.equal(throughputOf([]), undefined);
  });

  test('is shown with a precision that fits', () => {
    assert.deepEqual([0, 0.254, 12.34, 1_234.5].map(rateText), ['0', '0.25', '12.3', '1,235']);
  });
});

describe('the latest blocks', () => {
  const at = (height: bigint, finalized = false) => ({ height, finalized });
  const heights = (blocks: readonly { readonly height: bigint }[]) => blocks.map(({ height }) => height);

  test('grow at the top and keep their number of rows', () => {
    assert.deepEqual(heights(withNewBlocks([at(5n), at(4n)], [at(6n), at(7n)], 3)), [7n, 6n, 5n]);
    assert.deepEqual(heights(withNewBlocks([], [at(1n)], 3)), [1n]);
  });

  test('ignore blocks that the list already covers', () => {
    const blocks = [at(5n), at(4n)];
    assert.deepEqual(heights(withNewBlocks(blocks, [at(4n), at(5n), at(6n)], 9)), [6n, 5n, 4n]);
    assert.equal(withNewBlocks(blocks, [at(5n)], 9), blocks);
  });

  test('become final up to a height', () => {
    const blocks = [at(7n), at(6n), at(5n, true)];
    assert.deepEqual(withFinal(blocks, 6n), [at(7n), at(6n, true), at(5n, true)]);
    assert.equal(withFinal(blocks, 5n), blocks);
  });
});

test('the times in plots ascend', () => {
  const { interval, transactions, gas } = blockSeries(BLOCKS);
  assert.deepEqual(transactions.times, [1, 1.25, 1.5]);
  assert.deepEqual(transactions.values, [99, 20, 30]);
  assert.deepEqual(gas.values, [2_970_000, 600_000, 900_000]);
  assert.deepEqual(
    [interval.times, interval.values],
    [
      [1.25, 1.5],
      [250, 250],
    ],
  );
  const { pool, lag } = sampleSeries([{ atMs: 2_000, poolSize: 5, lagMs: 7 }]);
  assert.deepEqual([pool.times, pool.values, lag.values], [[2], [5], [7]]);
});

describe('a flame graph', () => {
  const FOLDED = ['a 10', 'a;b 30', 'a;c 20', 'd;e 40'];

  test('has a box for each stack, as wide as its share', () => {
    const boxes = flameBoxes(FOLDED);
    assert.deepEqual(
      boxes.map(({ name, gas, row, left, width }) => [name, gas, row, left, width]),
      [
        ['transaction', 100n, 0, 0, 1_000_000],
        ['a', 60n, 1, 0, 600_000],
        ['d', 40n, 1, 600_000, 400_000],
        ['b', 30n, 2, 0, 300_000],
        ['c', 20n, 2, 300_000, 200_000],
        ['e', 40n, 2, 600_000, 400_000],
      ],
    );
  });

  test('zooms into a stack: what is below and above it, over the whole width', () => {
    const inside = zoomed(flameBoxes(FOLDED), 1);
    assert.deepEqual(
      inside.map(({ name, left, width }) => [name, left, width]),
      [
        ['transaction', 0, 1_000_000],
        ['a', 0, 1_000_000],
        ['b', 0, 500_000],
        ['c', 500_000, (200_000 / 600_000) * 1_000_000],
      ],
    );
  });

  test('keeps gas exact, skips malformed lines, and stays small', () => {
    const huge = (1n << 64n) - 1n;
    assert.equal(flameBoxes([`a ${huge}`])[1]?.gas, huge);
    assert.deepEqual(flameBoxes(['', 'a', 'a x', 'a -1', 'a 1e9']), []);
    const deep = Array.from({ length: 5_000 }, (_, at) => `f${at}`).join(';');
    assert.ok(flameBoxes([`${deep} 5`]).length <= 65);
    assert.ok(flameBoxes(Array.from({ length: 50_000 }, (_, at) => `f${at % 700} 1`)).length <= 600);
  });
});

describe('a failed call', () => {
  const rejected = (kind: string, extra: Record<string, unknown> = {}) =>
    failureOf(
      new RpcCallError('view_call', {
        code: -1,
        message: 'because',
        data: { kind, retryable: false, ...extra },
      }),
    );

  test('asks for a token where one may help', () => {
    for (const kind of ['unauthorized', 'forbidden', 'payment_required']) {
      assert.equal(rejected(kind).wantsToken, true, kind);
    }
    assert.equal(rejected('not_found').wantsToken, false);
  });

  test('offers a retry where one may help, and says when', () => {
    const limited = rejected('rate_limited', { retryable: true, retry_after_ms: 1_200 });
    assert.equal(limited.canRetry, true);
    assert.match(limited.text, /Try again in 2 s/);
    assert.equal(rejected('invalid_params').canRetry, false);
    assert.match(failureOf(new ClientError('unreachable', 'x')).title, /does not answer/);
  });

  test('of an unknown kind, or with a message of any length, is shown briefly', () => {
    assert.equal(rejected('constructor').title, 'The node reports an error');
    assert.ok(failureOf(new Error(`${'x'.repeat(100_000)}\u202e`)).text.length < 500);
    assert.equal(failureOf('thrown text').text, 'thrown text');
  });
});
