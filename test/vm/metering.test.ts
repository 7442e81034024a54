import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FUNCTION_GAS, INSTRUCTION_GAS as GAS } from '../../src/vm/wasm/schedule.js';
import { MeteredModule } from '../support/contracts/metered-module.js';
import { assemble } from '../support/contracts/wasm-assembler.js';

const ENTRY = BigInt(FUNCTION_GAS.entry);

function metered(code: string, type = '>i', locals = ''): MeteredModule {
  return new MeteredModule(assemble({ memory: [1, 4], functions: [{ name: 'f', type, locals, code }] }));
}

function gasOf(module: MeteredModule, ...args: number[]): bigint {
  return module.call('f', args).gasUsed;
}

test('a straight-line function costs the sum of its instructions', () => {
  const module = metered('local.get 0; i32.const 3; i32.mul; local.get 0; i32.div_u', 'i>i');
  assert.equal(gasOf(module, 5), ENTRY + BigInt(3 * GAS.simple + GAS.multiply + GAS.divide32));
});

test('locals are charged on function entry', () => {
  const without = gasOf(metered('i32.const 0'));
  assert.equal(gasOf(metered('i32.const 0', '>i', 'iiijj')), without + BigInt(5 * FUNCTION_GAS.perLocal));
});

test('only the arm of an if that runs is charged', () => {
  const module = metered(
    'local.get 0; if i; i32.const 1; i32.const 1; i32.const 1; i32.add; i32.add; else; i32.const 1; end',
    'i>i',
  );
  assert.equal(gasOf(module, 1), ENTRY + 7n);
  assert.equal(gasOf(module, 0), ENTRY + 3n);
});

test('every round of a loop is charged, and what follows it once', () => {
  // One round is get, const, sub, tee, br_if; `loop` runs once before the rounds and `get` once after them.
  const module = metered(
    'loop; local.get 0; i32.const 1; i32.sub; local.tee 0; br_if 0; end; local.get 0',
    'i>i',
  );
  for (const rounds of [1, 2, 10]) {
    assert.equal(gasOf(module, rounds), ENTRY + BigInt(rounds) * 5n + 2n);
  }
});

test('a branch out of a block leaves what it jumps over uncharged', () => {
  const module = metered(
    'block; local.get 0; br_if 0; i32.const 1; drop; i32.const 1; drop; end; i32.const 9',
    'i>i',
  );
  assert.equal(gasOf(module, 1), ENTRY + 3n);
  assert.equal(gasOf(module, 0), ENTRY + 5n);
});

test('br_table charges the arm it takes, and return ends a function from inside blocks', () => {
  const module = metered(
    `block; block; block; local.get 0; br_table 0 1 2; end
     i32.const 10; return; end
     i32.const 20; i32.const 1; i32.add; return; end
     i32.const 30; i32.const 1; i32.add; i32.const 1; i32.add`,
    'i>i',
  );
  const table = BigInt(1 + GAS.branchTable);
  assert.deepEqual(
    [0, 1, 2, 99].map((value) => module.call('f', [value])),
    [
      { ending: [10], gasUsed: ENTRY + table + 2n },
      { ending: [21], gasUsed: ENTRY + table + 4n },
      { ending: [32], gasUsed: ENTRY + table + 5n },
      { ending: [32], gasUsed: ENTRY + table + 5n },
    ],
  );
});

test('code that is never reached costs nothing and changes nothing', () => {
  const plain = metered('block i; i32.const 7; br 0; end');
  const padded = metered(
    `block i; i32.const 7; br 0
     i32.const 1; memory.grow; drop; loop; br 0; end; i32.const 0; if; unreachable; else; nop; end; i32.add; end`,
  );
  assert.deepEqual(padded.call('f', []), plain.call('f', []));
});

test('gas runs out exactly one unit below what a call uses, and then all of it is gone', () => {
  const module = metered(
    `loop
       i32.const 64; local.get 0; i32.store
       local.get 0; i32.const 1; i32.sub; local.tee 0; br_if 0
     end
     i32.const 64; i32.load`,
    'i>i',
  );
  const { gasUsed } = module.call('f', [9]);
  assert.deepEqual(module.call('f', [9], gasUsed), { ending: [1], gasUsed });
  for (let gas = 0n; gas < gasUsed; gas++) {
    assert.deepEqual(module.call('f', [9], gas), { ending: 'out_of_gas', gasUsed: gas });
  }
});

test('a block that cannot be paid for does not start', () => {
  const module = metered(
    `i32.const 0; i32.const 1; i32.store; block; local.get 0; br_if 0; end; i32.const 4; i32.const 1; i32.store; i32.const 0`,
    'i>i',
  );
  const { gasUsed } = module.call('f', [1]);
  assert.ok(module.reset());
  assert.equal(module.call('f', [1], gasUsed - 1n).ending, 'out_of_gas');
  const memory = new Uint8Array(module.memory?.buffer ?? new ArrayBuffer(0));
  assert.equal(memory[0], 1, 'the first block ran');
  assert.equal(memory[4], 0, 'the second did not');
});

test('bulk memory operations cost by their length, before they run', () => {
  const module = metered('i32.const 0; i32.const 1; local.get 0; memory.fill; i32.const 0', 'i>i');
  assert.equal(gasOf(module, 8_000) - gasOf(module, 0), 1_000n);
  // The charge applies even if the operation then traps, and for any claimed length.
  assert.deepEqual(module.call('f', [-1], 1_000_000n), { ending: 'out_of_gas', gasUsed: 1_000_000n });
  assert.equal(module.call('f', [-1]).ending, 'memory_out_of_bounds');
});

test('memory growth is charged up to the limit, and fails beyond it at no cost', () => {
  const module = metered('local.get 0; memory.grow', 'i>i');
  const failed = module.call('f', [4]);
  assert.deepEqual(failed.ending, [-1]);
  assert.deepEqual(module.call('f', [-1]), failed);
  const grown = module.call('f', [2]);
  assert.deepEqual(grown.ending, [1]);
  assert.equal(grown.gasUsed - failed.gasUsed, 8_000n);
  assert.deepEqual(module.call('f', [2]).ending, [-1]);
  assert.deepEqual(module.call('f', [1]).ending, [3]);
});

test('the depth of recursion is bounded by frames, not by the stack of the thread', () => {
  const recursion = (locals: number): MeteredModule =>
    new MeteredModule(
      assemble({
        globals: [{ type: 'i', value: 0n }],
        functions: [
          {
            name: 'dive',
            locals: 'j'.repeat(locals),
            code: 'global.get 0; i32.const 1; i32.add; global.set 0; call dive',
          },
          { name: 'depth', type: '>i', code: 'global.get 0' },
        ],
      }),
    );
  const depths = [0, 100, 1_000].map((locals) => {
    const module = recursion(locals);
    assert.equal(module.call('dive', []).ending, 'stack_overflow');
    const [depth] = module.call('depth', []).ending;
    return Number(depth);
  });
  assert.deepEqual(depths, [1489, 268, 32]);
});

test('an exhausted stack budget is restored for the next call and after returns', () => {
  const module = new MeteredModule(
    assemble({
      functions: [
        {
          name: 'down',
          type: 'i>i',
          code: 'local.get 0; if i; local.get 0; i32.const 1; i32.sub; call down; else; i32.const 1; end',
        },
        {
          name: 'again',
          type: 'i>',
          code: 'loop; i32.const 300; call down; drop; local.get 0; i32.const 1; i32.sub; local.tee 0; br_if 0; end',
        },
      ],
    }),
  );
  assert.equal(module.call('down', [100_000]).ending, 'stack_overflow');
  assert.deepEqual(module.call('down', [300]).ending, [1]);
  assert.deepEqual(module.call('again', [1_000]).ending, []);
});

test('observed code uses the same gas and reports each entry and exit', () => {
  const code = assemble({
    functions: [
      { name: 'leaf', type: 'i>i', code: 'local.get 0; i32.eqz; if; i32.const 5; return; end; local.get 0' },
      { name: 'f', type: '>i', code: 'i32.const 0; call leaf; i32.const 3; call leaf; i32.add' },
    ],
  });
  const seen: string[] = [];
  const observer = {
    enter: (index: number) => seen.push(`enter ${index}`),
    leave: (index: number) => seen.push(`leave ${index}`),
  };
  const observed = new MeteredModule(code, { 'heddle:observer': observer }, undefined, 'observed');
  assert.deepEqual(observed.call('f', []), new MeteredModule(code).call('f', []));
  assert.deepEqual(seen, ['enter 1', 'enter 0', 'leave 0', 'enter 0', 'leave 0', 'leave 1']);
});
