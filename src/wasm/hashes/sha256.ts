import { CodeWriter } from '../code-writer.js';
import { I32, OP } from '../opcodes.js';
import {
  BLOCK_BYTES,
  type FunctionSink,
  HASH_PARAMS,
  HASH_RESULTS,
  LENGTH,
  OUT,
  POINTER,
  writeAccess,
  writeBlockWords,
  writeBoundsChecks,
  writeRefusal,
} from './hash-function.js';
import { SHA256_INITIAL, type Sha256Words, writeSha256Rounds } from './sha256-rounds.js';

/** Above three blocks the host's hash instructions outweigh the cost of the call (bench/micro/host-calls.bench.ts). */
const MAX_BYTES = 183;
/** Up to this many bytes, a block has room for the end mark and the length. */
const LAST_BYTES = 55;

// Local indices after the parameters.
const CHAIN = 3;
const STATE = CHAIN + 8;
const MESSAGE = STATE + 8;
/** Input bytes left at this block; negative if only the length remained to add. */
const LEFT = MESSAGE + 16;
const SUM = LEFT + 1;
const DIFFERENCE = SUM + 1;
const LOCALS = 8 + 8 + 16 + 1 + 1 + 2;

const WORDS: Sha256Words = {
  state: STATE,
  message: MESSAGE,
  sum: SUM,
  difference: DIFFERENCE,
  add: OP.i32Add,
  and: OP.i32And,
  xor: OP.i32Xor,
  shiftRight: OP.i32ShrU,
  addsWordFirst: false,
  writeConstant: (code, word) => code.i32Const(word),
  writeRotations,
};

/** Adds SHA-256 (FIPS 180-4, section 6.2) of up to 183 bytes. */
export function addSha256(functions: FunctionSink): number {
  const swap = functions.add([I32], [I32], [], swapCode());
  const tail = functions.add([I32, I32], [I32], [], tailCode());
  const code = new CodeWriter(32_768);
  code.indexed(OP.localGet, LENGTH).i32Const(MAX_BYTES).op(OP.i32GtU);
  writeRefusal(code);
  writeBoundsChecks(code);
  for (const [index, word] of SHA256_INITIAL.entries()) {
    code.i32Const(word).indexed(OP.localSet, CHAIN + index);
  }
  code.indexed(OP.localGet, LENGTH).indexed(OP.localSet, LEFT);
  code.raw(OP.loop, 0x40);
  writeMessage(code, tail);
  for (let index = 0; index < 8; index++) {
    code.indexed(OP.localGet, CHAIN + index).indexed(OP.localSet, STATE + index);
  }
  writeSha256Rounds(code, WORDS);
  for (let index = 0; index < 8; index++) {
    code
      .indexed(OP.localGet, CHAIN + index)
      .indexed(OP.localGet, STATE + index)
      .op(OP.i32Add)
      .indexed(OP.localSet, CHAIN + index);
  }
  code.indexed(OP.localGet, POINTER).i32Const(BLOCK_BYTES).op(OP.i32Add).indexed(OP.localSet, POINTER);
  code.indexed(OP.localGet, LEFT).i32Const(LAST_BYTES).op(OP.i32GtS);
  code.indexed(OP.localGet, LEFT).i32Const(BLOCK_BYTES).op(OP.i32Sub).indexed(OP.localSet, LEFT);
  code.indexed(OP.brIf, 0).end();
  for (let index = 0; index < 8; index++) {
    code
      .indexed(OP.localGet, OUT)
      .indexed(OP.localGet, CHAIN + index)
      .indexed(OP.call, swap);
    writeAccess(code, OP.i32Store, 4 * index);
  }
  code.i32Const(1).end();
  const locals = Array.from({ length: LOCALS }, () => I32);
  return functions.add(HASH_PARAMS, HASH_RESULTS, locals, code);
}

/** Loads the next block of the padded input. */
function writeMessage(code: CodeWriter, tail: number): void {
  const writeWord = (index: number): void => {
    code.indexed(OP.localGet, POINTER);
    writeAccess(code, OP.i32Load, 4 * index);
    code.indexed(OP.localSet, SUM);
    writeSwapped(code, SUM);
  };
  writeBlockWords(code, { left: LEFT, message: MESSAGE, writeWord, tail, leastTail: 0 });
  // The length in bits, which fits in one word for every input.
  code.indexed(OP.localGet, LEFT).i32Const(LAST_BYTES).op(OP.i32GtS).op(OP.i32Eqz).if();
  code
    .indexed(OP.localGet, LENGTH)
    .i32Const(3)
    .op(OP.i32Shl)
    .indexed(OP.localSet, MESSAGE + 15);
  code.end().end();
}

/** Pushes the xor of a local's right rotations. */
function writeRotations(code: CodeWriter, local: number, rotations: readonly number[]): void {
  for (const [index, rotation] of rotations.entries()) {
    code.indexed(OP.localGet, local).i32Const(rotation).op(OP.i32Rotr);
    if (index > 0) code.op(OP.i32Xor);
  }
}

/** Pushes a local with its bytes reversed. */
function writeSwapped(code: CodeWriter, local: number): void {
  code.indexed(OP.localGet, local).i32Const(8).op(OP.i32Rotl).i32Const(0x00ff00ff).op(OP.i32And);
  code.indexed(OP.localGet, local).i32Const(24).op(OP.i32Rotl).i32Const(0xff00ff00).op(OP.i32And);
  code.op(OP.i32Or);
}

function swapCode(): CodeWriter {
  const code = new CodeWriter();
  writeSwapped(code, 0);
  return code.end();
}

/** (pointer, count) → the word of the last `count` bytes, 0 to 3, the end mark, and zeros. */
function tailCode(): CodeWriter {
  const code = new CodeWriter();
  for (let bytes = 0; bytes < 3; bytes++) {
    code
      .indexed(OP.localGet, 1)
      .i32Const(bytes + 1)
      .op(OP.i32GeS)
      .raw(OP.if, I32);
    code.indexed(OP.localGet, 0);
    writeAccess(code, OP.i32Load8U, bytes);
    code.i32Const(24 - 8 * bytes).op(OP.i32Shl);
    code.op(OP.else).i32Const(0).end();
    if (bytes > 0) code.op(OP.i32Or);
  }
  code
    .i32Const(0x80)
    .i32Const(24)
    .indexed(OP.localGet, 1)
    .i32Const(3)
    .op(OP.i32Shl)
    .op(OP.i32Sub)
    .op(OP.i32Shl);
  return code.op(OP.i32Or).end();
}
