import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../src/vm/wasm/engine-limits.js';
import { type ModuleProfile, validateModule } from '../../src/vm/wasm/validate.js';
import { ModuleRefused, type RefusalRule } from '../../src/wasm/module-refused.js';
import { assemble, type ModuleSource } from '../support/contracts/wasm-assembler.js';

const HEADER = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

function refusalOf(bytes: Uint8Array, profile: ModuleProfile = 'any'): ModuleRefused {
  try {
    validateModule(bytes, LIMITS, profile);
  } catch (error) {
    assert.ok(error instanceof ModuleRefused, String(error));
    return error;
  }
  assert.fail('the module was accepted');
}

function module(...sections: readonly (readonly number[])[]): Uint8Array {
  return Uint8Array.from([...HEADER, ...sections.flat()]);
}

/** One function () → () with the given body bytes. */
function withBody(...code: readonly number[]): Uint8Array {
  return module(
    [1, 4, 1, 0x60, 0, 0],
    [3, 2, 1, 0],
    [5, 3, 1, 0, 1],
    [10, code.length + 4, 1, code.length + 2, 0, ...code, 0x0b],
  );
}

const INVOKE = { name: 'invoke', type: '>i', code: 'i32.const 0' };

function withInvoke(source: Partial<ModuleSource>): Uint8Array {
  return assemble({ memory: [1], functions: [INVOKE], ...source });
}

const OPCODES: readonly (readonly [rule: RefusalRule, what: string, code: readonly number[]])[] = [
  ['floating_point', 'f32.const', [0x43, 0, 0, 0, 0]],
  ['floating_point', 'f64.add', [0xa0]],
  ['floating_point', 'i32.trunc_f32_s', [0xa8]],
  ['floating_point', 'i64.trunc_sat_f64_u', [0xfc, 7]],
  ['floating_point', 'a block of type f64', [0x02, 0x7c, 0x0b]],
  ['simd', 'v128.load', [0xfd, 0, 0, 0]],
  ['simd', 'a block of type v128', [0x02, 0x7b, 0x0b]],
  ['threads', 'atomic.fence', [0xfe, 3, 0]],
  ['exceptions', 'throw', [0x08, 0]],
  ['exceptions', 'try', [0x06, 0x40]],
  ['tail_calls', 'return_call', [0x12, 0]],
  ['garbage_collection', 'struct.new', [0xfb, 0, 0]],
  ['reference_types', 'ref.null', [0xd0, 0x70]],
  ['reference_types', 'table.grow', [0xfc, 0x0f, 0]],
  ['reference_types', 'select with a type', [0x1c, 1, 0x7f]],
  ['multiple_memories', 'memory.size of memory 1', [0x3f, 1]],
  ['malformed', 'an opcode that does not exist', [0x27]],
  ['malformed', 'a prefixed opcode that does not exist', [0xfc, 0x80, 0x80, 0x04]],
  ['malformed', 'a constant that is too long', [0x41, 0x80, 0x80, 0x80, 0x80, 0x80, 0]],
  ['type_mismatch', 'an operand that is not there', [0x6a]],
  ['type_mismatch', 'an operand left over', [0x41, 0]],
  ['unknown_index', 'a local that is not there', [0x20, 0]],
  ['unknown_index', 'a function that is not there', [0x10, 7]],
  ['unknown_index', 'a label that is not there', [0x0c, 1]],
  ['alignment', 'i32.load aligned to 8', [0x41, 0, 0x28, 3, 0, 0x1a]],
];

for (const [rule, what, code] of OPCODES) {
  test(`${what} is refused by the rule ${rule}, at its byte and in its function`, () => {
    const bytes = withBody(...code);
    const refusal = refusalOf(bytes);
    assert.equal(refusal.rule, rule, refusal.message);
    assert.equal(refusal.place.functionIndex, 0);
    const start = bytes.length - 1 - code.length;
    assert.ok(refusal.place.offset >= start && refusal.place.offset <= bytes.length, refusal.message);
    assert.match(refusal.message, /^function 0, byte 0x[0-9a-f]+: /);
  });
}

const MODULES: readonly (readonly [rule: RefusalRule, what: string, bytes: Uint8Array])[] = [
  ['malformed', 'no module at all', new Uint8Array(0)],
  ['malformed', 'text', new TextEncoder().encode('(module)')],
  ['malformed', 'another version', Uint8Array.of(0, 0x61, 0x73, 0x6d, 2, 0, 0, 0)],
  ['malformed', 'a section beyond the end', module([1, 9, 0])],
  ['malformed', 'sections out of order', module([3, 1, 0], [1, 1, 0])],
  ['malformed', 'a count that the bytes cannot hold', module([1, 5, 0xff, 0xff, 0xff, 0xff, 0x0f])],
  ['floating_point', 'a parameter of type f32', module([1, 5, 1, 0x60, 1, 0x7d, 0])],
  ['reference_types', 'a parameter of type externref', module([1, 5, 1, 0x60, 1, 0x6f, 0])],
  [
    'start_function',
    'a start function',
    module([1, 4, 1, 0x60, 0, 0], [3, 2, 1, 0], [8, 1, 0], [10, 4, 1, 2, 0, 0x0b]),
  ],
  ['multiple_memories', 'two memories', module([5, 5, 2, 0, 1, 0, 1])],
  ['multiple_tables', 'two tables', module([4, 7, 2, 0x70, 0, 1, 0x70, 0, 1])],
  ['reference_types', 'a table of externref', module([4, 4, 1, 0x6f, 0, 1])],
  ['threads', 'a shared memory', module([5, 4, 1, 3, 1, 1])],
  ['memory64', 'a 64-bit memory', module([5, 3, 1, 4, 1])],
  ['memory_limits', 'a memory over 16 MiB', module([5, 4, 1, 0, 0x81, 2])],
  ['memory_limits', 'a memory larger than its maximum', module([5, 4, 1, 1, 2, 1])],
  ['table_limits', 'a table of a million entries', module([4, 6, 1, 0x70, 0, 0xc0, 0x84, 0x3d])],
  ['custom_section', 'a custom section', module([0, 5, 4, 0x64, 0x61, 0x74, 0x61])],
  ['exceptions', 'a tag section', module([13, 1, 0])],
  ['import', 'a global from outside', module([2, 8, 1, 1, 0x65, 1, 0x67, 3, 0x7f, 0])],
  [
    'constant_expression',
    'an initial value that is computed',
    module([6, 8, 1, 0x7f, 0, 0x41, 1, 0x41, 1, 0x0b]),
  ],
  ['floating_point', 'a global of type f64', module([6, 4, 1, 0x7c, 0, 0x0b])],
  ['limit', 'a module over 256 KiB', new Uint8Array(256 * 1024 + 1)],
];

for (const [rule, what, bytes] of MODULES) {
  test(`${what} is refused by the rule ${rule}`, () => {
    const refusal = refusalOf(bytes);
    assert.equal(refusal.rule, rule, refusal.message);
  });
}

test('a refusal names the function as the module does', () => {
  const bytes = assemble({
    functions: [
      { name: 'fine', code: 'nop' },
      { name: 'faulty', code: 'i32.add' },
    ],
  });
  const refusal = refusalOf(bytes);
  assert.deepEqual({ ...refusal.place, offset: 0 }, { offset: 0, functionIndex: 1, functionName: 'faulty' });
  assert.match(
    refusal.message,
    /^function 1 \(faulty\), byte 0x[0-9a-f]+: i32.add lacks an operand \(type_mismatch\)$/,
  );
});

test('segments that do not fit are refused before anything runs', () => {
  const bytes = Uint8Array.of(1, 2, 3);
  assert.equal(refusalOf(withInvoke({ data: [{ at: 65_534, bytes }] })).rule, 'segment_out_of_bounds');
  assert.equal(refusalOf(withInvoke({ data: [{ at: -1, bytes }] })).rule, 'segment_out_of_bounds');
  const elements = [{ at: 1, functions: ['invoke', null] }];
  assert.equal(refusalOf(withInvoke({ table: 2, elements })).rule, 'segment_out_of_bounds');
  validateModule(withInvoke({ table: 3, elements, data: [{ at: 65_533, bytes }] }), LIMITS, 'contract');
});

test('an import outside the host interface, or with the wrong type, is refused', () => {
  const bytes = withInvoke({ imports: ['caller'] });
  const text = Buffer.from(bytes);
  const at = text.indexOf('caller');
  const renamed = Uint8Array.from(bytes);
  renamed.set(Buffer.from('dealer'), at);
  assert.match(refusalOf(renamed).message, /"heddle"\."dealer" is not in the host interface \(import\)/);
  renamed.set(Buffer.from('origin'), at);
  validateModule(renamed, LIMITS, 'contract');
  const foreign = Uint8Array.from(bytes);
  foreign.set(Buffer.from('Heddle'), text.indexOf('heddle'));
  assert.equal(refusalOf(foreign).rule, 'import');
  // `caller` takes a pointer, unlike the type of invoke, () → i32.
  const retyped = Uint8Array.from(bytes);
  retyped[at + 'caller'.length + 1] = retyped[at + 'caller'.length + 1] === 0 ? 1 : 0;
  assert.match(refusalOf(retyped).message, /caller has type \(i32\) → \(\), got /);
});

test('a contract exports its memory and invoke; init and migrate are optional and of the same type', () => {
  assert.match(refusalOf(assemble({ functions: [INVOKE] }), 'contract').message, /exports its memory/);
  assert.match(refusalOf(withInvoke({ functions: [] }), 'contract').message, /exports invoke/);
  const wrong = withInvoke({ functions: [{ ...INVOKE, type: 'i>i' }] });
  assert.match(
    refusalOf(wrong, 'contract').message,
    /invoke must be a function of type \(\) → \(i32\), got \(i32\)/,
  );
  const wrongInit = withInvoke({ functions: [INVOKE, { name: 'init', code: 'nop' }] });
  assert.equal(refusalOf(wrongInit, 'contract').rule, 'export');
  const all = withInvoke({
    functions: [INVOKE, { ...INVOKE, name: 'migrate' }, { ...INVOKE, name: 'init' }],
  });
  assert.deepEqual(
    [...validateModule(all, LIMITS, 'contract').entryPoints],
    [
      ['invoke', 0],
      ['init', 2],
      ['migrate', 1],
    ],
  );
});

test('names of the instrumenter cannot be exported, and no name can be exported twice', () => {
  const named = (name: string): Uint8Array => withInvoke({ functions: [INVOKE, { name, code: 'nop' }] });
  assert.equal(refusalOf(named('heddle:gas')).rule, 'export');
  assert.match(refusalOf(named('memory')).message, /"memory" is exported twice/);
});

test('code that would take too long to compile is refused', () => {
  const nested = `${'block\n'.repeat(60_000)}${'end\n'.repeat(60_000)}`;
  assert.match(
    refusalOf(withInvoke({ functions: [{ name: 'f', code: nested }] })).message,
    /nest deeper than 1024/,
  );
  const branches = `block\n${'local.get 0; br_if 0\n'.repeat(2_000)}end`;
  const work = withInvoke({ functions: [{ name: 'f', locals: 'i'.repeat(1_000), code: branches }] });
  assert.equal(refusalOf(work).rule, 'limit');
  const locals = withInvoke({ functions: [{ name: 'f', locals: 'i'.repeat(10_000), code: 'nop' }] });
  assert.match(refusalOf(locals).message, /expected at most 4096 locals, got /);
  const table = `block; local.get 0; br_table ${'0 '.repeat(20_000)}0; end`;
  assert.equal(refusalOf(withInvoke({ functions: [{ name: 'f', locals: 'i', code: table }] })).rule, 'limit');
});

test('arbitrary bytes are accepted or refused without other errors', () => {
  const valid = assemble({
    memory: [1],
    table: 2,
    elements: [{ at: 0, functions: ['invoke'] }],
    data: [{ at: 0, bytes: Uint8Array.of(1) }],
    functions: [{ ...INVOKE, code: 'block i; i32.const 1; br 0; end' }],
  });
  let accepted = 0;
  for (let at = 0; at < valid.length; at++) {
    for (const change of [0x00, 0x01, 0x0b, 0x40, 0x7f, 0x80, 0xfc, 0xff]) {
      const changed = Uint8Array.from(valid);
      changed[at] = change;
      for (const bytes of [changed, changed.subarray(0, at)]) {
        try {
          validateModule(bytes, LIMITS, 'any');
          accepted += 1;
          assert.ok(WebAssembly.validate(bytes), `V8 refuses what was accepted: byte ${at} = ${change}`);
        } catch (error) {
          assert.ok(error instanceof ModuleRefused, String(error));
        }
      }
    }
  }
  assert.ok(accepted > 0);
});
