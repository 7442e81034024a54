import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ApprovedChange, ValidatorChange } from '../../../src/generated/ledger.js';
import { ledger } from '../../../src/ledger/codecs.js';
import { checkChange, isEndpoint } from '../../../src/ledger/validators/check-change.js';
import { nextMembers } from '../../../src/ledger/validators/members.js';
import { maxFaulty, quorumOf } from '../../../src/ledger/validators/quorum.js';
import { changeMessage } from '../../../src/ledger/validators/signed-messages.js';
import { hex } from '../../support/hex.js';
import { TEST_CHAIN_ID, validatorWorld } from '../../support/networks/validators.js';
import { sweep } from '../../support/sweep.js';

const world = validatorWorld(1);
const { crypto } = world;
const { set } = world.dealt([0, 1, 2, 3]);
const context = { chainId: TEST_CHAIN_ID, epoch: 0n, set };

const add = (number: number): ValidatorChange => ({
  type: 'add',
  value: world.newValidator(number),
});
const remove = (number: number): ValidatorChange => ({
  type: 'remove',
  value: world.identity(number).address,
});

function approved(change: ValidatorChange, approvers: readonly number[], epoch = 0n): ApprovedChange {
  const message = changeMessage(TEST_CHAIN_ID, { epoch, change });
  const approvals = approvers.map((index) => ({ index, signature: world.identity(index).sign(message) }));
  return { epoch, change, approvals };
}

const rule = (change: ApprovedChange) => checkChange(crypto, change, context)?.rule;

test('fault limits and quorums match the design', () => {
  assert.deepEqual([1, 2, 3, 4, 5, 7, 10, 100].map(quorumOf), [1, 2, 3, 3, 4, 5, 7, 67]);
  assert.deepEqual([1, 2, 3, 4, 5, 7, 10, 100].map(maxFaulty), [0, 0, 0, 1, 1, 2, 3, 33]);
});

test('the signed message of a change is its domain, chain, epoch and encoding', () => {
  const change = remove(2);
  const encoded = ledger.ValidatorChange.encode(change);
  assert.equal(
    hex(changeMessage(0x0102n, { epoch: 3n, change })),
    `${Buffer.from('heddle/change/1').toString('hex')}02010000000000000300000000000000${hex(encoded)}`,
  );
});

test('a change is accepted from any quorum of approvers', () => {
  assert.equal(rule(approved(add(4), [0, 1, 2])), undefined);
  assert.equal(rule(approved(remove(0), [1, 2, 3])), undefined);
  assert.equal(rule(approved(add(4), [0, 1, 2, 3])), undefined);
});

test('wrong approvals are refused, each under its rule', () => {
  const good = approved(add(4), [0, 1, 2]);
  const [first, second, third] = good.approvals;
  assert.ok(first && second && third);
  assert.equal(rule(approved(add(4), [0, 1, 2], 1n)), 'epoch');
  assert.equal(rule({ ...good, approvals: [first, second] }), 'approvals');
  assert.equal(rule({ ...good, approvals: [first, third, second] }), 'order');
  assert.equal(rule({ ...good, approvals: [first, second, second] }), 'order');
  assert.equal(rule({ ...good, approvals: [first, second, { ...third, index: 4 }] }), 'member');
  assert.equal(rule({ ...good, approvals: [first, second, { ...third, index: 3 }] }), 'signature');
  assert.equal(rule({ ...good, change: add(5) }), 'signature');
  assert.equal(rule({ ...good, approvals: Array.from({ length: 5 }, () => first) }), 'member');
  const change: ValidatorChange = {
    type: 'add',
    value: { ...world.newValidator(4), endpoint: 'nowhere' },
  };
  assert.equal(rule(approved(change, [0, 1, 2])), 'form');
});

test('an endpoint is a host and a port', () => {
  for (const good of ['a:1', '127.0.0.1:65535', '[::1]:9700', 'validator.example:9700']) {
    assert.ok(isEndpoint(good), good);
  }
  for (const bad of ['', ':1', 'a', 'a:', 'a:0', 'a:65536', 'a:01', 'a b:1', 'ä:1', `${'a'.repeat(260)}:1`]) {
    assert.ok(!isEndpoint(bad), bad);
  }
});

test('the next members keep their order without the removed ones, and added ones are appended', () => {
  const next = nextMembers(
    crypto,
    { set, encryptionKeys: world.encryptionKeys([0, 1, 2, 3]) },
    [remove(1), add(7), add(5)],
    true,
  );
  assert.ok(next.ok);
  assert.deepEqual(
    next.members.map(({ address }) => hex(address)),
    [0, 2, 3, 7, 5].map((number) => hex(world.identity(number).address)),
  );
});

test('changes that conflict are refused, each under its rule', () => {
  const refused = (changes: ValidatorChange[], ceremony = true, present = set) => {
    const next = nextMembers(crypto, { set: present, encryptionKeys: [] }, changes, ceremony);
    return next.ok ? undefined : next.refusal.rule;
  };
  assert.equal(refused([add(4), add(4)]), 'present');
  assert.equal(refused([add(2)]), 'present');
  assert.equal(refused([remove(4)]), 'absent');
  assert.equal(refused([remove(1), remove(1)]), 'absent');
  assert.equal(refused([remove(0), remove(1), remove(2), remove(3)]), 'size');
  assert.equal(refused([remove(0), remove(1), remove(2)]), undefined);
  assert.equal(refused([add(4)], false), 'admission');
  assert.equal(refused([remove(0)], false), undefined);
  const alone = world.dealt([0]).set;
  assert.equal(refused([add(4)], true, alone), 'admission');
  assert.equal(refused([remove(0)], true, alone), 'size');
  const many = Array.from({ length: 96 }, (_, at) => add(100 + at));
  assert.equal(refused(many), undefined);
  assert.equal(refused([...many, add(99)]), 'size');
});

test('any change that decodes gets an answer, never an exception', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          index: fc.nat({ max: 6 }),
          signature: fc.uint8Array({ minLength: 64, maxLength: 64 }),
        }),
        { maxLength: 6 },
      ),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.uint8Array({ minLength: 48, maxLength: 48 }),
      fc.string(),
      (approvals, identity_key, encryption_key, endpoint) => {
        const change: ValidatorChange = { type: 'add', value: { identity_key, encryption_key, endpoint } };
        assert.notEqual(checkChange(crypto, { epoch: 0n, change, approvals }, context), undefined);
      },
    ),
    { numRuns: sweep(10) },
  );
});
