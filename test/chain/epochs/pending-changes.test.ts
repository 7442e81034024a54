import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GatheredChange, pendingChanges } from '../../../src/chain/epochs/pending-changes.js';
import { ed25519Address } from '../../../src/crypto/address.js';
import { sha256 } from '../../../src/crypto/sha256.js';
import type { ApprovedChange, ValidatorChange } from '../../../src/generated/ledger.js';
import { digest } from '../../proofs/verify/proved-world.js';
import { setOf, tipAt } from '../../support/worlds/epoch-tips.js';

const members = setOf(1n, 4);
const SET = {
  ...members,
  validators: members.validators.map((each) => ({
    ...each,
    address: ed25519Address({ sha256 }, each.identity_key),
  })),
};
const memberAt = (index: number): Uint8Array => SET.validators[index]?.address ?? assert.fail();

function addition(name: number, endpoint = 'new.example:9645'): ValidatorChange {
  return { type: 'add', value: { identity_key: digest(name), encryption_key: new Uint8Array(48), endpoint } };
}

function removal(index: number): ValidatorChange {
  return { type: 'remove', value: memberAt(index) };
}

function approved(change: ValidatorChange, ...by: readonly number[]): ApprovedChange {
  return { epoch: 1n, change, approvals: by.map((index) => ({ index, signature: new Uint8Array(64) })) };
}

/** Epoch 1 has the heights 11 to 20; blocks 11 to 13 may carry changes. */
function pendingAt(
  height: bigint,
  gathered: readonly GatheredChange[],
  changes: readonly ApprovedChange[] = [],
) {
  return pendingChanges({ sha256 }, tipAt(height, [SET], { changes }).tip, gathered);
}

test('a change in a block has its approvers and takes effect with the next epoch', () => {
  const add = addition(7);
  assert.deepEqual(pendingAt(17n, [], [approved(add, 0, 2, 3), approved(removal(1), 0, 1, 2)]), [
    {
      change: add,
      address: ed25519Address({ sha256 }, digest(7)),
      approvals: [0, 2, 3].map((index) => ({ index, address: memberAt(index) })),
      approvals_needed: 3,
      included: true,
      effective_height: 21n,
    },
    {
      change: removal(1),
      address: memberAt(1),
      approvals: [0, 1, 2].map((index) => ({ index, address: memberAt(index) })),
      approvals_needed: 3,
      included: true,
      effective_height: 21n,
    },
  ]);
});

test('a change in no block shows who approves it so far, and when it can take effect', () => {
  const gathered = [
    { change: removal(1), approvers: [3] },
    { change: addition(7), approvers: [2, 0] },
  ];
  const [first, second, ...more] = pendingAt(11n, gathered);
  assert.equal(more.length, 0);
  assert.deepEqual(first?.change, addition(7), 'the most approved first');
  assert.deepEqual(
    first?.approvals.map(({ index }) => index),
    [0, 2],
  );
  assert.deepEqual([first?.included, first?.effective_height], [false, 21n]);
  assert.deepEqual(second?.address, memberAt(1));
  const late = pendingAt(13n, gathered);
  assert.equal(late[0]?.effective_height, 31n, 'no further block of this epoch may carry it');
});

test('a change is listed once, and one without effect or with an impossible address is not listed', () => {
  const gathered = [
    { change: removal(1), approvers: [0, 1, 2] },
    { change: { type: 'remove', value: digest(99).slice(0, 20) }, approvers: [0] },
    // The identity key of validator 0.
    { change: addition(100), approvers: [0] },
    { change: addition(8, 'x\u001b[2J:1'), approvers: [0] },
  ] satisfies GatheredChange[];
  const pending = pendingAt(12n, gathered, [approved(removal(1), 0, 1, 2)]);
  assert.deepEqual(
    pending.map(({ change, included }) => [change, included]),
    [[removal(1), true]],
  );
});

test('at most 64 changes are listed, however many faulty validators approve', () => {
  const flood = Array.from({ length: 800 }, (_, at) => ({ change: addition(1_000 + at), approvers: [1] }));
  const pending = pendingAt(12n, [...flood, { change: removal(2), approvers: [0, 3] }]);
  assert.equal(pending.length, 64);
  assert.deepEqual(pending[0]?.change, removal(2));
});

test('changes without effect do not take the places of others', () => {
  const useless = Array.from({ length: 100 }, (_, at) => ({
    change: { type: 'remove', value: digest(1_000 + at).slice(0, 20) } as const,
    approvers: [1],
  }));
  const pending = pendingAt(12n, [...useless, { change: removal(2), approvers: [0] }]);
  assert.deepEqual(
    pending.map(({ change }) => change),
    [removal(2)],
  );
});
