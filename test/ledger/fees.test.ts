import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { effectivePriorityFee, nextBaseFee } from '../../src/ledger/fees.js';

const parent = (base_fee: bigint, gas_used: bigint, gas_limit: bigint) => ({ base_fee, gas_used, gas_limit });

test('the base fee follows the published examples of EIP-1559', () => {
  // The table from go-ethereum's test of the formula: limit 20,000,000, target half of it.
  assert.equal(nextBaseFee(parent(1_000_000_000n, 10_000_000n, 20_000_000n)), 1_000_000_000n);
  assert.equal(nextBaseFee(parent(1_000_000_000n, 9_000_000n, 20_000_000n)), 987_500_000n);
  assert.equal(nextBaseFee(parent(1_000_000_000n, 11_000_000n, 20_000_000n)), 1_012_500_000n);
});

test('the base fee rises by at least one over the target and never falls below one', () => {
  assert.equal(nextBaseFee(parent(1n, 6n, 10n)), 2n);
  assert.equal(nextBaseFee(parent(1n, 0n, 10n)), 1n);
});

test('the base fee changes by at most an eighth', () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 30n),
      fc.bigInt(2n, 10n ** 12n),
      fc.bigInt(0n, 1_000n),
      (fee, gasLimit, share) => {
        const next = nextBaseFee(parent(fee, (gasLimit * share) / 1_000n, gasLimit));
        assert.ok(next >= 1n);
        assert.ok(next <= fee + fee / 4n + 1n);
        assert.ok(next >= fee - fee / 8n - 1n);
      },
    ),
  );
});

test('the proposer gets the priority fee up to the room that max_fee leaves above the base fee', () => {
  assert.equal(effectivePriorityFee({ max_fee: 10n, priority_fee: 3n }, 5n), 3n);
  assert.equal(effectivePriorityFee({ max_fee: 10n, priority_fee: 8n }, 5n), 5n);
  assert.equal(effectivePriorityFee({ max_fee: 5n, priority_fee: 8n }, 5n), 0n);
});
