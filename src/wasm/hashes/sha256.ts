import { CodeWriter } from '../code-writer.js';
import { I32, OP } from '../opcodes.js';
import {
  type FunctionSink,
  HASH_PARAMS,
  HASH_RESULTS,
  LENGTH,
  OUT,
  POINTER,
  writeAccess,
  writeBoundsChecks,
  writeRefusal,
} from './hash-function.js';
import { firstPrimes, rootFraction } from './prime-roots.js';

/** Above three blocks the host's hash instructions outweigh the cost of the call (`bench/vm.bench.ts`). */
const MAX_BYTES = 183;
const BLOCK_BYTES = 64;
/** Up to this many bytes, a block has room for the end mark and the length. */
const LAST_BYTES = 55;
const ROUNDS = 64;

const INITIAL = firstPrimes(8).map((prime) => rootFraction(prime, 2n));
const ROUND_CONSTANTS = firstPrimes(ROUNDS).map((prime) => rootFraction(prime, 3n));

// Local indices after the parameters.
const CHAIN = 3;
const STATE = CHAIN + 8;
const MESSAGE = STATE + 8;
/** Input bytes left at this block; negative if only the length remained to add. */
const LEFT = MESSAGE + 16;
const SUM = LEFT + 1;
/** a ⊕ b of this round, and of the previous one, where it equals this round's b ⊕ c. */
const DIFFERENCE = SUM + 1;
const LOCALS = 8 + 8 + 16 + 1 + 1 + 2;

const I32_LOAD = 0x28;
const I32_LOAD8_U = 0x2d;
const I32_STORE = 0x36;
const I32_GE_S = 0x4e;
const I32_GT_S = 0x4a;
const I32_AND = 0x71;
const I32_OR = 0x72;
const I32_XOR = 0x73;
const I32_SHL = 0x74;
const I32_SHR_U = 0x76;
const I32_ROTL = 0x77;
const I32_ROTR = 0x78;

/** Adds SHA-256 (FIPS 180-4, section 6.2) of up to 183 bytes. */
export function addSha256(functions: FunctionSink): number {
  const swap = functions.add([I32], [I32], [], swapCode());
  const tail = functions.add([I32, I32], [I32], [], tailCode());
  const code = new CodeWriter(32_768);
  code.indexed(OP.localGet, LENGTH).i32Const(MAX_BYTES).op(OP.i32GtU);
  writeRefusal(code);
  writeBoundsChecks(code);
  for (const [index, word] of INITIAL.entries()) {
    code.i32Const(word).indexed(OP.localSet, CHAIN + index);
  }
  code.indexed(OP.localGet, LENGTH).indexed(OP.localSet, LEFT);
  code.raw(OP.loop, 0x40);
  writeMessage(code, tail);
  for (let index = 0; index < 8; index++) {
    code.indexed(OP.localGet, CHAIN + index).indexed(OP.localSet, STATE + index);
  }
  writeRounds(code);
  for (let index = 0; index < 8; index++) {
    code
      .indexed(OP.localGet, CHAIN + index)
      .indexed(OP.localGet, STATE + index)
      .op(OP.i32Add)
      .indexed(OP.localSet, CHAIN + index);
  }
  code.indexed(OP.localGet, POINTER).i32Const(BLOCK_BYTES).op(OP.i32Add).indexed(OP.localSet, POINTER);
  code.indexed(OP.localGet, LEFT).i32Const(LAST_BYTES).op(I32_GT_S);
  code.indexed(OP.localGet, LEFT).i32Const(BLOCK_BYTES).op(OP.i32Sub).indexed(OP.localSet, LEFT);
  code.indexed(OP.brIf, 0).end();
  for (let index = 0; index < 8; index++) {
    code
      .indexed(OP.localGet, OUT)
      .indexed(OP.localGet, CHAIN + index)
      .indexed(OP.call, swap);
    writeAccess(code, I32_STORE, 4 * index);
  }
  code.i32Const(1).end();
  const locals = Array.from({ length: LOCALS }, () => I32);
  return functions.add(HASH_PARAMS, HASH_RESULTS, locals, code);
}

/** Loads the next block of the padded input. */
function writeMessage(code: CodeWriter, tail: number): void {
  const left = (): CodeWriter => code.indexed(OP.localGet, LEFT);
  const writeWord = (index: number): void => {
    code.indexed(OP.localGet, POINTER);
    writeAccess(code, I32_LOAD, 4 * index);
    code.indexed(OP.localSet, SUM);
    writeSwapped(code, SUM);
  };
  left().i32Const(BLOCK_BYTES).op(I32_GE_S).if();
  for (let index = 0; index < 16; index++) {
    writeWord(index);
    code.indexed(OP.localSet, MESSAGE + index);
  }
  code.op(OP.else);
  for (let index = 0; index < 16; index++) {
    left()
      .i32Const(4 * index + 4)
      .op(I32_GE_S)
      .raw(OP.if, I32);
    writeWord(index);
    code.op(OP.else);
    left()
      .i32Const(4 * index)
      .op(OP.i32LtS)
      .raw(OP.if, I32)
      .i32Const(0)
      .op(OP.else);
    code
      .indexed(OP.localGet, POINTER)
      .i32Const(4 * index)
      .op(OP.i32Add);
    left()
      .i32Const(4 * index)
      .op(OP.i32Sub)
      .indexed(OP.call, tail);
    code
      .end()
      .end()
      .indexed(OP.localSet, MESSAGE + index);
  }
  // The length in bits, in one word: no input is longer.
  left().i32Const(LAST_BYTES).op(I32_GT_S).op(OP.i32Eqz).if();
  code
    .indexed(OP.localGet, LENGTH)
    .i32Const(3)
    .op(I32_SHL)
    .indexed(OP.localSet, MESSAGE + 15);
  code.end().end();
}

/** Writes all rounds unrolled; the eight variables rotate by renaming instead of moving values. */
function writeRounds(code: CodeWriter): void {
  const get = (index: number): CodeWriter => code.indexed(OP.localGet, index);
  get(STATE + 1);
  get(STATE + 2)
    .op(I32_XOR)
    .indexed(OP.localSet, DIFFERENCE + 1);
  for (const [round, constant] of ROUND_CONSTANTS.entries()) {
    const name = (place: number): number => STATE + ((place - round + ROUNDS) % 8);
    const [a, b, d] = [name(0), name(1), name(3)];
    const [e, f, g, h] = [name(4), name(5), name(6), name(7)];
    if (round >= 16) writeExpansion(code, round);
    // SUM = h + Σ1(e) + Ch(e, f, g) + K + W
    get(h);
    writeRotations(code, e, [6, 11, 25]);
    code.op(OP.i32Add);
    get(f);
    get(g).op(I32_XOR);
    get(e).op(I32_AND);
    get(g).op(I32_XOR).op(OP.i32Add);
    get(MESSAGE + (round % 16))
      .i32Const(constant)
      .op(OP.i32Add)
      .op(OP.i32Add)
      .indexed(OP.localTee, SUM);
    get(d).op(OP.i32Add).indexed(OP.localSet, d);
    // h = SUM + Σ0(a) + Maj(a, b, c), where Maj = b ⊕ ((a ⊕ b) ∧ (b ⊕ c))
    const [now, before] = round % 2 === 0 ? [DIFFERENCE, DIFFERENCE + 1] : [DIFFERENCE + 1, DIFFERENCE];
    get(SUM);
    writeRotations(code, a, [2, 13, 22]);
    code.op(OP.i32Add);
    get(a);
    get(b).op(I32_XOR).indexed(OP.localTee, now);
    get(before).op(I32_AND);
    get(b).op(I32_XOR).op(OP.i32Add).indexed(OP.localSet, h);
  }
}

/** W = σ1(W₋₂) + W₋₇ + σ0(W₋₁₅) + W₋₁₆, replacing the last. */
function writeExpansion(code: CodeWriter, round: number): void {
  const word = (back: number): number => MESSAGE + ((round - back) % 16);
  const writeSigma = (local: number, rotations: readonly [number, number], shift: number): void => {
    writeRotations(code, local, rotations);
    code.indexed(OP.localGet, local).i32Const(shift).op(I32_SHR_U).op(I32_XOR);
  };
  writeSigma(word(2), [17, 19], 10);
  code.indexed(OP.localGet, word(7)).op(OP.i32Add);
  writeSigma(word(15), [7, 18], 3);
  code.op(OP.i32Add);
  code.indexed(OP.localGet, word(16)).op(OP.i32Add).indexed(OP.localSet, word(16));
}

/** Pushes the xor of a local's right rotations. */
function writeRotations(code: CodeWriter, local: number, rotations: readonly number[]): void {
  for (const [index, rotation] of rotations.entries()) {
    code.indexed(OP.localGet, local).i32Const(rotation).op(I32_ROTR);
    if (index > 0) code.op(I32_XOR);
  }
}

/** Pushes a local with its bytes reversed. */
function writeSwapped(code: CodeWriter, local: number): void {
  code.indexed(OP.localGet, local).i32Const(8).op(I32_ROTL).i32Const(0x00ff00ff).op(I32_AND);
  code.indexed(OP.localGet, local).i32Const(24).op(I32_ROTL).i32Const(0xff00ff00).op(I32_AND);
  code.op(I32_OR);
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
      .op(I32_GE_S)
      .raw(OP.if, I32);
    code.indexed(OP.localGet, 0);
    writeAccess(code, I32_LOAD8_U, bytes);
    code.i32Const(24 - 8 * bytes).op(I32_SHL);
    code.op(OP.else).i32Const(0).end();
    if (bytes > 0) code.op(I32_OR);
  }
  code.i32Const(0x80).i32Const(24).indexed(OP.localGet, 1).i32Const(3).op(I32_SHL).op(OP.i32Sub).op(I32_SHL);
  return code.op(I32_OR).end();
}
