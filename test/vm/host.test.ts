import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { CallOutcome, HostOperation } from '../../src/vm/engine.js';
import { HOST_FUNCTIONS, hostFunction } from '../../src/vm/wasm/host-interface.js';
import { I32 } from '../../src/wasm/opcodes.js';
import { assemble, type ModuleSource } from '../support/contracts/wasm-assembler.js';
import { HOST_CRYPTO } from '../support/crypto/host-crypto.js';
import { hex } from '../support/hex.js';
import { address, PLENTY, VmWorld } from '../support/worlds/vm-world.js';

const SELF = address(1);
const SLOT = new Uint8Array(32).fill(7);
const PAGE = 65_536;

/** A contract whose memory starts with `data` and whose code leaves the status on the stack. */
function contract(
  code: string,
  imports: readonly string[],
  data: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const source: ModuleSource = {
    imports,
    memory: [1, 1],
    data: data.length === 0 ? [] : [{ at: 0, bytes: data }],
    functions: [{ name: 'invoke', type: '>i', locals: 'ij', code }],
  };
  return assemble(source);
}

function world(code: string, imports: readonly string[], data?: Uint8Array): VmWorld {
  const made = new VmWorld(HOST_CRYPTO);
  made.deploy(SELF, contract(code, imports, data));
  return made;
}

/** Runs code that leaves bytes in memory and returns them as its output. */
function outputOf(
  made: VmWorld,
  frame: Parameters<VmWorld['run']>[1] = {},
): { readonly outcome: CallOutcome; readonly output: string } {
  const outcome = made.run(SELF, frame);
  return { outcome, output: hex(outcome.output) };
}

/** Memory from `at`, as the output. */
const output = (at: number, length: number): string =>
  `i32.const ${at}; i32.const ${length}; call set_output`;
const OK = 'i32.const 0';

test('the frame exposes caller, signer, contract and value', () => {
  const made = world(
    `i32.const 0; call caller; i32.const 20; call origin; i32.const 40; call self; i32.const 60; call value
     ${output(0, 76)}; ${OK}`,
    ['caller', 'origin', 'self', 'value', 'set_output'],
  );
  made.setBalance(address(0xca), 1n << 100n);
  const value = (1n << 70n) + 5n;
  const { output: got } = outputOf(made, { value });
  assert.equal(
    got,
    [hex(address(0xca)), hex(address(0x0a)), hex(SELF), '05000000000000004000000000000000'].join(''),
  );
});

test('block fields are exposed in their units', () => {
  const made = world(
    `i32.const 0; call block_height; i64.store; i32.const 8; call block_timestamp_ms; i64.store
     i32.const 16; call chain_id; i64.store; ${output(0, 24)}; ${OK}`,
    ['block_height', 'block_timestamp_ms', 'chain_id', 'set_output'],
  );
  const bytes = made.run(SELF).output;
  assert.deepEqual([...new BigUint64Array(bytes.slice().buffer)], [7n, 1_700_000_000_000n, 1337n]);
});

test('input is read in parts, and never beyond its end', () => {
  const made = world(
    `i32.const 0; i32.const 2; i32.const 100; call input_read; local.set 0
     i32.const 32; local.get 0; i32.store8
     i32.const 33; call input_size; i32.store8
     i32.const 34; i32.const 64; i32.const -1; i32.const 5; call input_read; i32.store8
     ${output(0, 35)}; ${OK}`,
    ['input_read', 'input_size', 'set_output'],
  );
  const { output: got } = outputOf(made, { input: Uint8Array.of(1, 2, 3, 4, 5) });
  assert.equal(got, `030405${'00'.repeat(29)}030500`);
});

test('the last output wins, for success and revert alike', () => {
  const data = Uint8Array.of(0xaa, 0xbb);
  const imports = ['set_output', 'revert'];
  assert.deepEqual(
    [OK, 'i32.const 1', 'i32.const 1; i32.const 1; call revert; i32.const 0'].map((end) => {
      const { status, output: bytes } = world(`${output(0, 1)}; ${output(0, 2)}; ${end}`, imports, data).run(
        SELF,
      );
      return [status, hex(bytes)];
    }),
    [
      ['success', 'aabb'],
      ['reverted', 'aabb'],
      ['reverted', 'bb'],
    ],
  );
});

test('a stored value is read back whole, in part, and by its length', () => {
  const made = world(
    `i32.const 0; i32.const 32; i32.const 5; call storage_write
     i32.const 64; i32.const 0; i32.const 100; i32.const 3; call storage_read; i32.store8
     i32.const 65; i32.const 0; call storage_exists; i32.store8
     i32.const 66; i32.const 1; call storage_exists; i32.store8
     i32.const 67; i32.const 1; i32.const 200; i32.const 9; call storage_read; i32.store8
     i32.const 68; i32.const 0; call storage_remove; i32.store8
     i32.const 69; i32.const 0; call storage_remove; i32.store8
     i32.const 70; i32.const 100; i32.load; i32.store
     i32.const 0; i32.const 32; i32.const 0; call storage_write
     i32.const 74; i32.const 0; i32.const 0; i32.const 0; call storage_read; i32.store8
     ${output(64, 11)}; ${OK}`,
    ['storage_write', 'storage_read', 'storage_exists', 'storage_remove', 'set_output'],
    Uint8Array.from([...SLOT, 1, 2, 3, 4, 5]),
  );
  assert.equal(outputOf(made).output, '050100ff01000102030000');
  assert.equal(made.slot(SELF, SLOT), '', 'an empty value is a value');
});

test('contracts have separate storage', () => {
  const code = (value: number): Uint8Array =>
    contract(
      'i32.const 0; i32.const 32; i32.const 1; call storage_write; i32.const 0',
      ['storage_write'],
      Uint8Array.from([...SLOT, value]),
    );
  const made = new VmWorld(HOST_CRYPTO);
  made.deploy(SELF, code(1));
  made.deploy(address(2), code(2));
  made.run(SELF);
  made.run(address(2));
  assert.deepEqual([made.slot(SELF, SLOT), made.slot(address(2), SLOT)], ['01', '02']);
});

test('transfers move at most the balance', () => {
  const data = Uint8Array.from([...address(9), 100, ...new Uint8Array(15)]);
  const made = world(
    `i32.const 0; i32.const 20; call transfer
     i32.const 0; i32.const 20; call transfer; i32.const 1; i32.shl; i32.or; local.set 0
     i32.const 0; i32.const 64; call balance
     i32.const 80; local.get 0; i32.store8; ${output(64, 17)}; ${OK}`,
    ['transfer', 'balance', 'set_output'],
    data,
  );
  made.setBalance(SELF, 150n);
  assert.equal(outputOf(made).output, `64${'00'.repeat(15)}02`);
  assert.deepEqual([made.balance(SELF), made.balance(address(9))], [50n, 100n]);
});

test('events carry their topics and data in order', () => {
  const data = Uint8Array.from({ length: 70 }, (_, index) => index);
  const made = world(
    'i32.const 0; i32.const 2; i32.const 64; i32.const 3; call emit; i32.const 0; i32.const 0; i32.const 0; i32.const 0; call emit; i32.const 0',
    ['emit'],
    data,
  );
  made.run(SELF);
  assert.deepEqual(made.logs, [
    { contract: hex(SELF), topics: [hex(data.slice(0, 32)), hex(data.slice(32, 64))], data: '404142' },
    { contract: hex(SELF), topics: [], data: '' },
  ]);
});

test('hashes match the primitives', () => {
  const data = new TextEncoder().encode('weaving');
  const made = world(
    `i32.const 0; i32.const 7; i32.const 32; call sha256; i32.const 0; i32.const 7; i32.const 64; call blake3
     i32.const 0; i32.const 7; i32.const 96; call keccak256; ${output(32, 96)}; ${OK}`,
    ['sha256', 'blake3', 'keccak256', 'set_output'],
    data,
  );
  const expected = [
    createHash('sha256').update(data).digest(),
    HOST_CRYPTO.blake3(data),
    HOST_CRYPTO.keccak256(data),
  ];
  assert.equal(outputOf(made).output, expected.map(hex).join(''));
});

test('gas_left returns the gas left after its own cost, and decreases', () => {
  const made = world(
    'i32.const 0; call gas_left; i64.store; i32.const 8; call gas_left; i64.store; i32.const 0; i32.const 16; call set_output; i32.const 0',
    ['gas_left', 'set_output'],
  );
  const [first = 0n, second = 0n] = new BigUint64Array(made.run(SELF).output.slice().buffer);
  // The instructions between the two calls belong to the same block and were charged before the first call.
  assert.equal(first - second, BigInt(hostFunction('gas_left').price.base));
  assert.ok(first < PLENTY && second > 0n);
});

const POINTERS = [PAGE, PAGE - 1, -1, -20, 0x7fffffff];

test('a pointer outside of memory traps in every host function, wherever it stands', () => {
  const kinds = new Map<string, number>();
  for (const { name, params, results } of HOST_FUNCTIONS.values()) {
    for (const [position, type] of params.entries()) {
      if (type !== I32) {
        continue;
      }
      for (const bad of POINTERS) {
        // All other operands are valid pointers or small lengths.
        const args = params.map((each, index) =>
          index === position ? `i32.const ${bad}` : each === I32 ? 'i32.const 40' : 'i64.const 1000',
        );
        const made = world(
          `${args.join('; ')}; call ${name}; ${'drop; '.repeat(results.length)} i32.const 0`,
          [name],
        );
        const { status, trap, gasUsed } = made.run(SELF, { input: new Uint8Array(100) });
        assert.ok(gasUsed <= PLENTY);
        if (status === 'trapped') {
          assert.ok(trap?.kind === 'bad_pointer' || trap?.kind === 'host_limit', `${name}: ${trap?.message}`);
          kinds.set(name, (kinds.get(name) ?? 0) + 1);
        } else {
          // A length may be truncated (input_read) or cost too much gas; a recovery id is a plain number.
          assert.ok(['success', 'reverted', 'out_of_gas'].includes(status), `${name}: ${status}`);
        }
      }
    }
  }
  const withPointers = [...HOST_FUNCTIONS.values()].filter(({ params }) => params.length > 0);
  for (const { name } of withPointers) {
    assert.ok((kinds.get(name) ?? 0) >= 3, `${name} trapped ${kinds.get(name)} times`);
  }
});

test('sizes beyond a host limit trap', () => {
  const cases: readonly (readonly [code: string, name: string])[] = [
    ['i32.const 0; i32.const 0; i32.const 16385; call storage_write', 'storage_write'],
    ['i32.const 0; i32.const 65537; call set_output', 'set_output'],
    ['i32.const 0; i32.const 65537; call revert', 'revert'],
    ['i32.const 0; i32.const 5; i32.const 0; i32.const 0; call emit', 'emit'],
    ['i32.const 0; i32.const 0; i32.const 0; i32.const 16385; call emit', 'emit'],
    ['i32.const 0; i32.const 16385; call log', 'log'],
  ];
  for (const [code, name] of cases) {
    assert.equal(world(`${code}; i32.const 0`, [name]).run(SELF).trap?.kind, 'host_limit', name);
  }
});

test('every state change traps in a view', () => {
  const cases: readonly (readonly [code: string, name: string])[] = [
    ['i32.const 0; i32.const 0; i32.const 1; call storage_write', 'storage_write'],
    ['i32.const 0; call storage_remove; drop', 'storage_remove'],
    ['i32.const 0; i32.const 32; call transfer; drop', 'transfer'],
    ['i32.const 0; i32.const 0; i32.const 0; i32.const 0; call emit', 'emit'],
    ['i32.const 0; i32.const 32; i64.const 0; i32.const 0; i32.const 0; call call; drop', 'call'],
  ];
  for (const [code, name] of cases) {
    const made = world(`${code}; i32.const 0`, [name], new Uint8Array(48).fill(1));
    assert.equal(made.run(SELF, { isView: true }).trap?.kind, 'view_violation', name);
    assert.notEqual(made.run(SELF).trap?.kind, 'view_violation', name);
  }
});

test('an observer sees each operation with its price, and changes nothing', () => {
  const made = world(
    `i32.const 0; i32.const 32; i32.const 5; call storage_write
     i32.const 0; i32.const 64; i32.const 9; call storage_read; drop
     i32.const 32; i32.const 5; call log; ${OK}`,
    ['storage_write', 'storage_read', 'log'],
    Uint8Array.from([...SLOT, ...new TextEncoder().encode('hello')]),
  );
  made.run(SELF);
  const unseen = made.run(SELF);
  const operations: HostOperation[] = [];
  made.observer = { hostOperation: (operation) => operations.push(operation) };
  assert.deepEqual(made.run(SELF), unseen);
  const value = Uint8Array.from(Buffer.from('hello'));
  assert.deepEqual(operations, [
    { name: 'storage_write', gas: 20_160n, args: { slot: SLOT, value } },
    { name: 'storage_read', gas: 6_010n, args: { slot: SLOT }, result: value },
    { name: 'log', gas: 105n, args: { text: 'hello' } },
  ]);
});

test('a call pays for each byte of a value that it replaces, removes or reads', () => {
  const operations: readonly (readonly [name: string, code: string, each: bigint])[] = [
    ['storage_write', 'i32.const 0; i32.const 32; i32.const 4; call storage_write', 16n],
    ['storage_remove', 'i32.const 0; call storage_remove; drop', 16n],
    ['storage_exists', 'i32.const 0; call storage_exists; drop', 2n],
    ['storage_read', 'i32.const 0; i32.const 32; i32.const 0; call storage_read; drop', 2n],
  ];
  for (const [name, code, each] of operations) {
    const gasUsedWith = (stored: number | undefined): bigint => {
      const made = world(`${code}; i32.const 0`, [name]);
      if (stored !== undefined) made.writeStorage(SELF, new Uint8Array(32), new Uint8Array(stored));
      const { gasUsed } = made.run(SELF);
      if (stored === undefined) return gasUsed;
      made.writeStorage(SELF, new Uint8Array(32), new Uint8Array(stored));
      assert.equal(made.run(SELF, { gas: gasUsed }).status, 'success', name);
      made.writeStorage(SELF, new Uint8Array(32), new Uint8Array(stored));
      const { status, gasUsed: all } = made.run(SELF, { gas: gasUsed - 1n });
      assert.deepEqual({ status, all }, { status: 'out_of_gas', all: gasUsed - 1n }, name);
      return gasUsed;
    };
    const without = gasUsedWith(undefined);
    for (const bytes of [0, 1, 32, 16_384]) {
      assert.equal(gasUsedWith(bytes) - without, each * BigInt(bytes), `${name}, ${bytes} bytes`);
    }
  }
});

test('state errors propagate unchanged, and the engine stays usable', () => {
  const made = world('i32.const 0; call storage_exists; drop; i32.const 0', ['storage_exists']);
  const failure = new Error('the store is gone');
  made.storedBytes = () => {
    throw failure;
  };
  assert.throws(() => made.run(SELF), failure);
  made.storedBytes = () => undefined;
  assert.equal(made.run(SELF).status, 'success');
});
