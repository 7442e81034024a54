import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ContractHost } from '../../src/execution/contract-host.js';
import { EnteredCode, MAX_ENTERED_MACHINE_CODE } from '../../src/execution/entered-code.js';
import { WorldState } from '../../src/execution/world-state.js';
import { coldCodeGas } from '../../src/ledger/gas.js';
import type { CallOutcome } from '../../src/vm/engine.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { writeContract } from '../support/contracts/write-contract.js';
import { BlockWorld, numbered } from '../support/worlds/block-world.js';

describe('entered code', () => {
  let world: BlockWorld;
  before(async () => {
    world = await BlockWorld.open();
  });

  /** Address of a numbered contract, as built by the caller: le32(number), then zeros. */
  function placeOf(number: number): Uint8Array {
    const address = new Uint8Array(20);
    new DataView(address.buffer).setUint32(0, number, true);
    return address;
  }

  /** Runs a contract that views contracts 1, 2, … in turn and returns how the last call ended. */
  function enter(contracts: readonly Uint8Array[], calls: number): CallOutcome {
    const caller = assemble({
      imports: ['view', 'set_output'],
      memory: [1],
      functions: [
        {
          name: 'invoke',
          type: '>i',
          locals: 'ii',
          code: `loop
            local.get 0; i32.const ${contracts.length}; i32.rem_u; i32.const 1; i32.add; local.set 1
            i32.const 0; local.get 1; i32.store
            i32.const 32; i32.const 0; i64.const -1; i32.const 0; i32.const 0; call view; i32.store8
            local.get 0; i32.const 1; i32.add; local.tee 0; i32.const ${calls}; i32.lt_u; br_if 0
          end
          i32.const 32; i32.const 1; call set_output; i32.const 0`,
        },
      ],
    });
    const state = new WorldState(world.state);
    for (const [index, bytes] of [caller, ...contracts].entries()) {
      writeContract(state, placeOf(index), bytes, world.crypto);
    }
    const host = new ContractHost({ state, env: world.env(), machine: world.machine });
    return host.enter({
      purpose: 'call',
      contract: placeOf(0),
      caller: numbered(1),
      origin: numbered(1),
      value: 0n,
      input: new Uint8Array(),
      gas: 1_000_000_000n,
      isView: false,
      depth: 0,
    });
  }

  const small = (tag: number): Uint8Array =>
    assemble({
      memory: [1],
      functions: [{ name: 'invoke', type: '>i', code: `i32.const ${tag}; drop; i32.const 0` }],
    });

  test('is limited to 256 codes per transaction, each entered any number of times', () => {
    const contracts = Array.from({ length: 256 }, (_, index) => small(index));
    assert.deepEqual([...enter(contracts.slice(1), 600).output], [0], 'with its own they are 256');
    assert.deepEqual([...enter(contracts, 255).output], [0]);
    assert.deepEqual([...enter(contracts, 256).output], [3], 'the last of them traps');
    assert.deepEqual([...enter(contracts, 257).output], [0], 'those before can still be entered');
  });

  test('is paid for at its first entry', () => {
    const contracts = [small(1), small(2)];
    const gas = (calls: number): bigint => enter(contracts, calls).gasUsed;
    const again = gas(4) - gas(3);
    assert.equal(gas(3) - gas(2), again);
    const cold = gas(2) - gas(1) - again;
    assert.ok(cold > 0n && cold < coldCodeGas(64 * 1024), `${cold} gas for the first entry`);
  });

  test('counts by the machine code that it may become', () => {
    const entered = new EnteredCode();
    assert.equal(entered.add('wasm', 'a', MAX_ENTERED_MACHINE_CODE - 10), true);
    assert.equal(entered.add('wasm', 'b', 11), false);
    assert.deepEqual([entered.has('wasm', 'a'), entered.has('wasm', 'b')], [true, false]);
    assert.equal(entered.add('wasm', 'b', 10), true);
    assert.equal(entered.has('wasm', 'b'), true);
  });

  test('with the same bytes as code of another kind is entered separately', () => {
    const entered = new EnteredCode();
    for (const hash of ['a', 'b']) {
      assert.equal(entered.add('wasm', hash, 1), true);
      assert.equal(entered.has('evm', hash), false);
      assert.equal(entered.add('evm', hash, 1), true);
      assert.equal(entered.has('evm', hash), true);
    }
  });
});
