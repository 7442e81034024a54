import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallOutcome, Frame } from '../../src/vm/engine.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { HOST_CRYPTO } from '../support/crypto/host-crypto.js';
import { hex } from '../support/hex.js';
import { address, VmWorld, WORLD_LIMITS } from '../support/worlds/vm-world.js';

const CALLER = address(1);
const CALLEE = address(2);
const SLOT = new Uint8Array(32);
const ALL_GAS = 'i64.const -1';

const IMPORTS = [
  'call',
  'view',
  'returned_size',
  'returned_read',
  'set_output',
  'storage_write',
  'storage_read',
  'emit',
  'revert',
  'gas_left',
  'input_size',
  'transfer',
  'value',
  'caller',
];

/** Memory: the callee's address at 0, an amount of 5 at 32, zeros for a slot at 64. */
function contract(code: string): Uint8Array {
  return assemble({
    imports: IMPORTS,
    memory: [1, 2],
    data: [
      { at: 0, bytes: CALLEE },
      { at: 32, bytes: Uint8Array.of(5) },
    ],
    functions: [{ name: 'invoke', type: '>i', locals: 'ij', code }],
  });
}

/** Calls the callee and returns the status code as the first byte, followed by the callee's output. */
function forwarding(call: string): Uint8Array {
  return contract(`
    i32.const 128; ${call}; i32.store8
    i32.const 129; i32.const 0; i32.const 64; call returned_read; drop
    i32.const 128; call returned_size; i32.const 1; i32.add; call set_output
    i32.const 128; i32.load8_u; drop; i32.const 0`);
}

const CALL = `i32.const 0; i32.const 48; ${ALL_GAS}; i32.const 0; i32.const 3; call call`;
const VIEW = `i32.const 0; ${ALL_GAS}; i32.const 0; i32.const 3; call view`;
const WRITE =
  'i32.const 64; i32.const 0; i32.const 1; call storage_write; i32.const 0; i32.const 0; i32.const 0; i32.const 1; call emit';

function world(caller: Uint8Array, callee: Uint8Array): VmWorld {
  const made = new VmWorld(HOST_CRYPTO);
  made.deploy(CALLER, caller);
  made.deploy(CALLEE, callee);
  return made;
}

test('a call passes input and amount, and returns the output', () => {
  const callee = contract(
    'i32.const 200; call value; i32.const 216; call caller; i32.const 236; call input_size; i32.store8; i32.const 200; i32.const 37; call set_output; i32.const 0',
  );
  const made = world(
    forwarding(`i32.const 0; i32.const 32; ${ALL_GAS}; i32.const 0; i32.const 3; call call`),
    callee,
  );
  made.setBalance(CALLER, 7n);
  assert.equal(hex(made.run(CALLER).output), `00${'05'.padEnd(32, '0')}${hex(CALLER)}03`);
  assert.deepEqual([made.balance(CALLER), made.balance(CALLEE)], [2n, 5n]);
});

test('a failing callee leaves nothing behind, and its caller continues', () => {
  const endings: readonly (readonly [code: string, expected: string])[] = [
    ['i32.const 0', '00'],
    ['i32.const 1', '01'],
    ['i32.const 0; i32.const 2; call revert; i32.const 0', '010202'],
    ['loop; br 0; end; i32.const 0', '02'],
    ['unreachable', '03'],
    ['i32.const -1; i32.const 2; call set_output; i32.const 0', '03'],
  ];
  for (const [end, expected] of endings) {
    const made = world(forwarding(CALL), contract(`${WRITE}; ${end}`));
    const { status, output } = made.run(CALLER, { gas: 5_000_000n });
    assert.deepEqual([status, hex(output)], ['success', expected], end);
    const isKept = expected === '00';
    assert.equal(made.slot(CALLEE, SLOT), isKept ? '02' : undefined, end);
    assert.equal(made.logs.length, isKept ? 1 : 0, end);
  }
});

test('a call without a contract or with too little balance is refused', () => {
  const made = new VmWorld(HOST_CRYPTO);
  made.deploy(CALLER, forwarding(CALL));
  assert.equal(hex(made.run(CALLER).output), '04');
  made.deploy(CALLEE, contract('i32.const 0'));
  made.deploy(
    CALLER,
    forwarding(`i32.const 0; i32.const 32; ${ALL_GAS}; i32.const 0; i32.const 3; call call`),
  );
  assert.equal(hex(made.run(CALLER).output), '04');
});

test('a callee gets the given gas, at most 63/64 of the remaining gas', () => {
  const gasOfCallee = (requested: string): bigint => {
    const seen: bigint[] = [];
    const made = world(
      contract(`i32.const 0; i32.const 48; ${requested}; i32.const 0; i32.const 0; call call`),
      contract('i32.const 0'),
    );
    made.observer = { frameEntered: ({ gas }: Frame) => seen.push(gas) };
    made.run(CALLER, { gas: 1_000_000n });
    return seen[1] ?? -1n;
  };
  const most = gasOfCallee(ALL_GAS);
  assert.equal(gasOfCallee('i64.const 1000'), 1_000n);
  assert.equal(gasOfCallee('i64.const 0x7fffffffffffffff'), most);
  assert.ok(most > 960_000n && most < 984_375n, `${most}`);
});

test('the caller pays the gas used by the callee, all of it when it ran out', () => {
  const used = (callee: string): bigint =>
    world(contract(`${CALL}; drop; i32.const 0`), contract(callee)).run(CALLER, { gas: 1_000_000n }).gasUsed;
  const nothing = used('i32.const 0');
  assert.equal(used('i32.const 1; i32.const 1; i32.add; drop; i32.const 0') - nothing, 3n);
  const kept = 1_000_000n - used('loop; br 0; end; i32.const 0');
  assert.ok(kept > 14_000n && kept < 15_625n, `${kept} of the reserve of 1/64`);
});

test('a view cannot change anything at any depth', () => {
  const writer = address(3);
  const made = world(
    forwarding(VIEW),
    contract(`i32.const 2; i32.const 3; i32.store8; ${forwardTo(writer)}`),
  );
  made.deploy(writer, contract(`${WRITE}; i32.const 0`));
  assert.equal(hex(made.run(CALLER).output), '0003', 'the view succeeds, the call below it trapped');
  assert.equal(made.logs.length, 0);
  const direct = world(forwarding(VIEW), contract(`${WRITE}; i32.const 0`));
  assert.equal(hex(direct.run(CALLER).output), '03');
});

/** Calls another address and returns the status code. */
function forwardTo(to: Uint8Array): string {
  const store = [...to].map((byte, index) => `i32.const ${index}; i32.const ${byte}; i32.store8`).join(';');
  return `${store}; i32.const 128; ${CALL}; i32.store8; i32.const 128; i32.const 1; call set_output; i32.const 0`;
}

test('calls nest 64 deep, and the next is refused', () => {
  const depths: number[] = [];
  // Calls itself with all its gas; the innermost gets status 4 and reports it.
  const made = world(
    contract('i32.const 0'),
    contract(
      `i32.const 128; ${CALL}; local.tee 0; i32.store8; local.get 0; i32.const 4; i32.eq; if; i32.const 128; i32.const 1; call set_output; end; i32.const 0`,
    ),
  );
  made.observer = { frameEntered: ({ depth }: Frame) => depths.push(depth) };
  assert.equal(made.run(CALLEE).status, 'success');
  assert.deepEqual(
    depths,
    Array.from({ length: 64 }, (_, depth) => depth),
  );
});

test('a reentered contract runs in a separate instance', () => {
  // The outer frame, called without input, marks memory, calls itself back with input, and finds its mark untouched.
  const made = new VmWorld(HOST_CRYPTO);
  const outer = `call input_size; i32.const 3; i32.eq; if i
      i32.const 300; i32.load8_u
    else
      i32.const 300; i32.const 77; i32.store8
      ${CALL}; drop
      i32.const 400; i32.const 300; i32.load8_u; i32.store8
      i32.const 401; i32.const 0; i32.const 1; call returned_read; drop
      i32.const 400; i32.const 2; call set_output
      i32.const 0
    end`;
  made.deploy(CALLEE, contract(outer));
  const outcome = made.run(CALLEE);
  assert.deepEqual([outcome.status, hex(outcome.output)], ['success', '4d00']);
});

test('the total memory of a call chain is bounded', () => {
  // Each call takes 256 pages and calls the contract again; the chain may hold 1,024.
  const greedy = assemble({
    imports: ['call', 'set_output', 'returned_size'],
    memory: [1],
    data: [{ at: 0, bytes: CALLEE }],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        locals: 'i',
        code: `i32.const 255; memory.grow; i32.const -1; i32.eq; if; unreachable; end
          i32.const 0; i32.const 48; ${ALL_GAS}; i32.const 0; i32.const 0; call call; local.set 0
          i32.const 64; local.get 0; i32.store8; i32.const 64; i32.const 1; call set_output; i32.const 0`,
      },
    ],
  });
  const made = new VmWorld(HOST_CRYPTO);
  made.deploy(CALLEE, greedy);
  const frames: CallOutcome[] = [];
  made.observer = { frameLeft: (_, outcome) => frames.push(outcome) };
  assert.equal(made.run(CALLEE).status, 'success');
  assert.deepEqual(
    frames.map(({ status, trap }) => trap?.kind ?? status),
    ['host_limit', 'success', 'success', 'success', 'success'],
  );
});

test('a call to a missing entry point is an error of the caller', () => {
  const made = world(contract('i32.const 0'), contract('i32.const 0'));
  assert.throws(() => made.run(CALLER, { purpose: 'upgrade' }), { code: 'missing_entry_point' });
  assert.throws(() => made.run(CALLER, { gas: 1n << 63n }), { code: 'invalid_frame' });
  assert.throws(() => made.run(CALLER, { depth: 64 }), { code: 'invalid_frame' });
  assert.throws(() => made.run(CALLER, { origin: new Uint8Array(19) }), { code: 'invalid_frame' });
});

test('a trap reports its kind and the functions on the stack by name', () => {
  const made = new VmWorld(HOST_CRYPTO);
  const deploy = (end: string, variant: 'plain' | 'observed'): void => {
    made.deploy(
      CALLER,
      assemble({
        imports: ['set_output'],
        memory: [1],
        table: 2,
        elements: [{ at: 1, functions: ['invoke'] }],
        functions: [
          { name: 'invoke', type: '>i', code: 'call middle; i32.const 0' },
          { name: 'middle', code: 'i32.const 1; call innermost' },
          { name: 'innermost', type: 'i>', code: end },
          { name: 'dive', code: 'call dive' },
        ],
      }),
      variant,
    );
  };
  const cases: readonly (readonly [kind: string, code: string])[] = [
    ['unreachable', 'unreachable'],
    ['division_by_zero', 'i32.const 1; i32.const 0; i32.div_u; drop'],
    ['division_by_zero', 'i64.const 1; i64.const 0; i64.rem_s; drop'],
    ['integer_overflow', 'i32.const 0x80000000; i32.const -1; i32.div_s; drop'],
    ['memory_out_of_bounds', 'i32.const -1; i32.load; drop'],
    ['memory_out_of_bounds', 'i32.const 65535; i32.const 0; i32.const 2; memory.fill'],
    ['table_out_of_bounds', 'i32.const 2; call_indirect >'],
    ['indirect_call_mismatch', 'i32.const 0; call_indirect >'],
    ['indirect_call_mismatch', 'i32.const 1; call_indirect >'],
    ['bad_pointer', 'i32.const -1; i32.const 1; call set_output'],
  ];
  for (const variant of ['plain', 'observed'] as const) {
    for (const [kind, code] of cases) {
      deploy(code, variant);
      const { status, trap } = made.run(CALLER);
      assert.equal(status, 'trapped');
      assert.equal(trap?.kind, kind, code);
      assert.deepEqual(trap?.backtrace, ['innermost', 'middle', 'invoke'], code);
    }
  }
  deploy('call dive', 'plain');
  assert.equal(made.run(CALLER).trap?.kind, 'stack_overflow');
});

test('a thread with too small a stack is detected and yields no result', () => {
  const limits = { ...WORLD_LIMITS, stackBytes: 1 << 30 };
  const made = new VmWorld(HOST_CRYPTO, limits);
  made.deploy(
    CALLER,
    assemble({
      memory: [1],
      functions: [{ name: 'invoke', type: '>i', code: 'call invoke; i32.const 1; i32.add' }],
    }),
  );
  assert.throws(() => made.run(CALLER), { name: 'EngineError', code: 'host_stack_exhausted' });
  made.deploy(CALLEE, contract('i32.const 0'));
  assert.equal(made.run(CALLEE).status, 'success');
});
