import { assemble } from './wasm-assembler.js';

/* Contracts that make the transactions of a block depend on each other unpredictably. */

/** Input: an address. Stores that account's balance in slot zero and returns it. */
export function balanceReader(): Uint8Array {
  return assemble({
    imports: ['input_read', 'balance', 'storage_write', 'set_output'],
    memory: [1, 1],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        code: `
          i32.const 0; i32.const 0; i32.const 20; call input_read; drop
          i32.const 0; i32.const 64; call balance
          i32.const 128; i32.const 64; i32.const 16; call storage_write
          i32.const 64; i32.const 16; call set_output
          i32.const 0`,
      },
    ],
  });
}

/**
 * Input: the 32-byte name of a slot. Counts in the slot that the previous call named, and stores the input as the
 * name for the next call, so that a call's accesses depend on the call before.
 */
export function pointerChaser(): Uint8Array {
  return assemble({
    imports: ['input_read', 'storage_read', 'storage_write', 'storage_remove', 'set_output'],
    memory: [1, 1],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        // 0: slot zero's name; 32: the slot named by the previous call; 64: the input; 96: the count.
        code: `
          i32.const 64; i32.const 0; i32.const 32; call input_read; drop
          i32.const 0; i32.const 32; i32.const 32; call storage_read; drop
          i32.const 32; i32.const 96; i32.const 8; call storage_read; drop
          i32.const 96
          i32.const 96; i64.load; i64.const 1; i64.add
          i64.store
          i32.const 96; i64.load; i64.const 3; i64.eq
          if; i32.const 32; call storage_remove; drop; else; i32.const 32; i32.const 96; i32.const 8; call storage_write; end
          i32.const 0; i32.const 64; i32.const 32; call storage_write
          i32.const 96; i32.const 8; call set_output
          i32.const 0`,
      },
    ],
  });
}

/**
 * Input: an address and a 16-byte amount. Sends the amount from the contract's balance to the address; returns true
 * if that succeeds.
 */
export function payer(): Uint8Array {
  return assemble({
    imports: ['input_read', 'transfer', 'set_output'],
    memory: [1, 1],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        code: `
          i32.const 0; i32.const 0; i32.const 36; call input_read; drop
          i32.const 64; i32.const 0; i32.const 20; call transfer
          i32.store
          i32.const 64; i32.const 4; call set_output
          i32.const 0`,
      },
    ],
  });
}

/**
 * Input: a contract, a flag of one byte, and that contract's input. Counts its calls in slot zero, so that there is a
 * change to undo, and calls the contract. With flag 1 it then reverts, with 2 it traps, with 3 it runs until its gas
 * is gone.
 */
export function relay(): Uint8Array {
  return assemble({
    imports: ['input_read', 'input_size', 'storage_read', 'storage_write', 'call', 'set_output', 'revert'],
    memory: [1, 1],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        code: `
          i32.const 1024; i32.const 0; i32.const 1024; call input_read; drop
          i32.const 0; i32.const 96; i32.const 8; call storage_read; drop
          i32.const 96
          i32.const 96; i64.load; i64.const 1; i64.add
          i64.store
          i32.const 0; i32.const 96; i32.const 8; call storage_write
          i32.const 128
          i32.const 1024; i32.const 160; i64.const 1000000; i32.const 1045; call input_size; i32.const 21; i32.sub; call call
          i32.store
          i32.const 1044; i32.load8_u; i32.const 1; i32.eq
          if; i32.const 128; i32.const 4; call revert; end
          i32.const 1044; i32.load8_u; i32.const 2; i32.eq
          if; unreachable; end
          i32.const 1044; i32.load8_u; i32.const 3; i32.eq
          if; loop; br 0; end; end
          i32.const 128; i32.const 4; call set_output
          i32.const 0`,
      },
    ],
  });
}
