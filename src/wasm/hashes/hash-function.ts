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
 * A hash function in WebAssembly that the instrumenter adds to contracts that import it. The contract then hashes its
 * own memory without a call into JavaScript, which costs more than a short hash.
 *
 * (pointer: i32, length: i32, out: i32) → i32: 1 if the 32 bytes were written to `out`; 0 if nothing was done and the
 * host must compute or refuse the hash: for pointers outside memory and unsupported lengths.
 */
export type HashFunctionBuilder = (functions: FunctionSink) => number;

export const POINTER = 0;
export const LENGTH = 1;
export const OUT = 2;
export const HASH_PARAMS: readonly number[] = [I32, I32, I32];
export const HASH_RESULTS: readonly number[] = [I32];

/** Writes code that returns 0 unless the input and the 32 bytes of output are in memory. */
export function writeBoundsChecks(code: CodeWriter): void {
  const checkEnd = (pointer: number, writeLength: () => void): void => {
    code.get(pointer).op(OP.i64ExtendI32U);
    writeLength();
    code.op(OP.i64Add).memorySize().op(OP.i64ExtendI32U).i64Const(65_536n).op(OP.i64Mul);
    code.op(OP.i64GtU);
    writeRefusal(code);
  };
  checkEnd(POINTER, () => code.get(LENGTH).op(OP.i64ExtendI32U));
  checkEnd(OUT, () => code.i64Const(32n));
}

/** Writes code that returns 0 if the condition on the stack holds. */
export function writeRefusal(code: CodeWriter): void {
  code.if().i32Const(0).op(OP.return).end();
}

/** Writes code that copies the eight words of a hash to other locals. */
export function copyWords(code: CodeWriter, from: number, to: number): void {
  for (let index = 0; index < 8; index++) code.get(from + index).set(to + index);
}

/** Writes code that sets each of the eight words at `into` to `opcode` of it and that at `from`. */
export function mixWords(code: CodeWriter, into: number, from: number, opcode: number): void {
  for (let index = 0; index < 8; index++) {
    const word = into + index;
    code
      .get(word, from + index)
      .op(opcode)
      .set(word);
  }
}

/** Writes code that stores the eight words of the hash at `OUT`, and returns 1. */
export function writeDigest(code: CodeWriter, chain: number, writeWord: (word: number) => void): void {
  for (let index = 0; index < 8; index++) {
    code.get(OUT);
    writeWord(chain + index);
    code.access(OP.i32Store, 4 * index);
  }
  code.i32Const(1).end();
}

/** A number of locals that hold i32. */
export function words(count: number): readonly number[] {
  return Array.from({ length: count }, () => I32);
}

/** Block size of SHA-256 and BLAKE3, in bytes. */
export const BLOCK_BYTES = 64;

/** How a hash function reads the 16 words of a block. */
interface BlockWords {
  /** Local with the number of input bytes left at this block. */
  readonly left: number;
  /** First of the 16 locals that receive the words. */
  readonly message: number;
  /** Pushes the word at an index of the block; all of it is input. */
  readonly writeWord: (index: number) => void;
  /** Index of the function that makes a word from its first bytes: (pointer, count of bytes, 0 to 3) → word. */
  readonly tail: number;
  /** Minimum count for which `tail` is called; with fewer bytes left, a word is 0. */
  readonly leastTail: 0 | 1;
}

/** Writes code that loads the next block, in an `if` for whole blocks and an `else`, which is left open. */
export function writeBlockWords(code: CodeWriter, block: BlockWords): void {
  const { left, message, writeWord, tail, leastTail } = block;
  code.get(left).i32Const(BLOCK_BYTES).op(OP.i32GeS).if();
  for (let index = 0; index < 16; index++) {
    writeWord(index);
    code.set(message + index);
  }
  code.op(OP.else);
  for (let index = 0; index < 16; index++) {
    const start = 4 * index;
    const end = start + 4;
    const least = start + leastTail;
    code.get(left).i32Const(end).op(OP.i32GeS).raw(OP.if, I32);
    writeWord(index);
    code.op(OP.else);
    code.get(left).i32Const(least).op(OP.i32LtS).raw(OP.if, I32).i32Const(0).op(OP.else);
    code.get(POINTER).i32Const(start).op(OP.i32Add);
    code.get(left).i32Const(start).op(OP.i32Sub).call(tail).end().end();
    code.set(message + index);
  }
}
