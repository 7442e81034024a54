import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ByteBudget } from '../../../src/rpc/limits/byte-budget.js';

const ALICE = { remoteAddress: '192.0.2.1', subject: undefined };
const BOB = { remoteAddress: '192.0.2.2', subject: undefined };

function budgetOf(limit: number): { budget: ByteBudget; reported: unknown[] } {
  const reported: unknown[] = [];
  return { budget: new ByteBudget(limit, (error) => reported.push(error)), reported };
}

describe('the byte budget', () => {
  test('evicts the oldest and largest holders first, and only as many as needed', async () => {
    const { budget } = budgetOf(1_000_000);
    const cut: string[] = [];
    // Nearly as large as the young one, which stays the lighter one for seconds.
    budget.hold(499_900, () => cut.push('large'));
    budget.hold(50_000, () => cut.push('small'));
    await sleep(5);
    const young = budget.hold(400_000, () => cut.push('young'));
    assert.deepEqual(cut, []);
    assert.equal(young?.grow(100_000), true);
    assert.deepEqual(cut, ['large']);
    assert.equal(budget.used, 550_000);
    assert.equal(budget.cut, 1);
  });

  test('refuses a holder larger than the whole budget, without calling it', () => {
    const { budget } = budgetOf(1_000);
    assert.equal(
      budget.hold(1_001, () => assert.fail('called')),
      undefined,
    );
    assert.equal(budget.used, 0);
  });

  test('tells a holder that outgrows the budget that it was evicted, and stops counting it', () => {
    const { budget } = budgetOf(1_000);
    let cuts = 0;
    const holding = budget.hold(10, () => cuts++);
    assert.equal(holding?.grow(2_000), false);
    assert.equal(holding?.grow(1), false);
    holding?.release();
    assert.deepEqual([cuts, budget.used], [1, 0]);
  });

  test('has room again for released and returned bytes', () => {
    const { budget } = budgetOf(1_000);
    const holding = budget.hold(500, () => assert.fail('cut'));
    const taken = budget.reserve(100, ALICE);
    assert.equal(budget.used, 600);
    holding?.release();
    holding?.release();
    taken?.release();
    taken?.release();
    assert.equal(budget.used, 0);
  });

  test('refuses reservations beyond their share, larger ones first, and evicts holders for the others', () => {
    const { budget } = budgetOf(1_600);
    let cuts = 0;
    budget.hold(1_500, () => cuts++);
    assert.ok(budget.reserve(300, ALICE));
    assert.equal(cuts, 1);
    assert.equal(budget.reserve(100, ALICE), undefined);
    assert.ok(budget.reserve(6, ALICE));
    assert.deepEqual([budget.used, budget.refused], [306, 1]);
    while (budget.reserve(1, ALICE));
    assert.ok(budget.used <= 400, 'half of the limit of all reservations');
  });

  test('leaves everybody something, however much others reserve', () => {
    const { budget } = budgetOf(1_600_000);
    const names = Array.from({ length: 20 }, (_, i) => ({
      remoteAddress: `192.0.2.${i}`,
      subject: undefined,
    }));
    for (const client of names) {
      let own = 0;
      for (let bytes = 64_000; bytes >= 1; bytes /= 2) {
        while (budget.reserve(bytes, client)) own += bytes;
      }
      assert.ok(own > 0, `${client.remoteAddress} takes nothing`);
      assert.ok(own <= 800_000 - budget.used + 1, `${own} of ${budget.used}`);
    }
    assert.ok(budget.used < 800_000);
  });

  test("refuses one client's large calls, but not another's, nor a token's behind the same address", () => {
    const { budget } = budgetOf(1_000_000);
    const taken = [];
    for (let some = budget.reserve(50_000, ALICE); some !== undefined; some = budget.reserve(50_000, ALICE)) {
      taken.push(some);
    }
    assert.ok(taken.length > 1);
    assert.ok(budget.reserve(50_000, BOB));
    assert.ok(budget.reserve(50_000, { ...ALICE, subject: 'operator' }));
    assert.equal(budget.reserve(50_000, ALICE), undefined);
    taken[0]?.release();
    assert.ok(budget.reserve(50_000, ALICE));
  });

  test('does not identify clients for small calls while little is reserved', () => {
    const { budget } = budgetOf(1_000_000);
    const unknown = {
      get remoteAddress(): string {
        return assert.fail('asked');
      },
      subject: undefined,
    };
    const small = Array.from({ length: 40 }, () => budget.reserve(3_000, unknown));
    assert.equal(budget.used, 120_000);
    assert.throws(() => budget.reserve(6_000, unknown), { message: 'asked' });
    assert.throws(() => budget.reserve(4_000, { ...BOB, ...unknown }), { message: 'asked' });
    for (const each of small) each?.release();
    assert.equal(budget.used, 0);
  });

  test('never refuses empty reservations', () => {
    const { budget } = budgetOf(1_000);
    assert.ok(budget.reserve(900, ALICE));
    assert.ok(budget.reserve(0, ALICE));
  });

  test('gives a lone client everything that the other limits allow', () => {
    const { budget } = budgetOf(1_000);
    const taken = budget.reserve(900, ALICE);
    assert.ok(taken);
    assert.equal(budget.reserve(1, ALICE), undefined);
    taken.release();
    assert.ok(budget.reserve(1, ALICE));
  });

  test('evicts nobody twice if an eviction callback holds more and releases others', () => {
    const { budget } = budgetOf(10_000);
    const cut: string[] = [];
    const holdings = ['first', 'second', 'third', 'fourth'].map((name) =>
      budget.hold(
        2_400,
        () => {
          cut.push(name);
          // The error answer to the evicted peer takes room too, and another of its connections ends.
          budget.hold(1_500, () => cut.push('answer'), '10.0.0.1');
          holdings[1]?.release();
        },
        '10.0.0.1',
      ),
    );
    assert.ok(budget.hold(4_000, () => cut.push('other'), '10.0.0.2'));
    assert.deepEqual(cut, ['first', 'third']);
    assert.equal(budget.cut, 2);
    assert.equal(budget.used, 2_400 + 4_000 + 2 * 1_500);
  });

  test('evicts the largest holders, down to the level of the others, whatever their age', async () => {
    const { budget } = budgetOf(10_000);
    const cut: string[] = [];
    budget.hold(1_500, () => cut.push('old and alone'), '10.0.0.1');
    await sleep(20);
    for (let i = 0; i < 100; i++) budget.hold(100, () => cut.push('flood'), '10.0.0.2');
    assert.ok(cut.length > 10);
    assert.ok(cut.every((who) => who === 'flood'));
    assert.ok(budget.used <= 10_000);
  });

  test('counts an IPv6 network as one client, however its addresses are written', () => {
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

  test('reports an error of a holder’s callback and continues', () => {
    const { budget, reported } = budgetOf(1_000);
    budget.hold(900, () => {
      throw new RangeError('no');
    });
    assert.ok(budget.reserve(400, ALICE));
    assert.equal(reported.length, 1);
    assert.equal(budget.used, 400);
  });
});
