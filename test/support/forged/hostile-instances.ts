import { LIMITS } from '../../../src/vm/wasm/engine-limits.js';
import { HOST_FUNCTIONS } from '../../../src/vm/wasm/host-interface.js';
import { I32 } from '../../../src/wasm/opcodes.js';
import type { FunctionSource, ModuleSource } from '../contracts/wasm-assembler.js';

const NUMBERS = [0, 1, 2, 7, 16, 33, 64, 100, 128, 1_000, 4_000] as const;
const LEAVES = 24;

/**
 * A module whose instances are expensive to create, run and reset: functions with many parameters, results and locals,
 * nested typed blocks, tables, segments, globals, pages and imports, in random amounts. It runs until its gas is gone, or
 * traps.
 * @param random numbers from 0 to below 1
 */
export function hostileModule(random: () => number): ModuleSource {
  const below = (bound: number): number => Math.floor(random() * bound);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const count = (most: number): number => Math.min(most, pick(NUMBERS));
  const letters = (length: number): string => Array.from({ length }, () => pick(['i', 'j'])).join('');
  const constant = (letter: string): string =>
    letter === 'i' ? `i32.const ${below(70_000)};` : `i64.const ${below(2 ** 40)};`;

  const imports = [...HOST_FUNCTIONS.keys()].filter(() => random() < 0.3);
  const leaves: FunctionSource[] = Array.from({ length: LEAVES }, (_, index) => {
    const params = letters(count(5)) + pick(['i', 'j']).repeat(count(LIMITS.parameters - 5));
    const results = letters(count(params.length < 6 ? 6 - params.length : 1));
    const code = [...results].map(constant).join('');
    return {
      name: `f${index}`,
      type: `${params}>${results}`,
      locals: letters(count(4_000)),
      code,
      isExported: false,
    };
  });
  const pages = pick([1, 1, 2, 9, 17, 64]);
  const table = 1 + count(4_000);
  const data = Array.from({ length: count(200) }, () => ({
    ...(random() < 0.7 ? { at: below(30_000) } : {}),
    bytes: new Uint8Array(count(4_000)).fill(below(256)),
  }));
  const elements = Array.from({ length: count(100) }, () => {
    const functions = Array.from({ length: Math.min(table, count(1_000)) }, () =>
      random() < 0.1 ? null : `f${below(LEAVES)}`,
    );
    return { ...(random() < 0.7 ? { at: below(table - functions.length + 1) } : {}), functions };
  });
  const drop = (results: string): string => 'drop;'.repeat(results.length);

  const call = (): string => {
    const { name, type = '>' } = pick(leaves);
    const [params = '', results = ''] = type.split('>');
    const operands = [...params].map(constant).join('');
    const how = random() < 0.6 ? `call ${name}` : `i32.const ${below(table)}; call_indirect ${type}`;
    return `${operands}${how};${drop(results)}`;
  };
  const host = (): string => {
    const name = imports.length === 0 ? undefined : pick(imports);
    const found = name === undefined ? undefined : HOST_FUNCTIONS.get(name);
    if (found === undefined || name === 'revert') return '';
    const operands = found.params.map((type) => constant(type === I32 ? 'i' : 'j')).join('');
    return `${operands}call ${name};${'drop;'.repeat(found.results.length)}`;
  };
  const nest = (): string => {
    const depth = count(1_000);
    const context = pick(['block;', 'loop;']);
    return `${context.repeat(depth)}${depth > 0 && random() < 0.5 ? `i32.const 0; br_if ${below(depth)};` : ''}${'end;'.repeat(depth)}`;
  };
  const typed = (): string => {
    const types = letters(count(33));
    return `${[...types].map(constant).join('')}${pick(['block', 'loop'])} ${types}>${types}; end;${drop(types)}`;
  };
  const bulk = (): string => {
    const operands = `i32.const ${below(table)}; i32.const ${below(16)}; i32.const ${count(1_000)};`;
    const choices = [`${operands} memory.fill;`, `${operands} memory.copy;`, `${operands} table.copy;`];
    if (data.length > 0)
      choices.push(`${operands} memory.init ${below(data.length)};`, `data.drop ${below(data.length)};`);
    if (elements.length > 0)
      choices.push(
        `${operands} table.init ${below(elements.length)};`,
        `elem.drop ${below(elements.length)};`,
      );
    return pick(choices);
  };
  const grow = (): string => `i32.const ${below(20)}; memory.grow; drop;`;
  const access = (): string =>
    `i32.const ${below(60_000)}; i64.load; local.get 0; i64.xor; local.set 0; i32.const ${below(60_000)}; local.get 0; i64.store;`;
  const kinds = [call, call, host, nest, typed, bulk, grow, access];
  const body = Array.from({ length: 1 + below(30) }, () => pick(kinds)()).join('\n');
  const invoke: FunctionSource = {
    name: 'invoke',
    type: '>i',
    locals: `j${letters(count(128))}`,
    code: `loop i\n${body}\nbr 0\nend`,
  };
  const globals = Array.from({ length: count(1_000) }, () => ({
    type: pick(['i', 'j'] as const),
    value: BigInt(below(99)),
  }));
  return { imports, memory: [pages], table, globals, data, elements, functions: [invoke, ...leaves] };
}
