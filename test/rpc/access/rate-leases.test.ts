import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RateLeases } from '../../../src/rpc/access/rate-leases.js';
import { LEASE_MS, sharedRate } from '../../../src/rpc/access/shared-quota-store.js';

const SLOT = { slot: 3, generation: 1 };
const OTHER = { slot: 4, generation: 1 };

function world() {
  const clock = { ns: 1_000n };
  const memory = RateLeases.memory();
  const leases = new RateLeases(memory, () => clock.ns);
  return { clock, leases, another: new RateLeases(memory, () => clock.ns) };
}

describe('leases of rate units', () => {
  test('are spent by all threads, each unit once, and by their slot only', () => {
    const { leases, another } = world();
    leases.put(SLOT, 10, 2_000n);
    assert.equal(another.spend(SLOT, 4), true);
    assert.equal(leases.spend(SLOT, 7), false, 'too few');
    assert.equal(leases.unitsOf(SLOT), 6, 'a refused spend takes nothing');
    assert.equal(leases.spend(OTHER, 1), false);
    assert.equal(leases.spend(SLOT, 6), true);
  });

  test('end at their time, and are not prolonged by a later one', () => {
    const { clock, leases } = world();
    leases.put(SLOT, 10, 2_000n);
    leases.put(SLOT, 5, 3_000n);
    assert.equal(leases.unitsOf(SLOT), 15);
    assert.equal(leases.spend(SLOT, 12), true, 'both pay for one call');
    clock.ns = 2_000n;
    assert.equal(leases.unitsOf(SLOT), 3);
    clock.ns = 3_000n;
    assert.equal(leases.spend(SLOT, 1), false);
  });

  test('of an earlier time are replaced first', () => {
    const { leases } = world();
    leases.put(SLOT, 1, 2_000n);
    leases.put(SLOT, 10, 3_000n);
    leases.put(SLOT, 100, 4_000n);
    assert.equal(leases.unitsOf(SLOT), 110);
  });

  test('are cleared before a slot gets another token', () => {
    const { leases } = world();
    leases.put(SLOT, 10, 2_000n);
    leases.clear(SLOT);
    assert.equal(leases.unitsOf(SLOT), 0);
    leases.refund(SLOT, 5);
    assert.equal(leases.unitsOf(SLOT), 0, 'a late refund to a slot without a lease is lost');
  });

  test('leave room in the bucket for the most expensive call', () => {
    for (const perSecond of [1, 10, 49, 50, 67, 1_000, 10_000_000]) {
      const { burst } = sharedRate(perSecond, 50);
      assert.ok(burst - (perSecond * LEASE_MS) / 1_000 >= 50, `${perSecond} a second`);
      assert.ok(burst / perSecond >= 1, 'the limiter counts whole seconds');
    }
    assert.equal(sharedRate(1_000, 50).burst, 1_000);
  });
});
