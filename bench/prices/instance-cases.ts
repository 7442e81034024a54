import { seededRandom } from '../../src/load/workload.js';
import type { ModuleSource } from '../../test/support/contracts/wasm-assembler.js';
import { hostileModule } from '../../test/support/forged/hostile-instances.js';
import { addressOf, type PriceCase, viewer } from './price-case.js';

const INVOKE = { name: 'invoke', type: '>i', code: 'i32.const 0' };
const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `f${index}`);
const leaves = (count: number) => names(count).map((name) => ({ name, code: '', isExported: false }));
const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

/** Modules whose instances are slow to create or reset, by cause. */
function targets(): Readonly<Record<string, ModuleSource>> {
  const touch = (pages: number, step: number): string =>
    `loop; local.get 0; i32.const 1; i32.store; local.get 0; i32.const ${step}; i32.add; local.tee 0; i32.const ${pages * 65_536}; i32.lt_u; br_if 0; end; i32.const 0`;
  const invoke = (code: string) => ({ ...INVOKE, locals: 'i', code });
  const unused = (code: string) => ({ name: 'unused', isExported: false, code });
  const result: Record<string, ModuleSource> = {
    'nothing at all': { memory: [0], functions: [INVOKE] },
    '16 functions of the host': {
      imports: [
        'caller',
        'origin',
        'self',
        'value',
        'input_size',
        'input_read',
        'set_output',
        'revert',
        'balance',
        'transfer',
        'call',
        'view',
        'emit',
        'log',
        'gas_left',
        'chain_id',
      ],
      memory: [1],
      functions: [INVOKE],
    },
    'a dropped data segment': {
      memory: [1],
      data: [{ bytes: new Uint8Array(9) }],
      functions: [invoke('i32.const 0; i32.const 0; i32.const 1; memory.init 0; data.drop 0; i32.const 0')],
    },
    'a dropped element segment of 10,000': {
      memory: [1],
      table: 10_000,
      elements: [{ functions: many(10_000, 'f1') }],
      functions: [
        invoke('i32.const 0; i32.const 0; i32.const 1; table.init 0; elem.drop 0; i32.const 0'),
        ...leaves(2),
      ],
    },
    'a page grown': { memory: [1], functions: [invoke('i32.const 1; memory.grow; drop; i32.const 0')] },
    '255 pages grown and touched': {
      memory: [1],
      functions: [invoke(`i32.const 255; memory.grow; drop; ${touch(256, 4_096)}`)],
    },
    '64 pages grown': { memory: [1], functions: [invoke('i32.const 64; memory.grow; drop; i32.const 0')] },
    'a page grown 20 times': {
      memory: [1],
      functions: [invoke(`${'i32.const 1; memory.grow; drop;'.repeat(20)} i32.const 0`)],
    },
    'one entry of a passive segment of 16,000': {
      memory: [1],
      table: 16_000,
      elements: [{ functions: names(16_000).map((_, index) => `f${index % 4_000}`) }],
      functions: [
        invoke('i32.const 0; i32.const 0; i32.const 1; table.init 0; i32.const 0'),
        ...leaves(4_000),
      ],
    },
    '8,000 functions': { memory: [1], functions: [INVOKE, ...leaves(8_000)] },
    '200 KiB of data': {
      memory: [4],
      data: [{ at: 0, bytes: new Uint8Array(200 * 1024).fill(1) }],
      functions: [INVOKE],
    },
    '4,000 segments of 40 bytes': {
      memory: [1],
      data: many(4_000, { at: 5, bytes: new Uint8Array(40).fill(1) }),
      functions: [INVOKE],
    },
    '4,000 passive segments': {
      memory: [1],
      data: many(4_000, { bytes: new Uint8Array(4).fill(1) }),
      functions: [INVOKE],
    },
    '4,000 empty element segments': {
      memory: [1],
      table: 1,
      elements: many(4_000, { at: 0, functions: [] }),
      functions: [INVOKE],
    },
    '4,000 passive element segments': {
      memory: [1],
      table: 1,
      elements: many(4_000, { functions: ['f1'] }),
      functions: [INVOKE, ...leaves(2)],
    },
    '4,000 element segments of 16': {
      memory: [1],
      table: 16,
      elements: many(4_000, { at: 0, functions: many(16, 'f1') }),
      functions: [INVOKE, ...leaves(2)],
    },
    '4,000 element segments of 16, table.init in code': {
      memory: [1],
      table: 16,
      elements: many(4_000, { at: 0, functions: many(16, 'f1') }),
      functions: [INVOKE, ...leaves(2), unused('i32.const 0; i32.const 0; i32.const 0; table.init 0')],
    },
  };
  for (const pages of [1, 2, 16, 64, 256]) {
    result[`${pages} pages`] = { memory: [pages], functions: [INVOKE] };
    result[`${pages} pages, touched`] = { memory: [pages], functions: [invoke(touch(pages, 4_096))] };
  }
  for (const type of ['i', 'j'] as const) {
    for (const count of [100, 4_000]) {
      result[`${count} globals of type ${type}`] = {
        memory: [0],
        globals: many(count, { type, value: 77n, isMutable: true }),
        functions: [INVOKE],
      };
    }
  }
  for (const entries of [100, 16_384]) {
    result[`a table of ${entries}`] = { memory: [0], table: entries, functions: [INVOKE] };
    result[`a table of ${entries}, filled`] = {
      memory: [0],
      table: entries,
      elements: [{ at: 0, functions: many(entries, 'f7') }],
      functions: [INVOKE, ...leaves(10)],
    };
    result[`a table of ${entries}, filled, table.init in code`] = {
      memory: [0],
      table: entries,
      elements: [{ at: 0, functions: many(entries, 'f7') }],
      functions: [INVOKE, ...leaves(10), unused('i32.const 0; i32.const 0; i32.const 0; table.init 0')],
    };
  }
  return result;
}

/** Random modules with many parameters, locals, blocks, segments, entries and pages, each run repeatedly. */
export function* randomCases(count: number, seed = 1): Generator<PriceCase> {
  const random = seededRandom(seed);
  for (let index = 0; index < count; index++) {
    const caller = viewer('i64.const 2000000');
    yield { price: 'instance', shape: `random module ${index}`, contracts: [caller, hostileModule(random)] };
  }
}

/** Cases that create, run and reset instances, with and without the gas to enter them. */
export function* instanceCases(programs = 1_000): Generator<PriceCase> {
  for (const [shape, target] of Object.entries(targets())) {
    yield { price: 'instance, entered without gas', shape, contracts: [viewer('i64.const 0'), target] };
    yield { price: 'instance', shape, contracts: [viewer('i64.const -1'), target] };
  }
  yield {
    price: 'instance',
    shape: 'of itself, 64 deep',
    contracts: [
      {
        imports: ['view', 'self'],
        memory: [1],
        functions: [
          {
            ...INVOKE,
            code: 'i32.const 0; call self; loop i; i32.const 0; i64.const -1; i32.const 0; i32.const 0; call view; i32.const 4; i32.ne; br_if 0; i32.const 0; end',
          },
        ],
      },
    ],
  };
  const distinct = Array.from({ length: programs }, (_, index) => ({
    memory: [1] as const,
    functions: [{ ...INVOKE, code: `i32.const ${index}; drop; i32.const 0` }],
  }));
  const turn = 250;
  const entering = {
    view: 'i32.const 0; i64.const -1; i32.const 0; i32.const 0; call view; drop',
    call: 'i32.const 0; i32.const 32; i64.const -1; i32.const 0; i32.const 0; call call; drop',
  };
  // A transaction cannot enter more than `turn` different contracts, so each run continues with the next ones.
  const turns = (function_: 'view' | 'call') => ({
    imports: [function_, 'input_read'],
    memory: [1] as const,
    functions: [
      {
        ...INVOKE,
        locals: 'i',
        code: `i32.const 0; i32.const 0; i32.const 4; call input_read; drop
          loop
            i32.const 0; i32.const 0; i32.load; i32.const 1; i32.add; i32.store
            ${entering[function_]}
            local.get 0; i32.const 1; i32.add; local.tee 0; i32.const ${turn}; i32.lt_u; br_if 0
          end
          i32.const 0`,
      },
    ],
  });
  const inputOf = (run: number): Uint8Array => addressOf((run * turn) % programs).subarray(0, 4);
  yield {
    price: 'instance',
    shape: `${programs} contracts in turn, by view`,
    contracts: [turns('view'), ...distinct],
    inputOf,
    end: 'success',
  };
  yield {
    price: 'instance',
    shape: `${programs} contracts in turn, by call`,
    contracts: [turns('call'), ...distinct],
    inputOf,
    end: 'success',
  };
}
