import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { devAccount } from '../../../src/client/client.js';
import type { Action } from '../../../src/generated/ledger.js';
import { ALICE, alice, BOB, bob, callOf, encoded } from '../../support/actions.js';
import { text } from '../../support/hex.js';
import { NATIVE_MODES } from '../../support/native-modes.js';
import { ContractNode, token } from '../../support/nodes/contract-node.js';
import { spread } from '../../support/sweep.js';

const carol = devAccount(2);
const CAROL = text(carol.address);

for (const native of spread(NATIVE_MODES, 1)) {
  describe(`chain_simulateBundle, --native ${native}`, () => {
    let world: ContractNode;
    before(async () => {
      world = await ContractNode.start({ native, workers: '1' }, { maxBundleTransactions: 4 });
      await world.seal([world.pay(100)]);
    });
    after(() => world?.stop());

    const pay = (to: string, amount: string): Action =>
      callOf(world.token, token.function('transfer').encodeCall([to, amount]));
    const move = (to: Uint8Array): Action => ({ type: 'transfer', value: { to, amount: 5n } });

    test('reports dependencies and their kinds', async () => {
      const look = await world.look();
      const { nonce } = await world.transaction(move(bob.address));
      const bundle = await world.client.chain_simulateBundle({
        transactions: [
          await world.signed(pay(CAROL, '7')),
          // Carol spends the amount received from the first transaction; alone, her transaction would fail.
          await world.signed(pay(ALICE, '7'), {}, carol),
          await world.signed(move(new Uint8Array(20).fill(9)), { nonce: nonce + 1n }),
          // Unsigned, from a sender unrelated to the others.
          encoded(await world.transaction(move(new Uint8Array(20).fill(8)), {}, devAccount(5))),
        ],
      });
      assert.equal(bundle.atomic_success, true);
      assert.deepEqual(
        bundle.results.map(({ status }) => status.type),
        ['success', 'success', 'success', 'success'],
      );
      const told = bundle.dependencies.map(({ from, to, kind, address, slot }) => [
        from,
        to,
        kind.type,
        text(address),
        slot === undefined ? '' : Buffer.from(slot).toString('hex'),
      ]);
      const slotOf = (owner: string) => `1404000000${owner.slice(2)}${'00'.repeat(7)}`;
      const raw = (owner: string) => [0, 1, 'read_after_write', world.token, slotOf(owner)];
      assert.deepEqual(
        told.filter(([, to]) => to === 1),
        [raw(ALICE), raw(CAROL)].sort((a, b) => (String(a[4]) < String(b[4]) ? -1 : 1)),
      );
      assert.deepEqual(
        told.filter(([, to]) => to === 2),
        [[0, 2, 'nonce_order', ALICE, '']],
      );
      assert.deepEqual(bundle.parallel_groups, [[0, 1, 2], [3]]);
      const gas = bundle.results.map(({ gas_used }) => gas_used);
      const [first = 0n, second = 0n] = gas;
      assert.equal(bundle.critical_path_gas, first + second);
      assert.equal(
        bundle.gas_used,
        gas.reduce((sum, each) => sum + each, 0n),
      );
      assert.deepEqual(await world.look(), look);
    });

    test('one failing member fails the bundle, and the others are reported as executed', async () => {
      const { nonce } = await world.transaction(move(bob.address));
      const { atomic_success, results } = await world.client.chain_simulateBundle({
        transactions: [
          await world.signed(pay(BOB, '99999999')),
          await world.signed(move(bob.address), { nonce: nonce + 5n }),
          await world.signed(pay(BOB, '1'), { nonce: nonce + 1n }),
        ],
      });
      assert.equal(atomic_success, false);
      assert.deepEqual(
        results.map(({ status }) => status.type),
        ['reverted', 'invalid', 'success'],
      );
    });

    test('gas limits must fit the gas left by earlier members and a block in total', async () => {
      const { nonce } = await world.transaction(move(bob.address));
      const gas = { gas_limit: 300_000_000n };
      const most = { gas_limit: 500_000_000n };
      const ask = (transactions: Uint8Array[]) => world.client.chain_simulateBundle({ transactions });
      const declared = await ask([
        await world.signed(move(bob.address), gas),
        await world.signed(move(bob.address), { ...gas, nonce: nonce + 1n }),
      ]);
      assert.deepEqual(
        declared.results.map(({ status }) => status.type),
        ['success', 'success'],
      );
      assert.equal(
        declared.atomic_success,
        false,
        'a bundle goes in as a whole, and 600 million is no block',
      );
      const last = await ask([
        await world.signed(move(bob.address)),
        await world.signed(move(bob.address), { ...most, nonce: nonce + 1n }),
      ]);
      assert.equal(last.atomic_success, false);
      assert.match(
        JSON.stringify(last.results[1]?.status),
        /transactions before it left 499975000 of the block/,
      );
    });

    test('refusals of simulation state the reason', async () => {
      const good = text(await world.signed(pay(BOB, '1')));
      const stolen = await world.signed(pay(BOB, '1'), {}, { ...bob, sign: (hash) => alice.sign(hash) });
      const cases: readonly (readonly [object, string, RegExp])[] = [
        [{ transactions: [] }, 'invalid_params', /params\.transactions: expected at least one/],
        [{ transactions: [good, '0x01'] }, 'invalid_params', /params\.transactions\[1\]: expected borsh/],
        [
          { transactions: [good, text(stolen)] },
          'transaction_rejected',
          /params\.transactions\[1\]: the signature/,
        ],
        [
          { transactions: [good, good, good, good, good] },
          'limit_exceeded',
          /bundle_transactions: at most 4, got 5/,
        ],
        [{ transactions: [good], at: { type: 'height', value: 99 } }, 'state_unavailable', /not there yet/],
      ];
      for (const [params, kind, message] of cases) {
        const failure = await world.refusal('chain_simulateBundle', params);
        assert.equal(failure.data.kind, kind, failure.message);
        assert.match(failure.message, message);
      }
    });
  });
}
