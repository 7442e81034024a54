import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CALL_FRAMES_BYTES, LIMITS } from '../../src/vm/wasm/engine-limits.js';
import { frameWeight } from '../../src/vm/wasm/frame-weight.js';
import { validateModule } from '../../src/vm/wasm/validate.js';
import { VmWorkerThread } from '../support/contracts/vm-worker-thread.js';
import { assemble, type FunctionSource } from '../support/contracts/wasm-assembler.js';
import { address } from '../support/worlds/vm-world.js';

const worker = new VmWorkerThread();
after(() => worker.stop());

const GAS = 50_000_000n;
const INVOKE = { name: 'invoke', type: '>i' };

async function endingOf(code: Uint8Array, options: { gas?: bigint; times?: number } = {}): Promise<string> {
  const { ending, gasUsed } = await worker.run({ code, gas: GAS, ...options });
  assert.ok(gasUsed <= (options.gas ?? GAS));
  return ending;
}

function contract(...functions: readonly FunctionSource[]): Uint8Array {
  return assemble({
    imports: ['call', 'storage_write', 'emit', 'log', 'set_output', 'sha256'],
    memory: [1],
    table: 1,
    elements: [{ at: 0, functions: ['invoke'] }],
    data: [{ at: 0, bytes: address(1) }],
    functions,
  });
}

const LOOPS: readonly (readonly [what: string, body: string])[] = [
  ['an empty loop', 'loop; br 0; end'],
  ['a loop by br_table', 'loop; i32.const 0; br_table 0 0; end'],
  ['a loop that grows memory by nothing', 'loop; i32.const 0; memory.grow; drop; br 0; end'],
  ['a loop that asks for more memory than there can be', 'loop; i32.const -1; memory.grow; drop; br 0; end'],
  [
    'a loop that copies all memory',
    'loop; i32.const 0; i32.const 1; i32.const 65535; memory.copy; br 0; end',
  ],
  [
    'a million storage writes',
    'loop; i32.const 32; local.get 0; i32.store; i32.const 32; i32.const 0; i32.const 16384; call storage_write; local.get 0; i32.const 1; i32.add; local.set 0; br 0; end',
  ],
  [
    'a million large events',
    'loop; i32.const 0; i32.const 4; i32.const 0; i32.const 16384; call emit; br 0; end',
  ],
  ['a million log lines', 'loop; i32.const 0; i32.const 16384; call log; br 0; end'],
  ['hashing all memory for ever', 'loop; i32.const 0; i32.const 65536; i32.const 0; call sha256; br 0; end'],
  ['writing outputs for ever', 'loop; i32.const 0; i32.const 65535; call set_output; br 0; end'],
];

for (const [what, body] of LOOPS) {
  test(`${what} ends out of gas`, async () => {
    assert.equal(
      await endingOf(contract({ ...INVOKE, locals: 'i', code: `${body}; i32.const 0` })),
      'out_of_gas',
    );
  });
}

const RECURSIONS: readonly (readonly [what: string, functions: readonly FunctionSource[]])[] = [
  ['of a function without a frame worth speaking of', [{ ...INVOKE, code: 'call invoke' }]],
  [
    'with 4,000 locals a frame',
    [{ ...INVOKE, locals: 'j'.repeat(4_000), code: 'call invoke; local.get 3999; i32.wrap_i64; i32.add' }],
  ],
  [
    'of two functions in turn',
    [
      { ...INVOKE, code: 'call other' },
      { name: 'other', type: '>i', code: 'call invoke; i32.const 1; i32.add' },
    ],
  ],
  ['through the table', [{ ...INVOKE, code: 'i32.const 0; call_indirect >i; i32.const 1; i32.add' }]],
  [
    'with operands piled up under the call',
    [
      {
        ...INVOKE,
        code: `${'i32.const 0; i32.load;'.repeat(2_000)} call invoke; ${'i32.add;'.repeat(2_000)}`,
      },
    ],
  ],
];

for (const [what, functions] of RECURSIONS) {
  test(`infinite recursion ${what} traps before the thread's stack overflows`, async () => {
    assert.equal(await endingOf(contract(...functions)), 'stack_overflow');
  });
}

test('10,000 locals per frame are refused', async () => {
  const code = contract({ ...INVOKE, locals: 'i'.repeat(10_000), code: 'call invoke' });
  assert.equal(await endingOf(code), 'limit');
});

test('64 nested calls that fill the stack budget with the largest frames fit in the stack of a worker', async () => {
  // Shared sums of loads: optimized code keeps each alive across the call, for 8 bytes of frame.
  const sums = Array.from(
    { length: 500 },
    (_, n) => `i32.const ${n * 8}; i64.load; local.get 1; i64.xor; local.set 1`,
  ).join(';');
  const dive = {
    name: 'dive',
    type: 'i>j',
    locals: 'j',
    code: `${sums}; local.get 0; if
        local.get 0; i32.const 1; i32.sub; call dive; local.get 1; i64.xor; local.set 1
      else
        i32.const 0; i32.const 48; i64.const -1; i32.const 0; i32.const 0; call call
        i32.const 4; i32.eq; if; i32.const -1; call dive; drop; end
      end; ${sums}; local.get 1`,
  };
  const { module, facts } = validateModule(
    contract({ ...INVOKE, code: 'i32.const 0' }, dive),
    LIMITS,
    'contract',
  );
  const [, body] = module.bodies;
  const [, fact] = facts;
  const type = module.types[module.functions[1] ?? 0];
  assert.ok(body !== undefined && fact !== undefined && type !== undefined);
  const share = LIMITS.stackBytes / LIMITS.depth - CALL_FRAMES_BYTES;
  const depth = Math.floor(share / frameWeight(body, type, fact)) - 2;
  assert.ok(depth > 5, `${depth} frames`);
  const code = contract({ ...INVOKE, code: `i32.const ${depth}; call dive; drop; i32.const 0` }, dive);
  // The innermost call overflows the budget; all others return. V8 optimizes the code during the repeated calls.
  assert.equal(await endingOf(code, { gas: 1_000_000_000n, times: 30 }), 'success');
});

test('memory grown to its limit in every call is released', async () => {
  const code = contract({
    ...INVOKE,
    code: 'i32.const 255; memory.grow; drop; i32.const 0; i32.const 1; i32.const 0x1000000; memory.fill; i32.const 0',
  });
  const { ending, residentBytes } = await worker.run({ code, gas: GAS, times: 120 });
  assert.equal(ending, 'success');
  // Unreleased, 120 times 16 MiB would be 1.9 GiB.
  assert.ok(residentBytes < 1.5 * 1024 ** 3, `${residentBytes} bytes`);
});

const WIDE = 'jjj>jjj';

/** `invoke` calls `count` functions with the same code. */
function spread(count: number, code: string): FunctionSource[] {
  const functions = Array.from({ length: count }, (_, n) => ({ name: `f${n}`, code, isExported: false }));
  return [
    { ...INVOKE, code: `${functions.map(({ name }) => `call ${name}`).join(';')}; i32.const 0` },
    ...functions,
  ];
}

const SHAPES: readonly (readonly [what: string, ending: string, functions: readonly FunctionSource[]])[] = [
  [
    '256 KiB of nested blocks',
    'limit',
    [{ ...INVOKE, code: `${'block\n'.repeat(80_000)}${'end\n'.repeat(80_000)} i32.const 0` }],
  ],
  [
    '256 KiB of blocks side by side',
    'success',
    [{ ...INVOKE, code: `${'block\n end\n'.repeat(80_000)} i32.const 0` }],
  ],
  [
    'a thousand loops in each other',
    'success',
    [{ ...INVOKE, code: `${'loop\n'.repeat(1_000)}${'end\n'.repeat(1_000)} i32.const 0` }],
  ],
  [
    'a br_table of 16,000 targets',
    'success',
    [{ ...INVOKE, code: `block; i32.const 0; br_table ${'0 '.repeat(16_000)}; end; i32.const 0` }],
  ],
  [
    '48,000 branches in one function',
    'limit',
    [{ ...INVOKE, code: `block; ${'i32.const 0; br_if 0;'.repeat(48_000)} end; i32.const 0` }],
  ],
  [
    '48,000 branches in 8 functions',
    'success',
    spread(8, `block; ${'i32.const 0; br_if 0;'.repeat(6_000)} end`),
  ],
  [
    'branches between 4,000 locals',
    'limit',
    [
      {
        ...INVOKE,
        locals: 'i'.repeat(4_000),
        code: `block; ${'local.get 0; br_if 0;'.repeat(1_000)} end; i32.const 0`,
      },
    ],
  ],
  [
    '10,000 functions that are all called',
    'success',
    [
      { ...INVOKE, code: `${Array.from({ length: 9_999 }, (_, n) => `call f${n}`).join(';')}; i32.const 0` },
      ...Array.from({ length: 9_999 }, (_, n) => ({ name: `f${n}`, code: 'nop', isExported: false })),
    ],
  ],
  [
    '45,000 memory.grow in one function',
    'limit',
    [{ ...INVOKE, code: `${'i32.const 0; memory.grow; drop;'.repeat(45_000)} i32.const 0` }],
  ],
  [
    '45,000 memory.grow in 5 functions',
    'success',
    spread(5, 'i32.const 0; memory.grow; drop;'.repeat(9_000)),
  ],
  [
    '20,000 calls of 3 parameters and 3 results',
    'limit',
    [
      { ...INVOKE, code: `${'i64.const 0;'.repeat(3)} ${'call wide;'.repeat(20_000)} unreachable` },
      { name: 'wide', type: WIDE, code: 'unreachable', isExported: false },
    ],
  ],
  [
    '40,000 indirect calls of 3 parameters and 3 results, in 40 functions',
    'limit',
    Array.from({ length: 40 }, (_, n) => ({
      ...(n === 0 ? INVOKE : { name: `f${n}` }),
      code: `${'i64.const 0;'.repeat(3)} ${`i32.const 0; call_indirect ${WIDE};`.repeat(1_000)} unreachable`,
    })),
  ],
  [
    '60,000 loops of 3 parameters and 3 results',
    'limit',
    [{ ...INVOKE, code: `${'i64.const 0;'.repeat(3)} ${`loop ${WIDE}; end;`.repeat(60_000)} unreachable` }],
  ],
  [
    '6,000 loops side by side in one function',
    'limit',
    [{ ...INVOKE, code: `${'loop; end;'.repeat(6_000)} i32.const 0` }],
  ],
  [
    '16,000 functions of 4,000 locals',
    'limit',
    [
      { ...INVOKE, code: 'i32.const 0' },
      ...Array.from({ length: 16_000 }, (_, n) => ({
        name: `f${n}`,
        locals: 'i'.repeat(4_000),
        code: 'nop',
        isExported: false,
      })),
    ],
  ],
];

for (const [what, ending, functions] of SHAPES) {
  test(`a module of ${what} ends in ${ending === 'limit' ? 'a refusal' : 'bounded time'}`, async () => {
    assert.equal(await endingOf(contract(...functions), { gas: 2_000_000_000n }), ending);
  });
}

test('fresh and used workers agree on every byte and every unit of gas', async () => {
  const other = new VmWorkerThread();
  try {
    const code = contract({
      ...INVOKE,
      locals: 'i',
      code: `loop; i32.const 0; i32.const 64; i32.const 32; call sha256; local.get 0; i32.const 1; i32.add; local.tee 0
        i32.const 500; i32.lt_u; br_if 0; end; i32.const 32; i32.const 32; call set_output; i32.const 0`,
    });
    const answers = [
      await worker.run({ code }),
      await worker.run({ code, times: 50 }),
      await other.run({ code }),
      await other.run({ code, times: 3 }),
    ].map(({ ending, gasUsed, output }) => ({ ending, gasUsed, output }));
    assert.equal(answers[0]?.ending, 'success');
    for (const answer of answers) {
      assert.deepEqual(answer, answers[0]);
    }
  } finally {
    await other.stop();
  }
});
