import { CodeWriter } from '../code-writer.js';
import { I32, OP } from '../opcodes.js';
import {
  BLOCK_BYTES,
  copyWords,
  type FunctionSink,
  HASH_PARAMS,
  HASH_RESULTS,
  LENGTH,
  POINTER,
  words,
  writeBlockWords,
  writeBoundsChecks,
  writeDigest,
  writeRefusal,
} from './hash-function.js';
import { firstPrimes, rootFraction } from './prime-roots.js';

/** One chunk of the tree; the host hashes longer inputs. */
const CHUNK_BYTES = 1_024;
const CHUNK_START = 1;
const CHUNK_END = 2;
const ROOT = 8;
const ROUNDS = 7;

/** The first 32 bits of the fractional parts of the square roots of the first eight primes. */
const IV = firstPrimes(8).map((prime) => rootFraction(prime, 2n));
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
/** State words of each of a round's eight mixings: columns, then diagonals. */
const MIXINGS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

// Local indices after the parameters.
const CHAIN = 3;
const STATE = CHAIN + 8;
const MESSAGE = STATE + 16;
const FLAGS = MESSAGE + 16;
const LOCALS = 8 + 16 + 16 + 1;

/** Adds BLAKE3 of up to 1,024 bytes (BLAKE3 specification, section 2: one chunk that is the root). */
export function addBlake3(functions: FunctionSink): number {
  const tail = functions.add([I32, I32], [I32], [], tailCode());
  const code = new CodeWriter(8_192);
  code.get(LENGTH).i32Const(CHUNK_BYTES).op(OP.i32GtU);
  writeRefusal(code);
  writeBoundsChecks(code);
  for (const [index, word] of IV.entries()) code.i32Const(word).set(CHAIN + index);
  code.i32Const(CHUNK_START).set(FLAGS);
  code.open(OP.loop);
  writeMessage(code, tail);
  writeStart(code);
  writeRounds(code);
  for (let index = 0; index < 8; index++) {
    code.get(STATE + index, STATE + 8 + index).op(OP.i32Xor);
    code.set(CHAIN + index);
  }
  code.i32Const(0).set(FLAGS);
  code.get(POINTER).i32Const(BLOCK_BYTES).op(OP.i32Add).set(POINTER);
  code.get(LENGTH).i32Const(BLOCK_BYTES).op(OP.i32Sub).tee(LENGTH);
  code.i32Const(0).op(OP.i32GtS).indexed(OP.brIf, 0).end();
  writeDigest(code, CHAIN, (word) => code.get(word));
  return functions.add(HASH_PARAMS, HASH_RESULTS, words(LOCALS), code);
}

/** Loads the next block, zero-padded after the end of the input. `LENGTH` is the input left. */
function writeMessage(code: CodeWriter, tail: number): void {
  const writeWord = (index: number) => code.get(POINTER).access(OP.i32Load, 4 * index);
  writeBlockWords(code, { left: LENGTH, message: MESSAGE, writeWord, tail, leastTail: 1 });
  code.end();
}

function writeStart(code: CodeWriter): void {
  copyWords(code, CHAIN, STATE);
  // The chunk counter is zero, in two words.
  for (const [index, word] of [...IV.slice(0, 4), 0, 0].entries()) code.i32Const(word).set(STATE + 8 + index);
  const [size, flags] = [STATE + 14, STATE + 15];
  const selectIfLast = (): CodeWriter => code.get(LENGTH).i32Const(BLOCK_BYTES).op(OP.i32LeS, OP.select);
  code.get(LENGTH).i32Const(BLOCK_BYTES);
  selectIfLast().set(size);
  code.i32Const(CHUNK_END | ROOT).i32Const(0);
  selectIfLast().get(FLAGS).op(OP.i32Or).set(flags);
}

function writeRounds(code: CodeWriter): void {
  let order = Array.from({ length: 16 }, (_, index) => index);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, mixed] of MIXINGS.entries()) {
      writeHalfMixing(code, mixed, order[2 * index] ?? 0, [16, 12]);
      writeHalfMixing(code, mixed, order[2 * index + 1] ?? 0, [8, 7]);
    }
    const before = order;
    order = PERMUTATION.map((index) => before[index] ?? 0);
  }
}

/** a += b + m; d = (d ⊕ a) ⋙ first; c += d; b = (b ⊕ c) ⋙ second. */
function writeHalfMixing(
  code: CodeWriter,
  mixed: (typeof MIXINGS)[number],
  word: number,
  [first, second]: readonly [number, number],
): void {
  const [a, b, c, d] = [STATE + mixed[0], STATE + mixed[1], STATE + mixed[2], STATE + mixed[3]];
  const m = MESSAGE + word;
  code.get(a, b).op(OP.i32Add).get(m).op(OP.i32Add).tee(a);
  code.get(d).op(OP.i32Xor).i32Const(first).op(OP.i32Rotr).tee(d);
  code.get(c).op(OP.i32Add).tee(c);
  code.get(b).op(OP.i32Xor).i32Const(second).op(OP.i32Rotr).set(b);
}

/** (pointer, count) → the word of the `count` bytes there, 1 to 3. */
function tailCode(): CodeWriter {
  const code = new CodeWriter();
  for (let bytes = 1; bytes <= 3; bytes++) {
    code.get(1).i32Const(bytes).op(OP.i32GeS).raw(OP.if, I32);
    code.get(0).access(OP.i32Load8U, bytes - 1);
    code.i32Const(8 * (bytes - 1)).op(OP.i32Shl);
    code.op(OP.else).i32Const(0).end();
  }
  return code.op(OP.i32Or, OP.i32Or).end();
}
