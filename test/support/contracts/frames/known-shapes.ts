import { assemble } from '../wasm-assembler.js';

const LOCALS = 100;
const INT = { get: (index: number) => `local.get ${1 + (index % LOCALS)}` };

function each(count: number, write: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => write(index)).join(';');
}

/**
 * A function with 100 locals that a loop rotates, so that each becomes a separate value. The function uses them
 * before and after it calls itself.
 */
function around(use: (index: number) => string): Uint8Array {
  const zero = LOCALS + 1;
  const code = `global.get 0; local.set ${zero}; ${each(LOCALS, (n) => `local.get ${zero}; local.set ${1 + n}`)}; loop
    ${each(LOCALS, use)}
    local.get 0; if; local.get 0; i32.const 1; i32.sub; call run; end
    ${each(LOCALS, use)}
    ${INT.get(0)}; ${each(LOCALS - 1, (n) => `${INT.get(n + 1)}; local.set ${1 + n}`)}; local.set ${LOCALS}
    global.get 0; br_if 0; end`;
  return assemble({
    memory: [1],
    globals: [{ type: 'i', value: 0n }],
    table: 1,
    elements: [{ at: 0, functions: ['nothing'] }],
    functions: [
      { name: 'run', type: 'i>', locals: 'i'.repeat(LOCALS + 1), code },
      { name: 'nothing', code: 'nop' },
      { name: 'enter', type: 'i>', code: 'local.get 0; call run' },
    ],
  });
}

/** Functions whose frames once exceeded the estimate. */
export const KNOWN_SHAPES: readonly (readonly [what: string, module: Uint8Array])[] = [
  ['locals moved around in a loop', around((n) => `${INT.get(n)}; global.set 0`)],
  ['indices of indirect calls', around((n) => `${INT.get(n)}; call_indirect >`)],
  ['addresses of stores', around((n) => `${INT.get(n)}; i32.const 0; i32.store`)],
  ['addresses of loads', around((n) => `${INT.get(n)}; i32.load; drop`)],
  ['arguments of memory.fill', around((n) => `${INT.get(n)}; i32.const 0; i32.const 0; memory.fill`)],
  ['arguments of memory.copy', around((n) => `${INT.get(n)}; i32.const 0; i32.const 0; memory.copy`)],
  ['remainders', around((n) => `${INT.get(n)}; i32.const 8; i32.rem_s; global.set 0`)],
  ['quotients', around((n) => `${INT.get(n)}; i32.const 7; i32.div_s; global.set 0`)],
  ['choices', around((n) => `${INT.get(n)}; i32.const 7; ${INT.get(n)}; select; global.set 0`)],
  [
    'branches',
    around(
      (n) => `block; ${INT.get(n)}; br_if 0; ${INT.get(n + 3)}; local.set ${1 + ((n * 7) % LOCALS)}; end`,
    ),
  ],
];
