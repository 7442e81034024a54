import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GetEpochKeyResult } from '../../src/generated/node-rpc-v1.js';
import { RpcError } from '../../src/rpc/errors.js';
import { epochHandlers } from '../../src/rpc/methods/epochs.js';
import { GROUP_PUBLIC_KEY } from '../proofs/verify/proved-world.js';
import { setOf, tipAt } from '../support/worlds/epoch-tips.js';

const sets = [setOf(0n, 4), setOf(1n, 5, 1), setOf(2n, 7, 2)];

function epochKey(chain: Parameters<typeof epochHandlers>[0]['chain'], epoch?: bigint): unknown {
  return epochHandlers({ chain, openings: { reservedAt } }).get_epoch_key(
    epoch === undefined ? {} : { epoch },
  );
}

/** Slots reserved at height 25. */
const reservedAt = (height: bigint) => (height === 25n ? 11 : 0);

function kindOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof RpcError) return error.kind;
    throw error;
  }
  return assert.fail('it was answered');
}

test('the default epoch is that of the next block', () => {
  // Block 20 is the last of epoch 1: the next one is of epoch 2.
  const chain = tipAt(20n, sets);
  const current: GetEpochKeyResult = {
    epoch: 2n,
    scheme: 'bls12381-ibe-1',
    public_key: GROUP_PUBLIC_KEY,
    quorum: 5,
    first_height: 21n,
    last_height: 30n,
    next_open_height: 23n,
    slot_price: 2_000_000n,
    free_slots: [16, 16, 5, ...Array.from({ length: 61 }, () => 16)],
  };
  assert.deepEqual(epochKey(chain), current);
  assert.deepEqual(epochKey(chain, 2n), current);
  assert.deepEqual(epochKey(chain, 0n), {
    ...current,
    epoch: 0n,
    quorum: 3,
    first_height: 1n,
    last_height: 10n,
  });
});

test('a future epoch, or one before the node’s snapshot, is refused', () => {
  const chain = tipAt(20n, sets);
  for (const epoch of [3n, 2n ** 64n - 1n])
    assert.equal(
      kindOf(() => epochKey(chain, epoch)),
      'not_found',
    );
  const fromSnapshot = tipAt(25n, sets.slice(1), { firstHeight: 16n });
  assert.equal(
    kindOf(() => epochKey(fromSnapshot, 0n)),
    'state_unavailable',
  );
  assert.equal((epochKey(fromSnapshot, 1n) as GetEpochKeyResult).quorum, 4);
});
