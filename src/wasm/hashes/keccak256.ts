import { CodeWriter } from '../code-writer.js';
import { I32, I64, OP } from '../opcodes.js';
import {
  type FunctionSink,
  HASH_PARAMS,
  HASH_RESULTS,
  LENGTH,
  OUT,
  POINTER,
  writeBoundsChecks,
} from './hash-function.js';

const RATE_BYTES = 136;
const RATE_LANES = 17;
const ROUNDS = 24;
const LANES = Array.from({ length: 25 }, (_, index) => index);
const COLUMNS = [0, 1, 2, 3, 4];
const ROWS = COLUMNS;
/** Lanes held as their complement between rounds: χ then has 8 negations a round instead of 25. */
const COMPLEMENTED: ReadonlySet<number> = new Set([1, 2, 8, 12, 17, 20]);

// Local indices after the parameters; lanes are numbered x + 5y.
const STATE = 3;
const NEXT = STATE + 25;
const ROW = NEXT + 25;
const PARITY = ROW + 5;
const CHANGE = PARITY + 5;
const ROUND = CHANGE + 5;
const IS_LAST = ROUND + 1;
const CONSTANT = IS_LAST + 1;

const I64_LOAD = 0x29;
const I64_LOAD8_U = 0x31;
const I64_STORE = 0x37;
const I64_AND = 0x83;
const I64_OR = 0x84;
const I64_XOR = 0x85;
const I64_SHL = 0x86;
const I64_ROTL = 0x89;

/**
 * Adds Keccak-256 with its original padding (the Keccak reference, version 3.0; rate 1,088, capacity 512), for any
 * length.
 *
 * Hot path: guarded by bench/vm.bench.ts. V8 allocates registers best in a loop of single rounds: two unrolled rounds
 * are slower on Node 20, and 24 take twice as long on every version. A round makes one row after another, so that few
 * lanes are in use at a time.
 */
export function addKeccak256(functions: FunctionSink): number {
  const lane = functions.add([I32, I32], [I64], [I64], laneCode());
  const code = new CodeWriter(8_192);
  writeBoundsChecks(code);
  for (const index of COMPLEMENTED) code.i64Const(-1n).set(STATE + index);
  code.open(OP.loop);
  code.get(LENGTH).i32Const(RATE_BYTES).op(OP.i32LtU).tee(IS_LAST).if();
  writeLastLanes(code, lane);
  code.i64Const(-(1n << 63n));
  writeXorInto(code, RATE_LANES - 1);
  code.op(OP.else);
  for (let index = 0; index < RATE_LANES; index++) {
    code.get(POINTER).access(I64_LOAD, 8 * index);
    writeXorInto(code, index);
  }
  code.end().i32Const(0).set(ROUND).open(OP.loop);
  writeRound(code);
  code.get(ROUND).i32Const(1).op(OP.i32Add).tee(ROUND);
  code.i32Const(ROUNDS).op(OP.i32LtU).indexed(OP.brIf, 0).end();
  code.get(POINTER).i32Const(RATE_BYTES).op(OP.i32Add).set(POINTER);
  code.get(LENGTH).i32Const(RATE_BYTES).op(OP.i32Sub).set(LENGTH);
  code.get(IS_LAST).op(OP.i32Eqz).indexed(OP.brIf, 0).end();
  for (let index = 0; index < 4; index++) {
    code.get(OUT, STATE + index);
    if (COMPLEMENTED.has(index)) writeNegation(code);
    code.access(I64_STORE, 8 * index);
  }
  code.i32Const(1).end();
  const lanes = Array.from({ length: ROUND - STATE }, () => I64);
  return functions.add(HASH_PARAMS, HASH_RESULTS, [...lanes, I32, I32, I64], code);
}

/** Absorbs the lanes of the last block, up to the one with the padding's first bit. */
function writeLastLanes(code: CodeWriter, lane: number): void {
  code.open(OP.block);
  for (let index = 0; index < RATE_LANES; index++) {
    const start = 8 * index;
    const end = start + 8;
    code.get(LENGTH).i32Const(end).op(OP.i32GeS).if().get(POINTER).access(I64_LOAD, start);
    writeXorInto(code, index);
    code.op(OP.else).get(POINTER).i32Const(start).op(OP.i32Add);
    code.get(LENGTH).i32Const(start).op(OP.i32Sub).call(lane);
    writeXorInto(code, index);
    code.indexed(OP.br, 1).end();
  }
  code.end();
}

/** Xors the value on the stack into a lane. */
function writeXorInto(code: CodeWriter, index: number): void {
  const lane = STATE + index;
  code.get(lane).op(I64_XOR).set(lane);
}

/** θ, then row by row ρ, π and χ, with ι in the first row. */
function writeRound(code: CodeWriter): void {
  writeRoundConstant(code);
  for (const x of COLUMNS) {
    code.get(STATE + x);
    for (const y of [1, 2, 3, 4]) code.get(STATE + x + 5 * y).op(I64_XOR);
    code.set(PARITY + x);
  }
  for (const x of COLUMNS) {
    const change = CHANGE + x;
    const [left, right] = [PARITY + ((x + 4) % 5), PARITY + ((x + 1) % 5)];
    code.get(left, right).i64Const(1n).op(I64_ROTL, I64_XOR).set(change);
  }
  const rotations = rotationOffsets();
  const complements = complementsBeforeChi();
  for (const y of ROWS) {
    for (const x of COLUMNS) {
      const source = sourceOf(x, y);
      const rotation = rotations[source] ?? 0;
      code.get(STATE + source, CHANGE + (source % 5)).op(I64_XOR);
      if (rotation !== 0) code.i64Const(BigInt(rotation)).op(I64_ROTL);
      code.set(ROW + x);
    }
    for (const x of COLUMNS) {
      writeChi(code, x, y, complements);
      if (x + y === 0) code.get(CONSTANT).op(I64_XOR);
      code.set(NEXT + x + 5 * y);
    }
  }
  for (const lane of LANES) code.get(NEXT + lane).set(STATE + lane);
}

/** The lane that π moves to (x, y): the inverse of (x, y) → (y, 2x + 3y). */
function sourceOf(x: number, y: number): number {
  return ((x + 3 * y) % 5) + 5 * x;
}

/** Whether each lane is complemented before χ: its own complement and those of the parities that θ adds. */
function complementsBeforeChi(): readonly boolean[] {
  const parity = (x: number): boolean =>
    ROWS.filter((y) => COMPLEMENTED.has((x % 5) + 5 * y)).length % 2 === 1;
  return LANES.map((lane) => {
    const source = sourceOf(lane % 5, Math.floor(lane / 5));
    const isChanged = parity(source + 4) !== parity(source + 1);
    return COMPLEMENTED.has(source) !== isChanged;
  });
}

/**
 * Pushes a lane after χ: a ⊕ (¬b ∧ c) of the row's lanes from x on. Where b and c allow it without a negation, or the
 * result is to be complemented, it uses ¬(¬b ∧ c) = b ∨ ¬c.
 */
function writeChi(code: CodeWriter, x: number, y: number, complements: readonly boolean[]): void {
  const lane = (distance: number) => ({
    local: ROW + ((x + distance) % 5),
    isComplement: complements[((x + distance) % 5) + 5 * y] === true,
  });
  const [a, b, c] = [lane(0), lane(1), lane(2)];
  const isComplement = COMPLEMENTED.has(x + 5 * y);
  const isOr = b.isComplement === c.isComplement ? isComplement !== a.isComplement : c.isComplement;
  code.get(b.local);
  if (b.isComplement === isOr) writeNegation(code);
  code.get(c.local);
  if (c.isComplement !== isOr) writeNegation(code);
  const opcode = isOr ? I64_OR : I64_AND;
  code.op(opcode).get(a.local).op(I64_XOR);
  if ((a.isComplement !== isOr) !== isComplement) writeNegation(code);
}

function writeNegation(code: CodeWriter): void {
  code.i64Const(-1n).op(I64_XOR);
}

/** Rotation of each lane in ρ: triangular numbers along the walk of π. */
function rotationOffsets(): readonly number[] {
  const offsets = LANES.map(() => 0);
  let x = 1;
  let y = 0;
  for (let t = 0; t < 24; t++) {
    offsets[x + 5 * y] = (((t + 1) * (t + 2)) / 2) % 64;
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return offsets;
}

/** The constants of ι: bits of a linear feedback shift register at positions 2^j − 1. */
function roundConstants(): readonly bigint[] {
  let register = 1;
  const nextBit = (): boolean => {
    const bit = (register & 1) === 1;
    register <<= 1;
    if ((register & 0x100) !== 0) register ^= 0x171;
    return bit;
  };
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let j = 0; j <= 6; j++) {
      if (nextBit()) constant |= 1n << ((1n << BigInt(j)) - 1n);
    }
    return BigInt.asIntN(64, constant);
  });
}

/** Sets the round constant by a br_table over nested blocks. Inline, since a call would spill every lane. */
function writeRoundConstant(code: CodeWriter): void {
  code.open(OP.block);
  for (let round = 0; round < ROUNDS; round++) code.open(OP.block);
  code.get(ROUND).indexed(OP.brTable, ROUNDS - 1);
  for (let label = 0; label < ROUNDS; label++) code.u32(label);
  for (const [round, constant] of roundConstants().entries()) {
    code.end().i64Const(constant).set(CONSTANT);
    code.indexed(OP.br, ROUNDS - 1 - round);
  }
  code.end();
}

/** (pointer, count) → the lane of the last `count` input bytes there, 0 to 7, followed by the padding's first bit. */
function laneCode(): CodeWriter {
  const ACCUMULATED = 2;
  const code = new CodeWriter();
  code.i64Const(1n).get(1).i32Const(3).op(OP.i32Shl, OP.i64ExtendI32U, I64_SHL).set(ACCUMULATED);
  code.open(OP.block).open(OP.loop);
  code.get(1).op(OP.i32Eqz).indexed(OP.brIf, 1);
  code.get(1).i32Const(1).op(OP.i32Sub).set(1);
  code.get(0, 1).op(OP.i32Add).access(I64_LOAD8_U, 0);
  code.get(1).i32Const(3).op(OP.i32Shl, OP.i64ExtendI32U, I64_SHL);
  code.get(ACCUMULATED).op(I64_OR).set(ACCUMULATED);
  code.indexed(OP.br, 0).end().end();
  return code.get(ACCUMULATED).end();
}
