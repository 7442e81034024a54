import { CodeWriter } from '../code-writer.js';
import { I32, OP } from '../opcodes.js';
import {
  BLOCK_BYTES,
  copyWords,
  type FunctionSink,
  HASH_PARAMS,
  HASH_RESULTS,
  LENGTH,
  mixWords,
  POINTER,
  words,
  writeBlockWords,
  writeBoundsChecks,
  writeDigest,
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
  code.get(LENGTH).i32Const(MAX_BYTES).op(OP.i32GtU);
  writeRefusal(code);
  writeBoundsChecks(code);
  for (const [index, word] of SHA256_INITIAL.entries()) code.i32Const(word).set(CHAIN + index);
  code.get(LENGTH).set(LEFT);
  code.open(OP.loop);
  writeMessage(code, tail);
  copyWords(code, CHAIN, STATE);
  writeSha256Rounds(code, WORDS);
  mixWords(code, CHAIN, STATE, OP.i32Add);
  code.get(POINTER).i32Const(BLOCK_BYTES).op(OP.i32Add).set(POINTER);
  code.get(LEFT).i32Const(LAST_BYTES).op(OP.i32GtS);
  code.get(LEFT).i32Const(BLOCK_BYTES).op(OP.i32Sub).set(LEFT);
  code.indexed(OP.brIf, 0).end();
  writeDigest(code, CHAIN, (word) => code.get(word).call(swap));
  return functions.add(HASH_PARAMS, HASH_RESULTS, words(LOCALS), code);
}

/** Loads the next block of the padded input. */
function writeMessage(code: CodeWriter, tail: number): void {
  const writeWord = (index: number): void => {
    code.get(POINTER).access(OP.i32Load, 4 * index);
    writeSwapped(code.set(SUM), SUM);
  };
  writeBlockWords(code, { left: LEFT, message: MESSAGE, writeWord, tail, leastTail: 0 });
  // The length in bits, which fits in one word for every input.
  code.get(LEFT).i32Const(LAST_BYTES).op(OP.i32GtS, OP.i32Eqz).if();
  code.get(LENGTH).i32Const(3).op(OP.i32Shl);
  code
    .set(MESSAGE + 15)
    .end()
    .end();
}

/** Pushes the xor of a local's right rotations. */
function writeRotations(code: CodeWriter, local: number, rotations: readonly number[]): void {
  for (const [index, rotation] of rotations.entries()) {
    code.get(local).i32Const(rotation).op(OP.i32Rotr);
    if (index > 0) code.op(OP.i32Xor);
  }
}

/** Pushes a local with its bytes reversed. */
function writeSwapped(code: CodeWriter, local: number): CodeWriter {
  code.get(local).i32Const(8).op(OP.i32Rotl).i32Const(0x00ff00ff).op(OP.i32And);
  return code.get(local).i32Const(24).op(OP.i32Rotl).i32Const(0xff00ff00).op(OP.i32And, OP.i32Or);
}

function swapCode(): CodeWriter {
  return writeSwapped(new CodeWriter(), 0).end();
}

/** (pointer, count) → the word of the last `count` bytes, 0 to 3, the end mark, and zeros. */
function tailCode(): CodeWriter {
  const code = new CodeWriter();
  for (let bytes = 0; bytes < 3; bytes++) {
    const least = bytes + 1;
    code.get(1).i32Const(least).op(OP.i32GeS).raw(OP.if, I32);
    code.get(0).access(OP.i32Load8U, bytes);
    code.i32Const(24 - 8 * bytes).op(OP.i32Shl);
    code.op(OP.else).i32Const(0).end();
    if (bytes > 0) code.op(OP.i32Or);
  }
  code.i32Const(0x80).i32Const(24).get(1).i32Const(3).op(OP.i32Shl, OP.i32Sub, OP.i32Shl);
  return code.op(OP.i32Or).end();
}
