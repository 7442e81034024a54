// Starts a node: names come from deployments and upgrades in its blocks.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ALICE, alice } from '../support/actions.js';
import { probeCode } from '../support/contracts/assembled-contracts.js';
import { deployAction } from '../support/contracts/deploy-action.js';
import { text } from '../support/hex.js';
import { ContractNode } from '../support/nodes/contract-node.js';

describe('contracts by name', () => {
  let world: ContractNode;
  let upgraded: Uint8Array;

  before(async () => {
    world = await ContractNode.start();
    const { address } = await world.client.predict_address({ deployer: alice.address, offset: 1n });
    upgraded = address;
    const named = (name: string) =>
      deployAction(probeCode, { idl: `contract ${name} {}`, admin: alice.address });
    await world.seal([named('TokenSale'), named('Old')]);
    await world.seal([named('token'), named('Vault')]);
    const idl = 'contract New {}';
    const value = { contract: upgraded, code: probeCode, idl, abi_version: 2, input: new Uint8Array(0) };
    await world.seal([{ type: 'upgrade', value }]);
  });
  after(() => world.stop());

  const names = async (args: { readonly name?: string; readonly limit?: number; readonly cursor?: string }) =>
    (await world.client.list_contracts(args)).contracts.map(({ name }) => name);

  test('are found by the first letters of any case, the oldest first', async () => {
    const { contracts, next_cursor } = await world.client.list_contracts({ name: 'TOKEN' });
    assert.deepEqual(
      contracts.map(({ name, deployed_at, deployer }) => [name, deployed_at, text(deployer)]),
      [
        ['Token', 1n, ALICE],
        ['token', 3n, ALICE],
        ['TokenSale', 2n, ALICE],
      ],
    );
    assert.equal(text(contracts[0]?.contract ?? new Uint8Array(0)), world.token);
    assert.equal(next_cursor, undefined);
    assert.deepEqual(await names({ name: 'tokens' }), ['TokenSale']);
    assert.deepEqual(await names({ name: 'Sale' }), []);
  });

  test('have the name of their present interface', async () => {
    assert.deepEqual(await names({ name: 'old' }), []);
    const { contracts } = await world.client.list_contracts({ name: 'new' });
    assert.deepEqual(
      contracts.map(({ contract, deployed_at }) => [contract, deployed_at]),
      [[upgraded, 2n]],
    );
  });

  test('come in pages', async () => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await world.client.list_contracts({ limit: 2, ...(cursor !== undefined && { cursor }) });
      found.push(...page.contracts.map(({ name }) => name));
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    assert.deepEqual(found, ['New', 'Token', 'token', 'TokenSale', 'Vault']);
  });

  test('are refused for text that no name can begin with, and for cursors of other names', async () => {
    for (const name of ['a b', 'é', '\u0000', 'x'.repeat(129), 'x'.repeat(100_000), '%']) {
      const { data, message } = await world.refusal('list_contracts', { name });
      assert.equal(data.kind, 'invalid_params');
      assert.match(message, /params\.name: expected at most 128 letters, digits and _ of a name/);
      assert.ok(message.length < 300);
    }
    const { next_cursor = '' } = await world.client.list_contracts({ limit: 1 });
    for (const cursor of [next_cursor, 'x', '', next_cursor.slice(1)]) {
      const { data } = await world.refusal('list_contracts', { name: 'tok', cursor });
      assert.equal(data.kind, 'invalid_params');
    }
  });
});
