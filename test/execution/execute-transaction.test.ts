import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { BalanceOverflowError } from '../../src/execution/balance-overflow-error.js';
import { executeTransaction, inclusionProblem } from '../../src/execution/execute-transaction.js';
import { WorldState } from '../../src/execution/world-state.js';
import type { AccountRecord, Transaction } from '../../src/generated/ledger.js';
import { EMPTY_ACCOUNT } from '../../src/ledger/accounts.js';
import { nextNonce } from '../../src/ledger/lanes.js';

const ALICE = '11'.repeat(20);
const BOB = '22'.repeat(20);
const ENV = {
  chainId: 1n,
  height: 5n,
  timestampMs: 0n,
  baseFee: 10n,
  slotPrice: 2_000_000n,
  gasLimit: 10n ** 9n,
  proposer: '33'.repeat(20),
};

function world(accounts: Readonly<Record<string, AccountRecord>>): WorldState {
  const key = new Uint8Array(32);
  return new WorldState({
    account: (address) => ({ key, raw: undefined, record: accounts[address] ?? EMPTY_ACCOUNT }),
    slot: () => ({ key, raw: undefined }),
    record: () => ({ key, raw: undefined }),
    code: () => undefined,
  });
}

function rich(balance: bigint, lanes: AccountRecord['lanes'] = []): AccountRecord {
  return { balance, lanes, deploy_index: 0n };
}

function transfer(changes: Partial<Transaction> = {}, amount = 1_000n, to = BOB): Transaction {
  return {
    chain_id: 1n,
    sender: Buffer.from(ALICE, 'hex'),
    lane: 0,
    nonce: 0n,
    gas_limit: 50_000n,
    max_fee: 15n,
    priority_fee: 2n,
    action: { type: 'transfer', value: { to: Buffer.from(to, 'hex'), amount } },
    ...changes,
  };
}

describe('a transfer', () => {
  test('never raises a balance above 2^128 − 1', () => {
    const greatest = 2n ** 128n - 1n;
    const sent = (before: bigint) =>
      executeTransaction(transfer(), ALICE, {
        state: world({ [ALICE]: rich(10_000_000n), [BOB]: rich(before) }),
        env: ENV,
      });
    assert.equal(sent(greatest - 1_000n).outcome, 'success');
    assert.throws(() => sent(greatest - 999n), BalanceOverflowError);
  });

  test('moves the amount, pays gas, and creates lane and account', () => {
    const state = world({ [ALICE]: rich(10_000_000n) });
    const outcome = executeTransaction(transfer(), ALICE, { state, env: ENV });
    assert.equal(outcome.outcome, 'success');
    assert.equal(outcome.gasUsed, 35_000n);
    assert.equal(outcome.fee, 35_000n * 12n);
    assert.equal(outcome.tip, 35_000n * 2n);
    assert.equal(state.account(ALICE).balance, 10_000_000n - 1_000n - 420_000n);
    assert.equal(state.account(BOB).balance, 1_000n);
    assert.equal(nextNonce(state.account(ALICE), 0), 1n);
  });

  test('between existing accounts and lanes costs the base gas', () => {
    const state = world({ [ALICE]: rich(10_000_000n, [{ lane: 0, next_nonce: 3n }]), [BOB]: rich(1n) });
    assert.equal(executeTransaction(transfer({ nonce: 3n }), ALICE, { state, env: ENV }).gasUsed, 25_000n);
  });

  test('of more than the balance left after the reserved fee reverts, pays the fee and moves nothing', () => {
    const state = world({ [ALICE]: rich(1_000_000n) });
    const outcome = executeTransaction(transfer({}, 900_000n), ALICE, { state, env: ENV });
    assert.equal(outcome.outcome, 'reverted');
    assert.match(outcome.message ?? '', /insufficient balance/);
    assert.equal(state.account(BOB).balance, 0n);
    assert.equal(state.account(ALICE).balance, 1_000_000n - outcome.fee);
    assert.equal(nextNonce(state.account(ALICE), 0), 1n);
  });

  test('that runs out of gas uses its whole gas limit', () => {
    const state = world({ [ALICE]: rich(10_000_000n) });
    const outcome = executeTransaction(transfer({ gas_limit: 34_999n }), ALICE, { state, env: ENV });
    assert.equal(outcome.outcome, 'out_of_gas');
    assert.equal(outcome.gasUsed, 34_999n);
    assert.equal(state.account(BOB).balance, 0n);
  });

  test('to oneself changes only nonce and fee', () => {
    const state = world({ [ALICE]: rich(10_000_000n) });
    const outcome = executeTransaction(transfer({}, 5_000n, ALICE), ALICE, { state, env: ENV });
    assert.equal(outcome.outcome, 'success');
    assert.equal(state.account(ALICE).balance, 10_000_000n - outcome.fee);
  });
});

describe('a transaction cannot be included', () => {
  const state = () => world({ [ALICE]: rich(1_000_000n, [{ lane: 0, next_nonce: 4n }]) });
  const problem = (changes: Partial<Transaction>) =>
    inclusionProblem(transfer({ nonce: 4n, ...changes }), ALICE, state(), ENV);

  test('unless its nonce is the next of its lane', () => {
    assert.equal(problem({}), undefined);
    assert.equal(problem({ nonce: 3n }), 'nonce');
    assert.equal(problem({ nonce: 5n }), 'nonce');
    assert.equal(problem({ lane: 1 }), 'nonce');
  });
  test('after valid_until', () => {
    assert.equal(problem({ valid_until: 5n }), undefined);
    assert.equal(problem({ valid_until: 4n }), 'expired');
  });
  test('when max_fee does not cover the base fee', () => {
    assert.equal(problem({ max_fee: 9n }), 'fee_too_low');
  });
  test('when the sender cannot pay for its gas limit', () => {
    assert.equal(problem({ gas_limit: 100_000n }), 'insufficient_balance');
  });
  test('when its gas limit does not cover the intrinsic gas', () => {
    assert.equal(problem({ gas_limit: 24_999n }), 'gas_limit_too_low');
    assert.equal(problem({ gas_limit: 25_000n }), undefined);
  });
  test('when it would open the account’s 257th lane', () => {
    const lanes = Array.from({ length: 256 }, (_, lane) => ({ lane, next_nonce: 1n }));
    const full = world({ [ALICE]: rich(1_000_000n, lanes) });
    assert.equal(inclusionProblem(transfer({ lane: 256 }), ALICE, full, ENV), 'too_many_lanes');
    assert.equal(inclusionProblem(transfer({ lane: 255, nonce: 1n }), ALICE, full, ENV), undefined);
  });
});

test('the sender always loses exactly the fee and the amount that arrives', () => {
  const arbitrary = fc.record({
    balance: fc.bigInt(0n, 2_000_000n),
    amount: fc.bigInt(0n, 2_000_000n),
    gas_limit: fc.bigInt(0n, 60_000n),
    max_fee: fc.bigInt(10n, 30n),
    priority_fee: fc.bigInt(0n, 30n),
    bobExists: fc.boolean(),
  });
  fc.assert(
    fc.property(arbitrary, ({ balance, amount, bobExists, ...fees }) => {
      const accounts = { [ALICE]: rich(balance), ...(bobExists ? { [BOB]: rich(7n) } : {}) };
      const state = world(accounts);
      const transaction = transfer(fees, amount);
      if (inclusionProblem(transaction, ALICE, state, ENV) !== undefined) return;
      const outcome = executeTransaction(transaction, ALICE, { state, env: ENV });
      const arrived = state.account(BOB).balance - (bobExists ? 7n : 0n);
      assert.equal(balance - state.account(ALICE).balance, outcome.fee + arrived);
      assert.equal(arrived, outcome.outcome === 'success' ? amount : 0n);
      assert.ok(outcome.gasUsed <= transaction.gas_limit);
      assert.ok(outcome.tip <= outcome.fee);
    }),
  );
});
