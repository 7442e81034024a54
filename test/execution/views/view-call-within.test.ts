import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { CallGas } from '../../../src/execution/views/call-gas.js';
import { runViewCall, runViewCallWithin, type ViewCall } from '../../../src/execution/views/run-view-call.js';
import { StateInterfaces } from '../../../src/execution/views/state-interfaces.js';
import { WorldState } from '../../../src/execution/world-state.js';
import { ContractInterfaces } from '../../../src/ledger/contract-interfaces.js';
import { CONTRACTS, placeOf, program, SENDER, stateWith } from '../../support/contracts/random-programs.js';
import { BlockWorld } from '../../support/worlds/block-world.js';
import { storeOf } from '../../support/worlds/event-chain.js';

let world: BlockWorld;
before(async () => {
  world = await BlockWorld.open();
});

test('a call given part of its gas limit ends as if given all of it, or has no result', async (t) => {
  const interfaces = new StateInterfaces(new ContractInterfaces(await storeOf(t, [[]]), world.crypto));
  const seen = { alike: 0, nested: 0, more: 0, none: 0 };
  fc.assert(
    fc.property(
      fc.array(program, { minLength: CONTRACTS, maxLength: CONTRACTS }),
      fc.integer({ min: 1_000, max: 400_000 }),
      fc.constantFrom(400_000, 3_000_000),
      (programs, maxGas, gasLimit) => {
        const source = stateWith(world, programs, 10n ** 20n);
        const call: ViewCall = {
          contract: placeOf(0),
          caller: SENDER,
          value: 0n,
          gasLimit,
          text: { input: new Uint8Array(4) },
          idl: undefined,
          path: 'params',
        };
        const sceneOf = (state: WorldState) => ({
          state,
          block: { env: world.env(), hash: new Uint8Array(32), nextBaseFee: 0n, json: '', logPlace: '' },
          env: world.env(),
          abiOf: () => undefined,
          interfaces,
          machine: world.machine,
          gas: new CallGas(gasLimit),
        });
        const whole = new WorldState(source);
        const { outcome, logs } = runViewCall(call, sceneOf(whole));
        const part = new WorldState(source);
        const ended = runViewCallWithin(maxGas, call, sceneOf(part));
        if (outcome.gasUsed > BigInt(maxGas)) {
          seen.more++;
          assert.equal(ended, undefined);
        }
        if (ended === undefined) {
          seen.none++;
          return;
        }
        seen.alike++;
        if (programs[0]?.some(({ code }) => code.endsWith('call call; drop')) === true) seen.nested++;
        assert.deepEqual(ended.outcome, outcome);
        assert.deepEqual(ended.logs, logs);
        assert.deepEqual(part.writes(), whole.writes());
      },
    ),
    { numRuns: 1_000, seed: 8 },
  );
  assert.ok(seen.alike > 100 && seen.nested > 20 && seen.more > 10 && seen.none > 20, JSON.stringify(seen));
});
