import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type {
  PipelineStep,
  PipelineStepResult,
  TxSimulateResult,
} from '../../../src/generated/node-rpc-v1.js';
import { ALICE, alice, BOB, callOf, deployOf } from '../../support/actions.js';
import { PROBE } from '../../support/contracts/assembled-contracts.js';
import { text } from '../../support/hex.js';
import { NATIVE_MODES } from '../../support/native-modes.js';
import { ContractNode, token } from '../../support/nodes/contract-node.js';
import { spread } from '../../support/sweep.js';
import { contractCode } from '../../support/worlds/contract-world.js';

for (const native of spread(NATIVE_MODES, 1)) {
  describe(`tx_simulate_pipeline, --native ${native}`, () => {
    let world: ContractNode;
    before(async () => {
      world = await ContractNode.start({ native, workers: '1' }, { maxPipelineSteps: 8 });
    });
    after(() => world?.stop());

    const tokenAt = () => Buffer.from(world.token.slice(2), 'hex');
    const pay = (amount: string, sender = alice.address): PipelineStep => ({
      type: 'tx',
      value: {
        build: {
          sender,
          action: {
            type: 'call',
            value: { contract: tokenAt(), method: 'transfer', args: { to: BOB, amount } },
          },
        },
      },
    });
    const bobs = (more: object = {}): PipelineStep => ({
      type: 'view',
      value: { contract: tokenAt(), method: 'balance_of', args: { owner: BOB }, ...more },
    });
    const run = (steps: readonly PipelineStep[], more: object = {}) =>
      world.client.tx_simulate_pipeline({ steps, ...more });
    const decoded = (step: PipelineStepResult | undefined) =>
      step?.type === 'view' ? step.value.decoded : assert.fail(`${step?.type} is no view step`);
    const ran = (step: PipelineStepResult | undefined): TxSimulateResult =>
      step?.type === 'tx' ? step.value : assert.fail(`${step?.type} is no transaction`);

    test('each step sees the writes of earlier transactions, and nothing persists', async () => {
      const look = await world.look();
      for (let round = 0; round < 2; round++) {
        const { steps, completed, gas_used, height } = await run([
          bobs(),
          pay('7'),
          bobs(),
          pay('5'),
          bobs(),
        ]);
        assert.deepEqual(
          [0, 2, 4].map((place) => decoded(steps[place])),
          ['0', '7', '12'],
        );
        assert.equal(completed, true);
        assert.equal(height, 1n);
        const sum = steps.reduce(
          (gas, step) => gas + (step.type === 'skipped' ? 0n : step.value.gas_used),
          0n,
        );
        assert.equal(gas_used, sum);
        const [, first, , second] = steps;
        const before = ran(first).state_diff.find(({ balance }) => balance !== undefined)?.balance;
        const next = ran(second).state_diff.find(({ balance }) => balance !== undefined)?.balance;
        assert.equal(next?.before, before?.after);
      }
      assert.deepEqual(await world.look(), look);
    });

    test('signed transactions follow each other by their nonces', async () => {
      const action = callOf(world.token, token.function('transfer').encodeCall([BOB, '3']));
      const { nonce } = await world.transaction(action);
      const signed = async (offset: bigint): Promise<PipelineStep> => ({
        type: 'tx',
        value: { encoded: await world.signed(action, { nonce: nonce + offset }) },
      });
      const { steps } = await run([await signed(0n), await signed(1n), await signed(3n), bobs()]);
      assert.deepEqual(
        steps.slice(0, 3).map((step) => ran(step).status.type),
        ['success', 'success', 'invalid'],
      );
      assert.equal(decoded(steps[3]), '6');
    });

    test('continues after a failure, or skips the rest on request', async () => {
      const failing = [pay('7'), pay('9999999'), bobs()];
      const on = await run(failing);
      assert.deepEqual(
        [ran(on.steps[1]).status.type, decoded(on.steps[2]), on.completed],
        ['reverted', '7', false],
      );
      const stopped = await run(failing, { stop_on_failure: true });
      assert.deepEqual(stopped.steps[2], { type: 'skipped', value: 'step 1 did not succeed' });
      assert.equal(stopped.completed, false);
    });

    test('overrides apply from their step on and not in later calls', async () => {
      const NOBODY = new Uint8Array(20).fill(0x77);
      const slot = Buffer.from(`1404000000${'77'.repeat(20)}${'00'.repeat(7)}`, 'hex');
      const value = Buffer.from(`09${'00'.repeat(15)}`, 'hex');
      const rich = pay('4', NOBODY);
      const overrides = [{ address: tokenAt(), slots: [{ slot, value }] }];
      const given: PipelineStep = {
        type: 'view',
        value: { contract: tokenAt(), method: 'balance_of', args: [BOB], overrides },
      };
      const { steps } = await run([rich, given, rich, rich, rich, bobs()]);
      assert.deepEqual(
        [0, 2, 3, 4].map((place) => ran(steps[place]).status.type),
        ['reverted', 'success', 'success', 'reverted'],
      );
      assert.equal(decoded(steps[5]), '8');
      assert.equal(ran((await run([rich])).steps[0]).status.type, 'reverted');
      assert.equal(ran((await run([rich], { overrides })).steps[0]).status.type, 'success');
    });

    test('view calls run in the block of the transactions, and their writes are discarded', async () => {
      const probe = Buffer.from(world.probe.slice(2), 'hex');
      const height: PipelineStep = {
        type: 'view',
        value: { contract: probe, input: Buffer.from(PROBE.height.slice(2), 'hex') },
      };
      const writing: PipelineStep = {
        type: 'view',
        value: { contract: tokenAt(), method: 'transfer', args: [BOB, '7'], caller: alice.address },
      };
      const { steps } = await run([height, writing, bobs()]);
      assert.ok(steps[0]?.type === 'view' && steps[1]?.type === 'view');
      assert.equal(Buffer.from(steps[0].value.output).readBigUInt64LE(), 2n);
      assert.equal(steps[1].value.logs.length, 1);
      assert.equal(decoded(steps[2]), '0');
    });

    test('a contract deployed by one step is called by its interface in the next', async () => {
      const { address } = await world.client.predict_address({ deployer: alice.address });
      const { idl } = await world.client.contract_idl({ address: tokenAt() });
      const action = deployOf(
        Uint8Array.from(contractCode('token')),
        token.function('init').encodeCall(['Other', 'OTH', 2, '77', ALICE, ALICE]),
        idl,
      );
      const { steps } = await run([
        { type: 'tx', value: { transaction: await world.transaction(action) } },
        { type: 'view', value: { contract: address, method: 'balance_of', args: [ALICE] } },
      ]);
      assert.equal(decoded(steps[1]), '77');
      const failure = await world.refusal('view_call', {
        contract: text(address),
        method: 'balance_of',
        args: [ALICE],
      });
      assert.equal(failure.data.kind, 'not_found');
      // The earlier lookups do not hide the code and interface once they are really deployed.
      await world.seal([action]);
      const later = await world.view({ contract: text(address), method: 'balance_of', args: [ALICE] });
      assert.equal(later.decoded, '77');
    });

    test('an error names the index of the step', async () => {
      const view = { contract: world.token, method: 'balance_of', args: { owner: BOB } };
      const step = (value: object) => ({
        steps: [
          { type: 'view', value: view },
          { type: 'view', value: { ...view, ...value } },
        ],
      });
      const cases: readonly (readonly [object, string, RegExp])[] = [
        [{ steps: [] }, 'invalid_params', /params\.steps: expected at least one step/],
        [step({ at: { type: 'latest' } }), 'invalid_params', /params\.steps\[1\]\.view\.at: expected none/],
        [step({ args: ['x'] }), 'invalid_params', /params\.steps\[1\]\.view\.args/],
        [
          step({ contract: `0x${'77'.repeat(20)}` }),
          'not_found',
          /params\.steps\[1\]\.view: there is no contract/,
        ],
        [step({ gas_limit: 1_000_000_001 }), 'limit_exceeded', /call_gas/],
        [
          step({ overrides: [{ address: BOB, code: '0x00' }] }),
          'invalid_params',
          /params\.steps\[1\]\.view\.overrides\[0\]\.code/,
        ],
        [
          { steps: [{ type: 'tx', value: {} }] },
          'invalid_params',
          /params\.steps\[0\]\.tx: expected exactly one of/,
        ],
        [{ steps: [{ type: 'other', value: {} }] }, 'invalid_params', /params\.steps\[0\]/],
        [
          { steps: Array.from({ length: 9 }, () => ({ type: 'view', value: view })) },
          'limit_exceeded',
          /pipeline_steps: at most 8, got 9/,
        ],
      ];
      for (const [params, kind, message] of cases) {
        const failure = await world.refusal('tx_simulate_pipeline', params);
        assert.equal(failure.data.kind, kind, failure.message);
        assert.match(failure.message, message);
      }
    });
  });
}
