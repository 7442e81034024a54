import { assemble } from './wasm-assembler.js';

/*
 * A contract whose calls say what they do: which slots they read and write, and how long they compute. Some operations depend
 * on whether the last slot read has a value, so a call's cost and conflicts depend on the calls before it.
 */

/** Bytes of an operation: u32le kind ‖ slot 32. A spin has its rounds, u32le, instead of the slot. */
const OPERATION_BYTES = 36;
export const READ = 1;
export const WRITE = 2;
export const SPIN = 3;
/** Added to the kind of an operation that runs only if the last slot read has a value. */
export const IF_FOUND = 16;
/** Added to the kind of an operation that runs only if the last slot read has no value. */
export const IF_ABSENT = 32;

/** A contract that executes the operations in its input one after another. */
export function operationsContract(): Uint8Array {
  return assemble({
    imports: ['input_read', 'input_size', 'storage_read', 'storage_write'],
    memory: [1, 1],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        // Locals: 0 operation; 1 end; 2 its kind; 3 whether the last slot read has a value; 4 rounds left.
        locals: 'iiiii',
        code: `
          i32.const 1024; i32.const 0; call input_size; call input_read; drop
          i32.const 1024; call input_size; i32.add; local.set 1
          i32.const 1024; local.set 0
          block
          loop
            local.get 0; local.get 1; i32.ge_u; br_if 1
            local.get 0; i32.load; local.set 2
            block
              local.get 2; i32.const 4; i32.shr_u; i32.const 1; i32.and; local.get 3; i32.eqz; i32.and; br_if 0
              local.get 2; i32.const 5; i32.shr_u; i32.const 1; i32.and; local.get 3; i32.and; br_if 0
              local.get 2; i32.const 15; i32.and; i32.const ${READ}; i32.eq
              if
                i32.const 0; i32.const 0; i32.store
                local.get 0; i32.const 4; i32.add; i32.const 0; i32.const 4; call storage_read; drop
                i32.const 0; i32.load; local.set 3
              end
              local.get 2; i32.const 15; i32.and; i32.const ${WRITE}; i32.eq
              if
                i32.const 0; i32.const 1; i32.store
                local.get 0; i32.const 4; i32.add; i32.const 0; i32.const 4; call storage_write
              end
              local.get 2; i32.const 15; i32.and; i32.const ${SPIN}; i32.eq
              if
                local.get 0; i32.load offset=4; local.set 4
                block
                loop
                  local.get 4; i32.eqz; br_if 1
                  local.get 4; i32.const 1; i32.sub; local.set 4
                  br 0
                end
                end
              end
            end
            local.get 0; i32.const ${OPERATION_BYTES}; i32.add; local.set 0
            br 0
          end
          end
          i32.const 0`,
      },
    ],
  });
}

/** A call that only spins. */
export function spin(rounds: number): Uint8Array {
  return operations([[SPIN, rounds]]);
}

export type Operation = readonly [kind: number, slot: Uint8Array | number];

/** The input of a call. */
export function operations(list: readonly Operation[]): Uint8Array {
  const bytes = Buffer.alloc(list.length * OPERATION_BYTES);
  for (const [place, [kind, operand]] of list.entries()) {
    const at = place * OPERATION_BYTES;
    bytes.writeUInt32LE(kind, at);
    if (typeof operand === 'number') bytes.writeUInt32LE(operand, at + 4);
    else bytes.set(operand, at + 4);
  }
  return bytes;
}

export function slot(name: string, number: number): Uint8Array {
  const bytes = Buffer.alloc(32);
  bytes.write(`${name} ${number}`);
  return bytes;
}
