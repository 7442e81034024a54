/**
 * SHA-256 (FIPS 180-4) of many short messages, four at a time in WebAssembly's vector lanes. For messages of a block or
 * two, calling Node's hash function costs more than the hashing itself.
 *
 * Hot path: guarded by bench/tree.bench.ts.
 */
import { CodeWriter } from '../code-writer.js';
import { I32, OP } from '../opcodes.js';
import { copyWords, type FunctionSink, mixWords } from './hash-function.js';
import { SHA256_INITIAL, type Sha256Words, writeSha256Rounds } from './sha256-rounds.js';
import { instantiate } from './standalone.js';

/** Messages hashed side by side. */
export const LANES = 4;
/** Bytes of a block. Each message ends with at least 9 bytes of padding. */
export const BLOCK_BYTES = 64;

const PAGE_BYTES = 65_536;
const OTHER_LANES = LANES - 1;
const DIGESTS_BYTES = LANES * 32;

const I32_MUL = 0x6c;
const V128 = 0x7b;
const V128_LOAD = 0xfd00;
const V128_STORE = 0xfd0b;
const V128_CONST = 0xfd0c;
const I8X16_SHUFFLE = 0xfd0d;
const V128_AND = 0xfd4e;
const V128_XOR = 0xfd51;
const I32X4_SHL = 0xfdab;
const I32X4_SHR_U = 0xfdad;
const I32X4_ADD = 0xfdae;

// Indices of parameters, then locals.
const INPUT = 0;
const BLOCKS = 1;
const OUTPUT = 2;
const GROUPS = 3;
const STRIDE = 4;
const LEFT = 5;
const CHAIN = 6;
const STATE = CHAIN + 8;
const MESSAGE = STATE + 8;
const SUM = MESSAGE + 16;
const DIFFERENCE = SUM + 1;
const VECTORS = 8 + 8 + 16 + 1 + 2;

const WORDS: Sha256Words = {
  state: STATE,
  message: MESSAGE,
  sum: SUM,
  difference: DIFFERENCE,
  add: I32X4_ADD,
  and: V128_AND,
  xor: V128_XOR,
  shiftRight: I32X4_SHR_U,
  addsWordFirst: true,
  writeConstant,
  writeRotations,
};

/** A memory and the hash function over it. */
export interface Sha256Lanes {
  readonly memory: ArrayBuffer;
  /**
   * Hashes 4 × `groups` contiguous messages of `blocks` padded blocks each, from byte `input` on. Writes the contiguous
   * digests, 32 bytes each, from byte `output` on.
   */
  hash(input: number, blocks: number, output: number, groups: number): void;
}

/** @param memoryBytes rounded up to whole pages of 64 KiB */
export function createSha256Lanes(memoryBytes: number): Sha256Lanes {
  const pages = Math.ceil(memoryBytes / PAGE_BYTES);
  const { buffer, hash } = instantiate<Sha256Lanes['hash']>(addSha256Lanes, pages);
  return { memory: buffer, hash };
}

function addSha256Lanes(functions: FunctionSink): number {
  const code = new CodeWriter(32_768);
  code.get(GROUPS).op(OP.i32Eqz).if().op(OP.return).end();
  code.get(BLOCKS).i32Const(6).op(OP.i32Shl).set(STRIDE);
  code.open(OP.loop);
  for (const [index, word] of SHA256_INITIAL.entries()) writeConstant(code, word).set(CHAIN + index);
  code.get(BLOCKS).set(LEFT);
  code.open(OP.loop);
  writeMessage(code);
  copyWords(code, CHAIN, STATE);
  writeSha256Rounds(code, WORDS);
  mixWords(code, CHAIN, STATE, I32X4_ADD);
  code.get(INPUT).i32Const(BLOCK_BYTES).op(OP.i32Add).set(INPUT);
  code.get(LEFT).i32Const(1).op(OP.i32Sub).tee(LEFT).indexed(OP.brIf, 0).end();
  writeDigests(code);
  // The pointer is past the first message; skip the other three.
  code.get(STRIDE).i32Const(OTHER_LANES).op(I32_MUL).get(INPUT).op(OP.i32Add).set(INPUT);
  code.get(OUTPUT).i32Const(DIGESTS_BYTES).op(OP.i32Add).set(OUTPUT);
  code.get(GROUPS).i32Const(1).op(OP.i32Sub).tee(GROUPS).indexed(OP.brIf, 0).end();
  const vectors = Array.from({ length: VECTORS }, () => V128);
  return functions.add([I32, I32, I32, I32], [], [I32, I32, ...vectors], code.end());
}

/** Loads the next block of each of four messages: word i of all four becomes one vector. */
function writeMessage(code: CodeWriter): void {
  for (let quarter = 0; quarter < 4; quarter++) {
    const first = MESSAGE + 4 * quarter;
    for (let lane = 0; lane < LANES; lane++) {
      const vector = first + lane;
      code.get(INPUT);
      for (let i = 0; i < lane; i++) code.get(STRIDE).op(OP.i32Add);
      code.access(V128_LOAD, 16 * quarter).set(vector);
      writeSwapped(code, vector).set(vector);
    }
    writeTransposed(code, first);
  }
}

/** Stores the eight words of each lane as a digest. */
function writeDigests(code: CodeWriter): void {
  for (const half of [0, 1]) {
    const first = CHAIN + 4 * half;
    writeTransposed(code, first);
    for (let lane = 0; lane < LANES; lane++) {
      writeSwapped(code.get(OUTPUT), first + lane).access(V128_STORE, 32 * lane + 16 * half);
    }
  }
}

/** Transposes four vectors as the rows of a 4 × 4 matrix. */
function writeTransposed(code: CodeWriter, first: number): void {
  const mixed = (a: number, b: number, words: readonly number[]): CodeWriter => {
    code.get(a, b).op(I8X16_SHUFFLE);
    for (const word of words) code.raw(4 * word, 4 * word + 1, 4 * word + 2, 4 * word + 3);
    return code;
  };
  const [low, high] = [
    [0, 4, 1, 5],
    [2, 6, 3, 7],
  ] as const;
  const rows = [first, first + 1, first + 2, first + 3] as const;
  // The state is unused here and holds intermediate halves.
  mixed(rows[0], rows[1], low).set(STATE);
  mixed(rows[0], rows[1], high).set(STATE + 1);
  mixed(rows[2], rows[3], low).set(STATE + 2);
  mixed(rows[2], rows[3], high).set(STATE + 3);
  mixed(STATE, STATE + 2, [0, 1, 4, 5]).set(rows[0]);
  mixed(STATE, STATE + 2, [2, 3, 6, 7]).set(rows[1]);
  mixed(STATE + 1, STATE + 3, [0, 1, 4, 5]).set(rows[2]);
  mixed(STATE + 1, STATE + 3, [2, 3, 6, 7]).set(rows[3]);
}

/** Pushes a local's four words with their bytes reversed. */
function writeSwapped(code: CodeWriter, local: number): CodeWriter {
  code.get(local, local).op(I8X16_SHUFFLE);
  for (let word = 0; word < 4; word++) code.raw(4 * word + 3, 4 * word + 2, 4 * word + 1, 4 * word);
  return code;
}

/** Pushes the xor of a local's right rotations. */
function writeRotations(code: CodeWriter, local: number, rotations: readonly number[]): void {
  for (const [index, rotation] of rotations.entries()) {
    const rest = 32 - rotation;
    code.get(local).i32Const(rotation).op(I32X4_SHR_U);
    if (index > 0) code.op(V128_XOR);
    code.get(local).i32Const(rest).op(I32X4_SHL, V128_XOR);
  }
}

/** Pushes a vector with the same word in all lanes. */
function writeConstant(code: CodeWriter, word: number): CodeWriter {
  code.op(V128_CONST);
  for (let lane = 0; lane < LANES; lane++) {
    code.raw(word & 0xff, (word >>> 8) & 0xff, (word >>> 16) & 0xff, word >>> 24);
  }
  return code;
}
