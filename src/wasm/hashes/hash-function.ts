import type { CodeWriter } from '../code-writer.js';
import { I32, OP } from '../opcodes.js';

/** The module that functions are added to. */
export interface FunctionSink {
  /** Adds a function and returns its index. `locals` are the types of its locals, parameters not counted. */
  add(
    params: readonly number[],
    results: readonly number[],
    locals: readonly number[],
    code: CodeWriter,
  ): number;
}

/**
 * A hash function in WebAssembly that the instrumenter puts into a contract which imports it: the contract then hashes
 * its own memory without a call into JavaScript, which costs more than a short hash does.
 *
 * (pointer: i32, length: i32, out: i32) → i32: 1 where the 32 bytes were written to `out`, 0 where nothing was done and the
 * host has to do it or to refuse it: for pointers outside of memory, and for lengths that the function does not take.
 */
export type HashFunctionBuilder = (functions: FunctionSink) => number;

export const POINTER = 0;
export const LENGTH = 1;
export const OUT = 2;
export const HASH_PARAMS: readonly number[] = [I32, I32, I32];
export const HASH_RESULTS: readonly number[] = [I32];

/** Returns 0 unless both the input and the 32 bytes of output lie in memory. */
export function writeBoundsChecks(code: CodeWriter): void {
  const checkEnd = (pointer: number, writeLength: () => void): void => {
    code.indexed(OP.localGet, pointer).op(OP.i64ExtendI32U);
    writeLength();
    code.op(OP.i64Add).op(OP.memorySize).byte(0).op(OP.i64ExtendI32U).i64Const(65_536n).op(OP.i64Mul);
    code.op(OP.i64GtU);
    writeRefusal(code);
  };
  checkEnd(POINTER, () => code.indexed(OP.localGet, LENGTH).op(OP.i64ExtendI32U));
  checkEnd(OUT, () => code.i64Const(32n));
}

/** Returns 0 where the condition on the stack holds. */
export function writeRefusal(code: CodeWriter): void {
  code.if().i32Const(0).op(OP.return).end();
}

/** A load or store at a constant distance from the address on the stack. */
export function writeAccess(code: CodeWriter, opcode: number, offset: number): void {
  code.op(opcode).u32(0).u32(offset);
}
