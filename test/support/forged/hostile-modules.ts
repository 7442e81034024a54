import { assemble, type FunctionSource, type ModuleSource } from '../contracts/wasm-assembler.js';

const INVOKE = { name: 'invoke', type: '>i', code: 'i32.const 0' };
const VALUES = [0, 1, 8, 64];

/**
 * Modules with as much machine code per byte as possible, by the construct that causes it.
 * @param times number of repetitions in each
 */
export function hostileModules(times: number): Map<string, Uint8Array> {
  const modules = new Map<string, Uint8Array>();
  const add = (
    name: string,
    functions: readonly FunctionSource[],
    more: Partial<ModuleSource> = {},
  ): void => {
    const hidden = functions.map((each) => ({ isExported: false, ...each }));
    modules.set(
      name,
      assemble({
        memory: [1],
        table: 4,
        globals: [
          { type: 'i', value: 0n, isMutable: true },
          { type: 'j', value: 0n, isMutable: true },
        ],
        ...more,
        functions: [INVOKE, ...hidden],
      }),
    );
  };
  for (const count of VALUES) {
    for (const letter of ['i', 'j']) addValues(add, count, letter, times);
  }
  for (const [name, code] of OPERATIONS) {
    add(`operation ${name}`, [{ name: 'f', locals: 'ijij', code: repeat(code, times * 2) }]);
  }
  for (const [name, code] of LOOPED) {
    for (const copies of [1, 4, 12]) {
      const body = `${repeat(code, copies)}; ${COUNTDOWN}`;
      add(`loop of ${copies} ${name}`, [
        { name: 'f', locals: 'ijij', code: repeat(`loop; ${body}; end`, times) },
      ]);
      const deep = `${repeat('loop', 30)}; ${repeat(code, copies * 4)}; ${COUNTDOWN}; ${repeat('end', 30)}`;
      add(`30 loops in each other around ${copies * 4} ${name}`, [
        { name: 'f', locals: 'ijij', code: repeat(deep, Math.ceil(times / 20)) },
      ]);
    }
  }
  for (const locals of [100, 500]) {
    for (const letter of ['i', 'j']) addLocals(add, locals, letter, times);
  }
  for (const name of ['i64.rotl', 'i64.div_s', 'i64.mul', 'i64.xor', 'i64.rem_u']) {
    add(`400 results of ${name} alive`, [
      { name: 'f', type: 'jj>j', locals: 'j'.repeat(400), code: alive(name) },
    ]);
  }
  for (const targets of [16, 1_000]) {
    const table = `block; local.get 0; br_table ${'0 '.repeat(targets)}; end`;
    add(`br_table of ${targets}`, [
      { name: 'f', locals: 'i', code: repeat(table, Math.ceil((times * 40) / targets)) },
    ]);
  }
  add('nothing', []);
  add(
    '4,000 functions',
    Array.from({ length: 4_000 }, (_, n) => ({ name: `f${n}`, code: '' })),
  );
  add('4,000 globals', [], {
    globals: Array.from({ length: 4_000 }, () => ({ type: 'j', value: 1n << 62n, isMutable: true }) as const),
  });
  add('4,000 data segments', [], {
    data: Array.from({ length: 4_000 }, (_, n) => ({ at: n, bytes: Uint8Array.of(1) })),
  });
  add('hashes', [], { imports: ['sha256', 'blake3', 'keccak256'] });
  return modules;
}

const COUNTDOWN = 'local.get 0; i32.const 1; i32.sub; local.tee 0; br_if 0';

const LOOPED: readonly (readonly [name: string, code: string])[] = [
  ['stores', 'local.get 0; local.get 1; i64.store offset=100000'],
  ['divisions', 'local.get 1; local.get 3; i64.div_s; local.set 1'],
  ['rotations', 'local.get 1; local.get 3; i64.rotl; local.set 1'],
  ['copies', 'local.get 0; local.get 0; local.get 0; memory.copy'],
];

const OPERATIONS: readonly (readonly [name: string, code: string])[] = [
  ...'add mul div_s div_u rem_s rem_u shl shr_u rotl xor'
    .split(' ')
    .flatMap((name) => [
      [`i32.${name}`, `local.get 0; local.get 2; i32.${name}; local.set 0`] as const,
      [`i64.${name}`, `local.get 1; local.get 3; i64.${name}; local.set 1`] as const,
    ]),
  ['i64.lt_s', 'local.get 1; local.get 3; i64.lt_s; local.set 0'],
  ['i64.popcnt', 'local.get 1; i64.popcnt; local.set 1'],
  ['i64.const', 'i64.const 0x123456789abcdef; drop'],
  ['i64.load', 'local.get 0; i64.load offset=100000; local.set 1'],
  ['i64.store', 'local.get 0; local.get 1; i64.store offset=100000'],
  ['store of a constant', 'local.get 0; i64.const 0x123456789abcdef; i64.store offset=1'],
  ['i32.load8_s', 'local.get 0; i32.load8_s; local.set 0'],
  ['select', 'local.get 1; local.get 3; local.get 0; select; local.set 1'],
  ['globals', 'global.get 1; local.get 3; i64.xor; global.set 1'],
  ['memory.size', 'memory.size; local.set 0'],
  ['memory.grow', 'local.get 0; memory.grow; local.set 0'],
  ['memory.copy', 'local.get 0; local.get 0; local.get 0; memory.copy'],
  ['memory.fill', 'local.get 0; local.get 0; local.get 0; memory.fill'],
  ['table.copy', 'local.get 0; local.get 0; local.get 0; table.copy'],
  ['br_if', 'block; local.get 0; br_if 0; end'],
  ['if', 'local.get 0; if; end'],
  ['if and else', 'local.get 0; if; local.get 1; local.set 3; else; local.get 3; local.set 1; end'],
  ['loop', 'loop; local.get 0; br_if 0; end'],
  ['an empty loop', 'loop; end'],
];

type Add = (name: string, functions: readonly FunctionSource[], more?: Partial<ModuleSource>) => void;

/** Calls and blocks with `count` parameters and results. */
function addValues(add: Add, count: number, letter: string, times: number): void {
  const type = `${letter.repeat(count)}>${letter.repeat(count)}`;
  const push = Array.from({ length: count }, (_, index) => `local.get ${index};`).join('');
  const same = { name: 'same', type, code: push };
  const around = (name: string, code: string): void =>
    add(`${name} of ${count} ${letter}`, [same, { name: 'f', type, code: push + repeat(code, times) }]);
  around('call', 'call same');
  around('call_indirect', `i32.const 0; call_indirect ${type}`);
  around('loop', `loop ${type}; end`);
  around('loop and br_if', `loop ${type}; i32.const 0; i32.load; br_if 0; end`);
  around('block and br_if', `block ${type}; i32.const 0; i32.load; br_if 0; end`);
  around('if', `i32.const 0; i32.load; if ${type}; else; end`);
  const table = `block ${type}; i32.const 0; i32.load; br_table 0 0 0 0; end`;
  around('block and br_table', table);
  if (count > 0) {
    const forgetful = { name: 'g', type: `${letter.repeat(count)}>`, code: '' };
    const loop = `loop; ${push} call g; i32.const 0; i32.load; br_if 0; end`;
    add(`loop around call of ${count} ${letter}`, [
      forgetful,
      { name: 'f', type, code: `${repeat(loop, 20)};${push}` },
    ]);
  }
}

/** Branches while many locals hold constants, which compilers materialise at each branch. */
function addLocals(add: Add, count: number, letter: string, times: number): void {
  const [few, many] =
    letter === 'i' ? ['i32.const 5', 'i32.const 77777777'] : ['i64.const 5', 'i64.const -77777777777777'];
  const each = (code: (index: number) => string): string =>
    Array.from({ length: count }, (_, index) => code(index + 4)).join(';');
  const set = (constant: string): string => each((index) => `${constant}; local.set ${index}`);
  const widen = letter === 'i' ? 'i64.extend_i32_u;' : '';
  const use = each((index) => `local.get ${index}; ${widen} local.get 1; i64.xor; local.set 1`);
  const branches: Readonly<Record<string, string>> = {
    br_if: repeat('local.get 0; i32.load; br_if 0', times),
    'if and br': repeat('local.get 0; i32.load; if; br 1; end', times),
    br_table: `local.get 0; i32.load; br_table ${'0 '.repeat(times)}`,
  };
  for (const [name, code] of Object.entries(branches)) {
    for (const block of ['block', 'loop']) {
      add(`${name} in a ${block} between ${count} ${letter}`, [
        {
          name: 'f',
          locals: `ijij${letter.repeat(count)}`,
          code: `${set(few)}; ${block}; local.get 0; i32.load; br_if 0; ${set(many)}; ${code}; end; ${use}; local.get 0; local.get 1; i64.store`,
        },
      ]);
    }
  }
}

/** Computations whose results all stay live until the end. */
function alive(name: string): string {
  const first = Array.from(
    { length: 400 },
    (_, n) => `local.get ${(n * 7) % (n + 1)}; local.get ${n + 1}; ${name}; local.set ${n + 2}`,
  );
  const second = Array.from({ length: 400 }, (_, n) => `local.get ${n + 2}; local.get ${401 - n}; ${name}`);
  return [...first, ...second, repeat('i64.add', 399)].join(';');
}

function repeat(code: string, times: number): string {
  return Array.from({ length: times }, () => code).join(';');
}
