import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { HOST_CRYPTO } from '../support/crypto/host-crypto.js';
import { hex } from '../support/hex.js';
import { address, VmWorld, WORLD_LIMITS } from '../support/worlds/vm-world.js';

const SPY = address(1);
const SECRET = new TextEncoder().encode('the secret of an earlier call');

/**
 * A contract that stores its input wherever a contract can: all over memory, in globals, in the table, in the output,
 * and in a nested call's returned bytes. Without an input it looks for anything that differs from the initial state.
 */
function spy(change: { readonly hide?: string; readonly look?: string } = {}): Uint8Array {
  return assemble({
    imports: ['input_size', 'input_read', 'set_output', 'returned_size', 'returned_read', 'call'],
    memory: [2, 4],
    table: 4,
    globals: [
      { type: 'i', value: 11n },
      { type: 'j', value: -12n },
    ],
    elements: [{ at: 0, functions: ['one', 'two', null] }, { functions: ['two', 'one'] }],
    data: [{ at: 1_000, bytes: Uint8Array.of(1, 2, 3) }],
    functions: [
      { name: 'one', type: '>i', code: 'i32.const 1' },
      { name: 'two', type: '>i', code: 'i32.const 2' },
      {
        name: 'hide',
        locals: 'i',
        code: `i32.const 0; i32.const 0; i32.const 64; call input_read; drop
          i32.const 64; local.set 0
          loop
            local.get 0; i32.const 0; i32.const 32; memory.copy
            local.get 0; i32.const 64; i32.add; local.tee 0; i32.const 131040; i32.lt_u; br_if 0
          end
          i32.const 131040; i32.const 0; i32.const 32; memory.copy
          i32.const 0; i32.load; global.set 0; i32.const 0; i64.load; global.set 1
          i32.const 0; i32.const 0; i32.const 2; table.init 1
          i32.const 2; i32.const 0; i32.const 2; table.copy
          i32.const 0; i32.const 30; call set_output
          ${change.hide ?? ''}`,
      },
      {
        name: 'look',
        type: '>i',
        locals: 'ij',
        code: `loop
            local.get 1; local.get 0; i64.load; i64.or; local.set 1
            local.get 0; i32.const 8; i32.add; local.tee 0; i32.const 131072; i32.lt_u; br_if 0
          end
          i32.const 0; local.get 1; i64.store
          i32.const 8; i32.const 1000; i64.load; i64.store
          i32.const 16; global.get 0; i32.store; i32.const 20; global.get 1; i64.store
          i32.const 28; i32.const 0; call_indirect >i; i32.store8
          i32.const 29; i32.const 1; call_indirect >i; i32.store8
          i32.const 30; memory.size; i32.store8
          i32.const 31; call returned_size; i32.store8
          i32.const 0; i32.const 32; call set_output
          ${change.look ?? 'i32.const 0'}`,
      },
      {
        name: 'invoke',
        type: '>i',
        code: 'call input_size; if i; call hide; i32.const 0; else; call look; end',
      },
    ],
  });
}

function expectClean(change: Parameters<typeof spy>[0], hiding: string): void {
  // A small stack budget, so that recursion exhausts it before its gas.
  const world = new VmWorld(HOST_CRYPTO, { ...WORLD_LIMITS, stackBytes: 16 * 1024 });
  const program = world.deploy(SPY, spy(change));
  const fresh = world.run(SPY);
  assert.equal(fresh.status, 'success');
  // The output has all words of memory, or-ed, which give only the data segment; then globals, table, pages, and no
  // returned bytes.
  assert.equal(hex(fresh.output), `0102030000000000${'0102030000000000'}0b000000f4ffffffffffffff01020200`);
  for (let round = 0; round < 3; round++) {
    const hidden = world.run(SPY, { input: SECRET, gas: 1_000_000_000n });
    assert.equal(hidden.trap?.kind ?? hidden.status, hiding);
    assert.deepEqual(world.run(SPY), fresh, `round ${round}`);
  }
  assert.equal(world.engine.find(Buffer.from(program.codeHash, 'hex')), program);
}

test('nothing that a call leaves behind is seen by the next', () => {
  expectClean({}, 'success');
});

test('the next call sees nothing after a trap, a revert or running out of gas', () => {
  expectClean({ hide: 'unreachable' }, 'unreachable');
  expectClean({ hide: 'i32.const -1; i32.const 1; call set_output' }, 'bad_pointer');
  expectClean({ hide: 'loop; br 0; end' }, 'out_of_gas');
  expectClean({ hide: 'call hide' }, 'stack_overflow');
});

test('the next call sees nothing in grown memory', () => {
  expectClean(
    { hide: 'i32.const 1; memory.grow; drop; i32.const 131072; i32.const 0; i32.const 32; memory.copy' },
    'success',
  );
});

test('memory that grows after a reset is empty', () => {
  const grown = `i32.const 1; memory.grow; drop; i32.const 64; i32.const 131072; i64.load; i64.store; i32.const 0; i32.const 72; call set_output; i32.const 0`;
  const world = new VmWorld(HOST_CRYPTO);
  world.deploy(
    SPY,
    spy({
      hide: 'i32.const 1; memory.grow; drop; i32.const 131072; i32.const 0; i32.const 32; memory.copy',
      look: grown,
    }),
  );
  const fresh = world.run(SPY);
  world.run(SPY, { input: SECRET, gas: 1_000_000_000n });
  assert.deepEqual(world.run(SPY), fresh);
  assert.equal(hex(fresh.output).slice(-16), '00'.repeat(8));
});

test('the next call sees nothing in table entries that were empty', () => {
  const world = new VmWorld(HOST_CRYPTO);
  world.deploy(SPY, spy({ look: 'i32.const 3; call_indirect >i; drop; i32.const 0' }));
  assert.equal(world.run(SPY).trap?.kind, 'indirect_call_mismatch');
  assert.equal(world.run(SPY, { input: SECRET, gas: 1_000_000_000n }).status, 'success');
  assert.equal(world.run(SPY).trap?.kind, 'indirect_call_mismatch');
});

test('a dropped segment is restored', () => {
  const code = assemble({
    imports: ['set_output'],
    memory: [1],
    data: [{ bytes: Uint8Array.of(9, 8, 7) }],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        code: 'i32.const 0; i32.const 0; i32.const 3; memory.init 0; data.drop 0; i32.const 0; i32.const 3; call set_output; i32.const 0',
      },
    ],
  });
  const world = new VmWorld(HOST_CRYPTO);
  world.deploy(SPY, code);
  const first = world.run(SPY);
  assert.deepEqual([first.status, hex(first.output)], ['success', '090807']);
  assert.deepEqual(world.run(SPY), first);
});

test('an output handed out is not changed by later calls', () => {
  const world = new VmWorld(HOST_CRYPTO);
  world.deploy(SPY, spy());
  const { output } = world.run(SPY, { input: SECRET, gas: 1_000_000_000n });
  const before = hex(output);
  assert.match(before, new RegExp(`^${hex(SECRET)}`));
  world.run(SPY);
  world.run(SPY, { input: new Uint8Array(40).fill(1) });
  assert.equal(hex(output), before);
});
