import { FUNCTION_GAS, instructionGas } from '../../../src/vm/wasm/schedule.js';
import { INSTRUCTIONS } from '../../../src/wasm/opcodes.js';
import type { FunctionSource, ModuleSource } from './wasm-assembler.js';

const PRICES: ReadonlyMap<string, number> = new Map(
  [...INSTRUCTIONS].map(([opcode, { name }]) => [name, instructionGas(opcode)]),
);

/**
 * The same module, counting gas in the plainest way: each instruction's price is added to a global before the
 * instruction. The counter ignores runs, joins and branches, so that the meter's treatment of those can be checked
 * against it. Works only for code whose prices do not depend on operands.
 * @returns a module that also exports `count`, which returns the gas counted since the last call
 */
export function countingModule(source: ModuleSource): ModuleSource {
  const counter = source.globals?.length ?? 0;
  const add = (gas: number): string =>
    gas === 0 ? '' : `global.get ${counter}; i64.const ${gas}; i64.add; global.set ${counter}`;
  const count = ({ code, locals = '', ...rest }: FunctionSource): FunctionSource => {
    const lines = code.split(/[;\n]/).flatMap((line) => {
      const [name = ''] = line.trim().split(/\s+/);
      return [add(PRICES.get(name) ?? 0), line];
    });
    const entry = FUNCTION_GAS.entry + FUNCTION_GAS.perLocal * locals.length;
    return { ...rest, locals, code: [add(entry), ...lines].join('\n') };
  };
  return {
    ...source,
    globals: [...(source.globals ?? []), { type: 'j', value: 0n }],
    functions: [
      ...source.functions.map(count),
      { name: 'count', type: '>j', code: `global.get ${counter}; i64.const 0; global.set ${counter}` },
    ],
  };
}
