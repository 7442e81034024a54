import { assemble } from '../../test/support/contracts/wasm-assembler.js';

/**
 * A contract of about 100 KiB in 250 functions of loops and branches, all called. Each seed gives another code hash.
 */
export function largeContract(seed: number): Uint8Array {
  const body = `block; loop; local.get 0; i32.const ${seed}; i32.xor; i32.const 7; i32.and; br_if 1
      local.get 0; i32.load; local.set 0; local.get 0; i32.const 3; i32.rem_u; if; local.get 0; i32.const 5; i32.mul; local.set 0; end; end; end\n`;
  const functions = Array.from({ length: 250 }, (_, index) => ({
    name: `f${index}`,
    type: 'i>',
    code: body.repeat(10),
    isExported: false,
  }));
  const calls = functions.map(({ name }) => `i32.const 1; call ${name}`).join(';');
  return assemble({
    memory: [1],
    functions: [{ name: 'invoke', type: '>i', code: `${calls}; i32.const 0` }, ...functions],
  });
}
