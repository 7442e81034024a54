// What addresses received, as indexed, is what call trees show when the transactions are executed again.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Candidates } from '../../src/execution/atomic-groups.js';
import { executeTransaction } from '../../src/execution/execute-transaction.js';
import { WorldState } from '../../src/execution/world-state.js';
import type { Action } from '../../src/generated/ledger.js';
import { MAX_BALANCE } from '../../src/ledger/constants.js';
import type { TransactionPayments } from '../../src/ledger/payment-index.js';
import { appendPayments, paymentsBefore } from '../../src/ledger/payment-index.js';
import type { CandidateAction, VerifiedTransaction } from '../../src/ledger/transaction-envelope.js';
import { seededRandom } from '../../src/load/workload.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import type { CallObserver, CallOutcome, Frame } from '../../src/vm/engine.js';
import { temporaryStore } from '../storage/stores.js';
import { sweep } from '../support/sweep.js';
import { BlockWorld, hexOf, numbered } from '../support/worlds/block-world.js';
import {
  deployRandomContracts,
  RandomBlocks,
  type RandomContracts,
} from '../support/worlds/random-blocks.js';

const BLOCKS = sweep(40);

interface Paid {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
}

/** Collects the payments in the frames that succeeded. */
class FramePayments implements CallObserver {
  readonly #frames: Paid[][] = [[]];

  get all(): readonly Paid[] {
    return this.#frames[0] ?? [];
  }

  frameEntered({ caller, contract, codeOf, value }: Frame): void {
    this.#frames.push([]);
    if (codeOf === undefined) this.#pay(caller, contract, value);
  }

  frameLeft(_frame: Frame, { status }: CallOutcome): void {
    const left = this.#frames.pop() ?? [];
    if (status === 'success') this.#frames.at(-1)?.push(...left);
  }

  balanceSent(from: Uint8Array, to: Uint8Array, amount: bigint, isDone: boolean): void {
    if (isDone) this.#pay(from, to, amount);
  }

  #pay(from: Uint8Array, to: Uint8Array, amount: bigint): void {
    this.#frames.at(-1)?.push({ from: hexOf(from), to: hexOf(to), amount });
  }
}

function paymentsIn(action: CandidateAction, sender: Uint8Array, observer: FramePayments): readonly Paid[] {
  if (action.type !== 'transfer') return observer.all;
  const { to, amount } = action.value;
  return [{ from: hexOf(sender), to: hexOf(to), amount }];
}

/** The payments of a block's transactions, by executing each again on the state that it had. */
function replayed(world: BlockWorld, included: readonly VerifiedTransaction[]): Map<string, bigint>[] {
  const state = new WorldState(world.state);
  return included.map(({ signed, sender }) => {
    const { transaction } = signed;
    const observer = new FramePayments();
    const context = { state, env: world.env(), machine: world.machine, observer };
    const { outcome } = executeTransaction(transaction, sender, context);
    const received = new Map<string, bigint>();
    if (outcome !== 'success') return received;
    for (const { from, to, amount } of paymentsIn(transaction.action, transaction.sender, observer)) {
      if (from === to || amount === 0n) continue;
      const sum = (received.get(to) ?? 0n) + amount;
      received.set(to, sum > MAX_BALANCE ? MAX_BALANCE : sum);
    }
    return received;
  });
}

const inOrder = (received: Iterable<readonly [string, bigint]>) =>
  [...received].sort(([a], [b]) => (a < b ? -1 : 1));

describe('what addresses received', () => {
  let furnished: BlockWorld;
  let contracts: RandomContracts;
  before(async () => {
    furnished = await BlockWorld.open();
    contracts = deployRandomContracts(furnished);
  });

  function executed(world: BlockWorld, candidates: Candidates<VerifiedTransaction>) {
    const block = world.serially(candidates);
    const excluded = new Set(block.excluded.map(({ index }) => index));
    const included = candidates.transactions.filter((_, index) => !excluded.has(index));
    return { block, included };
  }

  test('equals what their transactions pay when executed again, in blocks and in the index', async (t) => {
    const world = furnished.fork();
    const blocks = new RandomBlocks(world.crypto, contracts, seededRandom(7));
    const store = await temporaryStore(t, 'off');
    const expected = new Map<string, string[]>();
    let byContracts = 0;
    for (let number = 0; number < BLOCKS; number++) {
      const { height } = world;
      const { block, included } = executed(world, blocks.next(world, 20));
      const received = replayed(world, included);
      assert.deepEqual(
        block.payments.map(({ index, paid }) => [index, inOrder(paid.map(({ to, amount }) => [to, amount]))]),
        received.flatMap((each, index) => (each.size === 0 ? [] : [[index, inOrder(each)]])),
        `block ${height}`,
      );
      for (const [index, each] of received.entries()) {
        const { action } = included[index]?.signed.transaction ?? assert.fail();
        for (const [to, amount] of each) {
          if (action.type === 'call' && to !== hexOf(action.value.contract)) byContracts++;
          expected.set(to, [`${height}/${index}: ${amount}`, ...(expected.get(to) ?? [])]);
        }
      }
      const batch = new WriteBatch();
      appendPayments(batch, height, block.payments);
      await store.write(batch, { sync: false });
      world.commit(block);
    }
    assert.ok(byContracts > BLOCKS / 8, `${byContracts} payments by contracts`);
    const end = { height: world.height, index: 0 };
    for (const [recipient, places] of expected) {
      const listed = paymentsBefore(store, Buffer.from(recipient, 'hex'), end);
      assert.deepEqual(
        Array.from(listed, ({ height, index, received }) => `${height}/${index}: ${received}`),
        places,
      );
    }
  });

  test('excludes what they paid themselves, and what a failed transaction paid', () => {
    const world = furnished.fork();
    const [sender, other] = [numbered(1), numbered(4_000)];
    const transfer = (to: Uint8Array, amount: bigint): Action => ({
      type: 'transfer',
      value: { to, amount },
    });
    assert.deepEqual(world.do(sender, transfer(other, 3n)).payments, [paidTo(other, 3n)]);
    assert.deepEqual(world.do(sender, transfer(sender, 3n)).payments, []);
    assert.deepEqual(world.do(sender, transfer(other, 0n)).payments, []);
    const call = (amount: bigint) => ({
      contract: contracts.payer,
      input: paymentInput(other, amount),
      value: 0n,
    });
    assert.deepEqual(world.do(sender, { type: 'call', value: call(5n) }).payments, [paidTo(other, 5n)]);
    const failing: Action = { type: 'batch', value: [call(5n), { ...call(0n), contract: other }] };
    assert.throws(() => world.do(sender, failing), /invalid/);
  });

  test('is capped at the largest balance when an amount goes back and forth', () => {
    const world = furnished.fork();
    const [sender, half] = [numbered(9), 2n ** 127n];
    const round = { contract: contracts.payer, input: paymentInput(sender, half), value: half };
    const { payments } = world.do(sender, { type: 'batch', value: [round, round, round] });
    assert.deepEqual(payments[0]?.paid, [
      { to: hexOf(contracts.payer), amount: MAX_BALANCE },
      { to: hexOf(sender), amount: MAX_BALANCE },
    ]);
  });
});

function paidTo(to: Uint8Array, amount: bigint): TransactionPayments {
  return { index: 0, paid: [{ to: hexOf(to), amount }] };
}

/** Input of the contract that pays an amount to an account. */
function paymentInput(to: Uint8Array, amount: bigint): Uint8Array {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(amount & (2n ** 64n - 1n), 0);
  bytes.writeBigUInt64LE(amount >> 64n, 8);
  return Buffer.concat([to, bytes]);
}
