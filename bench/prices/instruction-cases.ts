import { LIMITS } from '../../src/vm/wasm/engine-limits.js';
import { I32, INSTRUCTIONS, type Instruction } from '../../src/wasm/opcodes.js';
import { endless, type PriceCase, repeat } from './price-case.js';

/*
 * Locals of every loop: 0 and 1 are i32, 2 and 3 are i64. Operands come from locals, so that the code around an
 * instruction costs as little gas as possible.
 */

const UNROLLED = 64;
/** Steps of a generator with the full period of a power of two, too far apart for any prefetcher to follow. */
const NEXT = 'i32.const 1664525; i32.mul; i32.const 1013904223; i32.add';
const NUMERIC = /^i(32|64)\./;

/** Every instruction of the subset at its price. */
export function instructionCases(): PriceCase[] {
  return [
    ...plainCases(),
    ...memoryCases(),
    ...controlCases(),
    ...callCases(),
    ...bulkCases(),
    ...tableCases(),
  ];
}

function* plainCases(): Generator<PriceCase> {
  for (const instruction of INSTRUCTIONS.values()) {
    const { name, immediate, signature } = instruction;
    if (signature === undefined || immediate !== 'none' || !NUMERIC.test(name)) continue;
    yield one(
      name,
      'fresh operands',
      repeat(UNROLLED, () => `${operands(instruction)}; ${name}; local.set ${local(signature.results)}`),
    );
    if (signature.params[0] === signature.results[0]) {
      const [first = I32, second] = signature.params;
      const more = second === undefined ? '' : `local.get ${local([second]) + 1};`;
      const chain = repeat(UNROLLED, () => `${more}${name}`);
      yield one(
        name,
        'each waits for the one before',
        `local.get ${local([first])}\n${chain}\nlocal.set ${local([first])}`,
      );
    }
  }
  yield one(
    'local.set',
    'moves',
    repeat(UNROLLED, () => 'local.get 0; local.get 1; local.set 0; local.set 1'),
  );
  yield one(
    'select',
    'by a bit that nobody predicts',
    `${random()}${repeat(16, (bit) => `local.get 0; local.get 1; ${bitOf(bit)} select; local.set 1`)}`,
  );
  yield {
    price: 'global',
    shape: 'i64, read and written',
    contracts: [
      endless(
        repeat(UNROLLED, () => 'global.get 0; global.set 1'),
        {
          globals: [
            { type: 'j', value: 1n },
            { type: 'j', value: 1n },
          ],
        },
      ),
    ],
  };
  yield {
    price: 'global',
    shape: '4,096 of them in turn',
    contracts: [
      endless(
        repeat(4_000, (n) => `global.get ${n}; global.set ${(n * 1_777) % 4_000}`),
        { globals: Array.from({ length: 4_000 }, () => ({ type: 'i' as const, value: 1n })) },
      ),
    ],
  };
}

const random = (): string => `local.get 0; ${NEXT}; local.set 0;\n`;
const bitOf = (bit: number): string => `local.get 0; i32.const ${1 << (bit + 15)}; i32.and;`;

function one(price: string, shape: string, body: string): PriceCase {
  return {
    price,
    shape,
    contracts: [
      endless(body, {
        setup:
          'i32.const 1234567; local.set 0; i32.const 3; local.set 1; i64.const 123456789012345; local.set 2; i64.const 7; local.set 3;',
      }),
    ],
  };
}

function local([type]: readonly number[]): number {
  return type === I32 ? 0 : 2;
}

function operands({ signature }: Instruction): string {
  return (signature?.params ?? [])
    .map((type, index) => `local.get ${local([type]) + (index === 0 ? 0 : 1)}`)
    .join(';');
}

function* memoryCases(): Generator<PriceCase> {
  for (const pages of [1, 8, 16, 32, 64, 256]) {
    const lines = pages * 1_024;
    const ring = `loop
      local.get 0; i32.const 64; i32.mul
      local.get 0; ${NEXT}; i32.const ${lines - 1}; i32.and; local.tee 0
      i32.const 64; i32.mul; i32.store
      local.get 1; i32.const 1; i32.add; local.tee 1; i32.const ${lines}; i32.lt_u; br_if 0; end; i32.const 0; local.set 0`;
    const loads = `local.get 0\n${repeat(UNROLLED, () => 'i32.load')}\nlocal.set 0`;
    yield {
      price: 'i32.load',
      shape: `a ring of pointers over ${pages} pages`,
      contracts: [endless(loads, { memory: [pages], setup: ring })],
    };
    const scattered = (index: number): number =>
      (Math.imul(index + 1, 0x9e3779b1) >>> 0) % (pages * 65_536 - 8);
    const stores = repeat(4_096, (index) => `i32.const 0; local.get 2; i64.store offset=${scattered(index)}`);
    yield {
      price: 'i64.store',
      shape: `scattered over ${pages} pages`,
      contracts: [endless(stores, { memory: [pages] })],
    };
    const reads = repeat(
      4_096,
      (index) => `i32.const 0; i64.load offset=${scattered(index)}; local.get 2; i64.xor; local.set 2`,
    );
    yield {
      price: 'i64.load',
      shape: `scattered over ${pages} pages`,
      contracts: [endless(reads, { memory: [pages] })],
    };
    const copies = repeat(
      256,
      (index) =>
        `i32.const ${scattered(index)}; i32.const ${scattered(index + 999)}; i32.const 1; memory.copy`,
    );
    yield {
      price: 'memory.copy',
      shape: `one byte, scattered over ${pages} pages`,
      contracts: [endless(copies, { memory: [pages] })],
    };
  }
  yield {
    price: 'i64.load',
    shape: 'across lines and pages of 4 KiB',
    contracts: [
      endless(
        repeat(
          UNROLLED,
          (index) =>
            `i32.const 0; i64.load offset=${index * 4_096 + 4_092}; local.get 2; i64.xor; local.set 2`,
        ),
        { memory: [8] },
      ),
    ],
  };
  yield {
    price: 'i64.store',
    shape: 'across pages of 4 KiB',
    contracts: [
      endless(
        repeat(UNROLLED, (index) => `i32.const 0; local.get 2; i64.store offset=${index * 4_096 + 4_092}`),
        { memory: [8] },
      ),
    ],
  };
  yield {
    price: 'i64.store',
    shape: 'read back at another width',
    contracts: [
      endless(
        repeat(
          UNROLLED,
          () => 'i32.const 0; local.get 2; i64.store8 offset=3; i32.const 0; i64.load; local.set 2',
        ),
        { memory: [1] },
      ),
    ],
  };
  yield {
    price: 'memory.size',
    shape: 'over and over',
    contracts: [
      endless(
        repeat(UNROLLED, () => 'memory.size; drop'),
        { memory: [1] },
      ),
    ],
  };
}

function* controlCases(): Generator<PriceCase> {
  yield one(
    'br_if',
    'by a bit that nobody predicts',
    `${random()}${repeat(16, (bit) => `block; ${bitOf(bit)} br_if 0; local.get 1; i32.const 1; i32.add; local.set 1; end`)}`,
  );
  yield one(
    'if',
    'by a bit that nobody predicts',
    `${random()}${repeat(16, (bit) => `${bitOf(bit)} if; local.get 1; i32.const 1; i32.add; local.set 1; end`)}`,
  );
  const labels = Array.from({ length: 16 }, (_, index) => index);
  yield one(
    'br_table',
    'to places that nobody predicts',
    `${random()}${'block;'.repeat(17)} local.get 0; i32.const 27; i32.shr_u; br_table ${labels.join(' ')} 16; ${'end;'.repeat(17)}`,
  );
  for (const values of [1, 3]) {
    const all = 'i'.repeat(values);
    const push = repeat(values, () => 'local.get 0');
    const drop = 'drop;'.repeat(values);
    yield one(
      'loop',
      `${values} parameters and results, gone around`,
      `${push}; loop ${all}>${all}; local.get 1; i32.const 1; i32.add; local.tee 1; i32.const 1023; i32.and; br_if 0; end; ${drop}`,
    );
    yield one(
      'block',
      `${values} parameters and results, 64 in a row`,
      `${push}; ${repeat(64, () => `block ${all}>${all}; end`)}; ${drop}`,
    );
    yield one(
      'loop',
      `${values} parameters and results, 64 in a row`,
      `${push}; ${repeat(64, () => `loop ${all}>${all}; end`)}; ${drop}`,
    );
    yield one(
      'br',
      `${values} results over 64 operands below`,
      `${repeat(32, () => `block >${all}; ${repeat(64, () => 'local.get 1')}; ${push}; br 0; end; ${drop}`)}`,
    );
  }
  for (const depth of [10, 100, 1_000]) {
    yield one(
      'block',
      `${depth} nested, left at once`,
      `${'block;'.repeat(depth)} local.get 0; br_if ${depth - 1}; ${'end;'.repeat(depth)}`,
    );
    yield one('loop', `${depth} nested, gone through`, `${'loop;'.repeat(depth)} ${'end;'.repeat(depth)}`);
  }
}

function* callCases(): Generator<PriceCase> {
  for (const parameters of [0, 3, 8, LIMITS.parameters]) {
    for (const results of parameters > 3 ? [0, 1] : [0, 1, 3]) {
      const type = `${'j'.repeat(parameters)}>${'j'.repeat(results)}`;
      const give = repeat(results, () => 'i64.const 1');
      const body = repeat(
        16,
        () => `${repeat(parameters, () => 'i64.const 2')}\ncall f\n${'drop;'.repeat(results)}`,
      );
      const functions = [{ name: 'f', type, code: give, isExported: false }];
      yield {
        price: 'call',
        shape: `${parameters} parameters, ${results} results`,
        contracts: [endless(body, { functions })],
      };
      const table = { table: 1, elements: [{ at: 0, functions: ['f'] }] };
      const indirect = body.replaceAll('call f', `i32.const 0; call_indirect ${type}`);
      yield {
        price: 'call_indirect',
        shape: `${parameters} parameters, ${results} results`,
        contracts: [endless(indirect, { functions, ...table })],
      };
    }
  }
  for (const locals of [64, 1_000, 4_000]) {
    const functions = [{ name: 'f', locals: 'j'.repeat(locals), code: '', isExported: false }];
    yield {
      price: 'local',
      shape: `${locals} of a leaf`,
      contracts: [
        endless(
          repeat(16, () => 'call f'),
          { functions },
        ),
      ],
    };
    const used = [
      {
        name: 'f',
        type: 'j>j',
        locals: 'j'.repeat(locals),
        code: `${repeat(locals / 4, (n) => `local.get 0; local.set ${n + 1}`)}; call g; local.get ${locals >> 3}`,
        isExported: false,
      },
      { name: 'g', code: '', isExported: false },
    ];
    yield {
      price: 'local',
      shape: `${locals} alive over a call`,
      contracts: [
        endless(
          repeat(16, () => 'local.get 2; call f; local.set 2'),
          { functions: used },
        ),
      ],
    };
  }
  const many = Array.from({ length: 256 }, (_, index) => `f${index}`);
  yield {
    price: 'call_indirect',
    shape: 'to 256 functions that nobody predicts',
    contracts: [
      endless(`local.get 0; ${NEXT}; local.tee 0; i32.const 24; i32.shr_u; call_indirect >`, {
        table: 256,
        elements: [{ at: 0, functions: many }],
        functions: many.map((name) => ({ name, code: '', isExported: false })),
      }),
    ],
  };
  yield {
    price: 'call',
    shape: 'recursion',
    contracts: [
      endless('i32.const 500; call f', {
        functions: [
          {
            name: 'f',
            type: 'i>',
            code: 'local.get 0; if; local.get 0; i32.const 1; i32.sub; call f; end',
            isExported: false,
          },
        ],
      }),
    ],
  };
}

function* bulkCases(): Generator<PriceCase> {
  for (const bytes of [0, 1, 33, 256, 4_096, 65_536, 1 << 20, 8 << 20]) {
    const pages = Math.max(1, (2 * bytes) / 65_536);
    const times = bytes > 4_096 ? 1 : 64;
    const shape = `${bytes} bytes`;
    const copy = repeat(
      times,
      () => `i32.const 1; i32.const ${bytes}; i32.const ${Math.max(0, bytes - 1)}; memory.copy`,
    );
    yield { price: 'memory.copy', shape, contracts: [endless(copy, { memory: [pages] })] };
    const fill = repeat(
      times,
      () => `i32.const 1; i32.const 7; i32.const ${Math.max(0, bytes - 1)}; memory.fill`,
    );
    yield { price: 'memory.fill', shape, contracts: [endless(fill, { memory: [pages] })] };
    if (bytes > 65_536) continue;
    const data = [{ bytes: new Uint8Array(bytes).fill(3) }];
    const init = repeat(times, () => `i32.const 1; i32.const 0; i32.const ${bytes}; memory.init 0`);
    yield { price: 'memory.init', shape, contracts: [endless(init, { memory: [pages + 1], data })] };
  }
  yield {
    price: 'data.drop',
    shape: 'over and over',
    contracts: [
      endless(
        repeat(64, () => 'data.drop 0'),
        { memory: [1], data: [{ bytes: new Uint8Array(8) }] },
      ),
    ],
  };
}

function* tableCases(): Generator<PriceCase> {
  const names = Array.from({ length: 2_000 }, (_, index) => `f${index}`);
  const functions = names.map((name) => ({ name, code: '', isExported: false }));
  for (const entries of [0, 1, 16, 256, 8_000]) {
    const shape = `${entries} entries`;
    const elements = [
      { functions: Array.from({ length: entries }, (_, index) => `f${index % 2_000}`) },
      { at: 0, functions: Array.from({ length: 8_000 }, (_, index) => `f${index % 2_000}`) },
    ];
    const times = entries > 256 ? 1 : 16;
    const table = { table: 16_384, elements, functions };
    yield {
      price: 'table.init',
      shape,
      contracts: [
        endless(
          repeat(times, (n) => `i32.const ${n}; i32.const 0; i32.const ${entries}; table.init 0`),
          table,
        ),
      ],
    };
    yield {
      price: 'table.copy',
      shape,
      contracts: [
        endless(
          repeat(
            times,
            (n) => `i32.const ${n * 7}; i32.const ${n * 3 + 1}; i32.const ${entries}; table.copy`,
          ),
          table,
        ),
      ],
    };
  }
  yield {
    price: 'elem.drop',
    shape: 'over and over',
    contracts: [
      endless(
        repeat(64, () => 'elem.drop 0'),
        {
          table: 1,
          elements: [{ functions: ['g'] }],
          functions: [{ name: 'g', code: '', isExported: false }],
        },
      ),
    ],
  };
}
