import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlockWaves, type WaveSource } from '../../src/chain/block-waves.js';
import { SoloFillPolicy, ValidatorFillPolicy } from '../../src/chain/fill-policy.js';

const BLOCK_TIME = { blockTimeMs: 250 };
/** Gas per millisecond of an imagined machine. */
const SPEED = 1_000n;

/** Fill time of a block in milliseconds, once the machine's speed is known. */
function fillOf(pace: ValidatorFillPolicy): number {
  for (let i = 0; i < 50; i++) pace.gasFor(10n * SPEED, 10);
  return 10 + Number(pace.gasFor(10n * SPEED, 10)) / Number(SPEED);
}

function after(pace: ValidatorFillPolicy, latencies: readonly number[]): number {
  for (const latency of latencies) pace.onFinalized(latency);
  return fillOf(pace);
}

function times(count: number, latency: number): number[] {
  return Array.from({ length: count }, () => latency);
}

test('a lone validator fills half of the block time, and its first wave takes everything that fits', () => {
  const pace = new SoloFillPolicy(BLOCK_TIME);
  assert.equal(pace.firstGas(), undefined);
  assert.equal(pace.gasFor(50n * SPEED, 50), 75n * SPEED);
  assert.equal(pace.gasFor(500n, 125), 0n);
  assert.equal(pace.gasFor(500n, 500), 0n);
});

test('among several validators the first wave gets half of what the measured speed allows', () => {
  const pace = new ValidatorFillPolicy(BLOCK_TIME);
  const fill = fillOf(pace);
  assert.ok(Math.abs(Number(pace.firstGas()) / Number(SPEED) - fill / 2) < 0.01, `${pace.firstGas()}`);
  assert.equal(pace.gasFor(1_000n * SPEED, 1_000), 0n);
});

test('blocks that are final in time lengthen the next ones, up to a share of the block time', () => {
  const pace = new ValidatorFillPolicy(BLOCK_TIME);
  const before = fillOf(pace);
  const later = after(pace, [100]);
  assert.ok(later > before, `${later} ms after ${before} ms`);
  assert.equal(Math.round(after(pace, times(50, 100))), 100);
});

test('late blocks shorten the next ones if their transactions take the time', () => {
  const pace = new ValidatorFillPolicy(BLOCK_TIME);
  after(pace, times(50, 100));
  // The block's work counts as three times its 100 ms, out of a latency of 550 ms.
  const later = after(pace, [550]);
  assert.ok(later < 100, `${later} ms`);
});

test('if every block is late, fill time does not shrink to nothing, and recovers', () => {
  const pace = new ValidatorFillPolicy(BLOCK_TIME);
  assert.equal(Math.round(after(pace, times(200, 2_000))), 100);
});

test('a lost block halves the next, which always holds at least one transaction', () => {
  const pace = new ValidatorFillPolicy(BLOCK_TIME);
  const before = fillOf(pace);
  pace.onAbandoned();
  assert.ok(Math.abs(fillOf(pace) - before / 2) < 0.01);
  for (let i = 0; i < 100; i++) pace.onAbandoned();
  assert.ok(pace.firstGas() > 0n);
  for (let i = 0; i < 100; i++) pace.gasFor(0n, 1_000_000);
  assert.ok(pace.firstGas() > 0n);
});

test('time wasted on conflicts shrinks the next block, even after its last wave', () => {
  const pace = new ValidatorFillPolicy(BLOCK_TIME);
  const fill = fillOf(pace);
  const before = pace.firstGas();
  const draws = [{ transactions: [{}], bundles: [] }];
  const source = { next: () => draws.shift() ?? { transactions: [], bundles: [] }, settle: () => false };
  const waves = new BlockWaves(source as unknown as WaveSource, pace, () => undefined);
  const room = { gasLeft: 10n ** 9n, bundleGas: 0n };
  assert.notEqual(waves.first(room), undefined);
  const until = performance.now() + fill / 4;
  while (performance.now() < until);
  assert.equal(waves.next([], room, SPEED), undefined);
  assert.ok(pace.firstGas() < before, `${pace.firstGas()} after ${before}`);
});

test('a small block does not count as low speed', () => {
  const pace = new ValidatorFillPolicy(BLOCK_TIME);
  fillOf(pace);
  const before = pace.firstGas();
  pace.gasFor(1n, 1);
  assert.equal(pace.firstGas(), before);
});
