import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ByteBudget } from '../../src/rpc/byte-budget.js';

function budgetOf(limit: number): { budget: ByteBudget; reported: unknown[] } {
  const reported: unknown[] = [];
  return { budget: new ByteBudget(limit, (error) => reported.push(error)), reported };
}

describe('the budget of bytes', () => {
  test('cuts the oldest and largest holders first, and as many as it takes', async () => {
    const { budget } = budgetOf(1_000);
    const cut: string[] = [];
    budget.hold(400, () => cut.push('large'));
    budget.hold(50, () => cut.push('small'));
    await sleep(5);
    const young = budget.hold(400, () => cut.push('young'));
    assert.deepEqual(cut, []);
    assert.equal(young?.grow(200), true);
    assert.deepEqual(cut, ['large']);
    assert.equal(budget.used, 650);
    assert.equal(budget.cut, 1);
  });

  test('refuses a holder that is larger than all there is, without calling it', () => {
    const { budget } = budgetOf(1_000);
    assert.equal(
      budget.hold(1_001, () => assert.fail('called')),
      undefined,
    );
    assert.equal(budget.used, 0);
  });

  test('tells a holder that grows beyond everything that it was cut, and counts it no more', () => {
    const { budget } = budgetOf(1_000);
    let cuts = 0;
    const holding = budget.hold(10, () => cuts++);
    assert.equal(holding?.grow(2_000), false);
    assert.equal(holding?.grow(1), false);
    holding?.shrink(5);
    holding?.release();
    assert.deepEqual([cuts, budget.used], [1, 0]);
  });

  test('has room again for what is released, shrunk or given back', () => {
    const { budget } = budgetOf(1_000);
    const holding = budget.hold(900, () => assert.fail('cut'));
    holding?.shrink(500);
    assert.equal(budget.take(100), true);
    assert.equal(budget.used, 500);
    holding?.release();
    holding?.release();
    budget.give(100);
    assert.equal(budget.used, 0);
  });

  test('refuses takers beyond half of it, the larger ones first, and cuts holders for the others', () => {
    const { budget } = budgetOf(1_600);
    let cuts = 0;
    budget.hold(1_500, () => cuts++);
    assert.equal(budget.take(400), true);
    assert.equal(cuts, 1);
    assert.equal(budget.take(100), false);
    assert.equal(budget.take(20), true);
    assert.deepEqual([budget.used, budget.refused], [420, 1]);
    while (budget.take(1));
    assert.ok(budget.used < 800);
  });

  test('gives one that is alone whatever the other limits allow', () => {
    const { budget } = budgetOf(1_000);
    assert.equal(budget.take(900), true);
    assert.equal(budget.take(1), false);
    budget.give(900);
    assert.equal(budget.take(1), true);
  });

  test('cuts those who hold the most, down to what others hold, whatever the age of the others', async () => {
    const { budget } = budgetOf(10_000);
    const cut: string[] = [];
    budget.hold(1_500, () => cut.push('old and alone'), '10.0.0.1');
    await sleep(20);
    for (let i = 0; i < 100; i++) budget.hold(100, () => cut.push('flood'), '10.0.0.2');
    assert.ok(cut.length > 10);
    assert.ok(cut.every((who) => who === 'flood'));
    assert.ok(budget.used <= 10_000);
  });

  test('takes a network of IPv6 for one client, however its addresses are written', () => {
    const { budget } = budgetOf(10_000);
    const cut: string[] = [];
    budget.hold(3_000, () => cut.push('other'), '2001:db8:0:1::1');
    budget.hold(2_000, () => cut.push('first'), '2001:db8::1');
    budget.hold(2_000, () => cut.push('second'), '2001:0db8:0000:0000:0000:0000:0000:0002');
    budget.hold(2_000, () => cut.push('third'), '2001:db8:0:0:9::');
    budget.hold(1_100, () => cut.push('another'), '10.0.0.1');
    assert.equal(cut.length, 1);
    assert.ok(['first', 'second', 'third'].includes(cut[0] ?? ''));
  });

  test('reports what a holder throws and goes on', () => {
    const { budget, reported } = budgetOf(1_000);
    budget.hold(900, () => {
      throw new RangeError('no');
    });
    assert.equal(budget.take(400), true);
    assert.equal(reported.length, 1);
    assert.equal(budget.used, 400);
  });
});
