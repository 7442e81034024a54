import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { ContractSandbox, type SandboxContract } from '../../src/contract-sdk/sandbox.js';
import { addressText, deployExample } from '../support/worlds/contract-world.js';
import { address } from '../support/worlds/vm-world.js';

describe('the example escrow', () => {
  const ESCROW = address(0xe5);
  const [payer, payee, arbiter, stranger] = [address(1), address(2), address(3), address(4)] as const;
  const [PAYER, PAYEE, ARBITER] = [payer, payee, arbiter].map(addressText) as [string, string, string];
  const NOBODY = addressText(address(0));
  const DEADLINE = 1_700_000_060_000;

  let world: ContractSandbox;
  let escrow: SandboxContract;

  beforeEach(async () => {
    world = await ContractSandbox.create();
    escrow = deployExample(world, 'escrow', ESCROW);
    world.setBalance(payer, 1000n);
  });

  function open(amount = 100n, arbiterText = ARBITER): unknown {
    const args = { payee: PAYEE, arbiter: arbiterText, deadline_ms: DEADLINE };
    return escrow.call('open', args, { from: payer, value: amount });
  }

  const notAllowed = (caller: Uint8Array): unknown => ({
    name: 'NotAllowed',
    args: { id: 0, caller: addressText(caller) },
  });

  test('a deal holds the balance sent with it, and deals are numbered from 0', () => {
    assert.equal(open(), 0);
    assert.equal(open(50n), 1);
    assert.equal(world.balance(ESCROW), 150n);
    assert.equal(escrow.call('held'), '150');
    assert.equal(escrow.call('deal_count'), 2);
    assert.deepEqual(escrow.call('deal', { id: 1 }), {
      payer: PAYER,
      payee: PAYEE,
      arbiter: ARBITER,
      amount: '50',
      deadline_ms: DEADLINE,
      state: { type: 'open', value: null },
    });
    assert.deepEqual(escrow.events()[1], {
      name: 'Opened',
      args: { id: 1, payer: PAYER, payee: PAYEE, arbiter: ARBITER, amount: '50', deadline_ms: DEADLINE },
    });
  });

  test('a deal needs an amount, distinct parties and a future deadline', () => {
    const refuse = (change: object, value = 10n): unknown => {
      const args = { payee: PAYEE, arbiter: ARBITER, deadline_ms: DEADLINE, ...change };
      const failure = escrow.failure('open', args, { from: payer, value });
      return typeof failure === 'string' ? failure : failure.name;
    };
    assert.equal(refuse({}, 0n), 'NothingSent');
    for (const change of [
      { payee: NOBODY },
      { payee: PAYER },
      { payee: addressText(ESCROW) },
      { arbiter: PAYER },
      { arbiter: PAYEE },
    ]) {
      assert.equal(refuse(change), 'InvalidParties', JSON.stringify(change));
    }
    assert.equal(refuse({ deadline_ms: 1_700_000_000_000 }), 'DeadlinePassed');
    assert.equal(world.balance(payer), 1000n);
  });

  for (const [name, who] of [
    ['payer', payer],
    ['arbiter', arbiter],
  ] as const) {
    test(`the ${name} releases a deal to its payee`, () => {
      open();
      escrow.call('release', { id: 0 }, { from: who });
      assert.equal(world.balance(payee), 100n);
      assert.equal(world.balance(ESCROW), 0n);
      assert.equal(escrow.call('held'), '0');
      assert.deepEqual(escrow.events(1), [
        { name: 'Released', args: { id: 0, payee: PAYEE, amount: '100', by: addressText(who) } },
      ]);
    });
  }

  for (const [name, who] of [
    ['payee', payee],
    ['arbiter', arbiter],
  ] as const) {
    test(`the ${name} refunds a deal to its payer`, () => {
      open();
      escrow.call('refund', { id: 0 }, { from: who });
      assert.equal(world.balance(payer), 1000n);
      assert.deepEqual(escrow.events(1), [
        { name: 'Refunded', args: { id: 0, payer: PAYER, amount: '100', by: addressText(who) } },
      ]);
    });
  }

  test('the payer can take the balance back unilaterally only after the deadline', () => {
    open();
    world.passTime(60_000n);
    assert.deepEqual(escrow.failure('refund', { id: 0 }, { from: payer }), notAllowed(payer));
    world.passTime(1n);
    escrow.call('refund', { id: 0 }, { from: payer });
    assert.equal(world.balance(payer), 1000n);
  });

  test('no other account can settle a deal, and the payee cannot release it', () => {
    open();
    world.passTime(100_000n);
    assert.deepEqual(escrow.failure('release', { id: 0 }, { from: stranger }), notAllowed(stranger));
    assert.deepEqual(escrow.failure('release', { id: 0 }, { from: payee }), notAllowed(payee));
    assert.deepEqual(escrow.failure('refund', { id: 0 }, { from: stranger }), notAllowed(stranger));
  });

  test('without an arbiter the zero address has no rights', () => {
    open(100n, NOBODY);
    assert.deepEqual(escrow.failure('release', { id: 0 }, { from: address(0) }), notAllowed(address(0)));
    assert.deepEqual(escrow.failure('refund', { id: 0 }, { from: address(0) }), notAllowed(address(0)));
  });

  test('a deal can be settled only once', () => {
    open();
    open();
    escrow.call('release', { id: 0 }, { from: payer });
    for (const again of ['release', 'refund']) {
      assert.deepEqual(escrow.failure(again, { id: 0 }, { from: arbiter }), {
        name: 'AlreadySettled',
        args: { id: 0, state: { type: 'released', value: null } },
      });
    }
    assert.equal(world.balance(ESCROW), 100n, 'the other deal is untouched');
  });

  test('an unknown deal has an error of its own', () => {
    assert.deepEqual(escrow.failure('deal', { id: 7 }), { name: 'UnknownDeal', args: { id: 7 } });
    assert.deepEqual(escrow.failure('release', { id: 7 }, { from: payer }), {
      name: 'UnknownDeal',
      args: { id: 7 },
    });
  });

  test('settling costs about the gas of its storage', () => {
    open();
    const { gasUsed } = escrow.outcome('release', { id: 0 }, { from: payer });
    assert.ok(gasUsed < 115_000n, `${gasUsed}`);
  });
});
