import { assemble } from './wasm-assembler.js';

/** Actions of the probe, by the first byte of its input. */
export const PROBE = {
  height: '0x00',
  timestamp: '0x01',
  loop: '0x02',
  trap: '0x03',
  revert: '0x04',
  slot: '0x05',
  value: '0x06',
  balance: '0x07',
} as const;

const RESULT = 'i32.const 64; i32.const 8; call set_output; i32.const 0; return';

/** A contract that returns a value from the host or fails, as its input selects; see {@link PROBE}. */
export const probeCode = assemble({
  imports: [
    ...['block_height', 'block_timestamp_ms', 'input_read', 'set_output', 'revert', 'storage_read'],
    ...['value', 'balance', 'self'],
  ],
  memory: [1, 1],
  data: [{ at: 256, bytes: Buffer.from('not today') }],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: `
        i32.const 0; i32.const 0; i32.const 1; call input_read; drop
        i32.const 0; i32.load8_u; i32.eqz
        if; i32.const 64; call block_height; i64.store; ${RESULT}; end
        i32.const 0; i32.load8_u; i32.const 1; i32.eq
        if; i32.const 64; call block_timestamp_ms; i64.store; ${RESULT}; end
        i32.const 0; i32.load8_u; i32.const 2; i32.eq
        if; loop; br 0; end; end
        i32.const 0; i32.load8_u; i32.const 3; i32.eq
        if; call fall; end
        i32.const 0; i32.load8_u; i32.const 4; i32.eq
        if; i32.const 256; i32.const 9; call revert; end
        i32.const 0; i32.load8_u; i32.const 5; i32.eq
        if; i32.const 512; i32.const 64; i32.const 8; call storage_read; drop; ${RESULT}; end
        i32.const 0; i32.load8_u; i32.const 6; i32.eq
        if; i32.const 64; call value; ${RESULT}; end
        i32.const 1024; call self; i32.const 1024; i32.const 64; call balance; ${RESULT}`,
    },
    { name: 'fall', code: 'unreachable', isExported: false },
  ],
});

/**
 * Calls the contract whose address is at the start of the input, with the rest of the input and all available gas;
 * reverts if that call fails.
 */
export const relayCode = assemble({
  imports: ['input_size', 'input_read', 'call', 'revert', 'returned_size', 'returned_read', 'set_output'],
  memory: [1, 1],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: `
        i32.const 0; i32.const 0; i32.const 4096; call input_read; drop
        i32.const 0; i32.const 8192; i64.const 9223372036854775807; i32.const 20
        call input_size; i32.const 20; i32.sub; call call
        if; i32.const 0; i32.const 4; call revert; end
        i32.const 0; i32.const 0; call returned_size; call returned_read; drop
        i32.const 0; call returned_size; call set_output; i32.const 0`,
    },
  ],
});
