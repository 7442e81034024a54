import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ColdContractError } from '../../src/execution/cold-contract-error.js';
import { ContractMachine } from '../../src/execution/contract-machine.js';
import { WorldState } from '../../src/execution/world-state.js';
import type { ContractRecord } from '../../src/generated/ledger.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { BlockWorld, deployment, numbered, unsigned } from '../support/worlds/block-world.js';

describe('loaded code', () => {
  let world: BlockWorld;
  before(async () => {
    world = await BlockWorld.open();
  });

  const SENDER = numbered(1);
  const GAS = 500_000_000n;

  /** A contract whose `init` fails without input. */
  const PICKY = assemble({
    imports: ['input_size'],
    memory: [1],
    functions: [
      { name: 'invoke', type: '>i', code: 'i32.const 0' },
      { name: 'init', type: '>i', code: 'call input_size; i32.eqz; if; unreachable; end; i32.const 0' },
    ],
  });

  test('of a failed deployment is stored in prepared form once a deployment succeeds', () => {
    world.state.fund(SENDER, 10n ** 18n);
    const keptOf = (input: Uint8Array) => {
      const transaction = unsigned(world.crypto, SENDER, 0n, deployment(PICKY, input), { gas: GAS });
      return world
        .serially({ transactions: [transaction], bundles: [] })
        .codes.map(({ prepared }) => prepared);
    };
    assert.deepEqual(keptOf(new Uint8Array()), []);
    const [prepared] = keptOf(Uint8Array.of(1));
    assert.ok(prepared !== undefined);
  });

  test('is not prepared again for a call that carries it', () => {
    const first = world.machine.admit({ vm: 'wasm', code: PICKY }, GAS);
    const second = world.machine.admit({ vm: 'wasm', code: PICKY }, GAS);
    assert.ok('program' in first && 'program' in second);
    assert.equal(second.program, first.program);
    assert.equal(second.prepared, undefined);
  });

  test('must be loaded beforehand in a thread that loads no code on demand', () => {
    const { engines, crypto, committedHash } = world.machine;
    const machine = new ContractMachine({
      engines,
      crypto,
      committedHash,
      prepared: () => undefined,
      loadsOnDemand: false,
    });
    const contract: ContractRecord = {
      vm: { type: 'wasm' },
      code_hash: new Uint8Array(32),
      code_size: 1,
      abi_version: 1,
      upgrade_policy: { type: 'immutable' },
      deployer: SENDER,
      deployed_at: 0n,
    };
    assert.throws(() => machine.load(contract, new WorldState(world.state)), ColdContractError);
  });
});
