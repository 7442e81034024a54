import { assemble } from './wasm-assembler.js';

/** The interface of {@link counterCode}. */
export const COUNTER_IDL = `
/// Counts, and tells of it.
contract Counter {
  /// Answers the new count.
  method add(step: u64) -> u64;
  event Added { indexed step: u64; count: u64; }
  error TooMuch { step: u64; most: u64; }
}
`;

/**
 * A counter contract whose every answer a test chooses: it adds the u64 of its input to slot zero, returns the sum,
 * and emits and reverts as configured.
 *
 * The input is a selector of four bytes, then u64 step. A step of 7 reverts with `revertData`.
 * @param added topic 0 of the contract's event, 32 bytes
 * @param factor multiplies the step: a visible change of code
 */
export function counterCode(added: Uint8Array, revertData: Uint8Array, factor = 1): Uint8Array {
  return assemble({
    imports: ['storage_read', 'storage_write', 'input_read', 'set_output', 'emit', 'revert'],
    memory: [1, 1],
    // 64: topic 0; 96: the step as a topic, whose last eight bytes are at 120; 200: the count; 512: the revert's data.
    data: [
      { at: 64, bytes: added },
      { at: 512, bytes: revertData },
    ],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        code: `
          i32.const 120; i32.const 4; i32.const 8; call input_read; drop
          i32.const 120; i64.load; i64.const 7; i64.eq
          if; i32.const 512; i32.const ${revertData.length}; call revert; end
          i32.const 0; i32.const 200; i32.const 8; call storage_read; drop
          i32.const 200
          i32.const 200; i64.load; i32.const 120; i64.load; i64.const ${factor}; i64.mul; i64.add
          i64.store
          i32.const 0; i32.const 200; i32.const 8; call storage_write
          i32.const 64; i32.const 2; i32.const 200; i32.const 8; call emit
          i32.const 200; i32.const 8; call set_output
          i32.const 0`,
      },
    ],
  });
}
