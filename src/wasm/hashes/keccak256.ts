import { CodeWriter } from '../code-writer.js';
import { I32, I64, OP } from '../opcodes.js';
import {
  type FunctionSink,
  HASH_PARAMS,
  HASH_RESULTS,
  LENGTH,
  OUT,
  POINTER,
  writeAccess,
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
  for (const index of COMPLEMENTED) code.i64Const(-1n).indexed(OP.localSet, STATE + index);
  code.raw(OP.loop, 0x40);
  code.indexed(OP.localGet, LENGTH).i32Const(RATE_BYTES).op(OP.i32LtU).indexed(OP.localTee, IS_LAST).if();
  writeLastLanes(code, lane);
  code.i64Const(-(1n << 63n));
  writeXorInto(code, RATE_LANES - 1);
  code.op(OP.else);
  for (let index = 0; index < RATE_LANES; index++) {
    code.indexed(OP.localGet, POINTER);
    writeAccess(code, I64_LOAD, 8 * index);
    writeXorInto(code, index);
  }
  code.end();
  code.i32Const(0).indexed(OP.localSet, ROUND);
  code.raw(OP.loop, 0x40);
  writeRound(code);
  code.indexed(OP.localGet, ROUND).i32Const(1).op(OP.i32Add).indexed(OP.localTee, ROUND);
  code.i32Const(ROUNDS).op(OP.i32LtU).indexed(OP.brIf, 0).end();
  code.indexed(OP.localGet, POINTER).i32Const(RATE_BYTES).op(OP.i32Add).indexed(OP.localSet, POINTER);
  code.indexed(OP.localGet, LENGTH).i32Const(RATE_BYTES).op(OP.i32Sub).indexed(OP.localSet, LENGTH);
  code.indexed(OP.localGet, IS_LAST).op(OP.i32Eqz).indexed(OP.brIf, 0).end();
  for (let index = 0; index < 4; index++) {
    code.indexed(OP.localGet, OUT).indexed(OP.localGet, STATE + index);
    if (COMPLEMENTED.has(index)) writeNegation(code);
    writeAccess(code, I64_STORE, 8 * index);
  }
  code.i32Const(1).end();
  const lanes = Array.from({ length: ROUND - STATE }, () => I64);
  return functions.add(HASH_PARAMS, HASH_RESULTS, [...lanes, I32, I32, I64], code);
}

/** Absorbs the lanes of the last block, up to the one with the padding's first bit. */
function writeLastLanes(code: CodeWriter, lane: number): void {
  code.raw(OP.block, 0x40);
  for (let index = 0; index < RATE_LANES; index++) {
    code
      .indexed(OP.localGet, LENGTH)
      .i32Const(8 * index + 8)
      .op(OP.i32GeS)
      .if();
    code.indexed(OP.localGet, POINTER);
    writeAccess(code, I64_LOAD, 8 * index);
    writeXorInto(code, index);
    code.op(OP.else);
    code
      .indexed(OP.localGet, POINTER)
      .i32Const(8 * index)
      .op(OP.i32Add);
    code
      .indexed(OP.localGet, LENGTH)
      .i32Const(8 * index)
      .op(OP.i32Sub)
      .indexed(OP.call, lane);
    writeXorInto(code, index);
    code.indexed(OP.br, 1).end();
  }
  code.end();
}

/** Xors the value on the stack into a lane. */
function writeXorInto(code: CodeWriter, index: number): void {
  code
    .indexed(OP.localGet, STATE + index)
    .op(I64_XOR)
    .indexed(OP.localSet, STATE + index);
}

/** θ, then row by row ρ, π and χ, with ι in the first row. */
function writeRound(code: CodeWriter): void {
  const get = (local: number): CodeWriter => code.indexed(OP.localGet, local);
  writeRoundConstant(code);
  for (const x of COLUMNS) {
    get(STATE + x);
    for (const y of [1, 2, 3, 4]) get(STATE + x + 5 * y).op(I64_XOR);
    code.indexed(OP.localSet, PARITY + x);
  }
  for (const x of COLUMNS) {
    get(PARITY + ((x + 4) % 5));
    get(PARITY + ((x + 1) % 5))
      .i64Const(1n)
      .op(I64_ROTL)
      .op(I64_XOR)
      .indexed(OP.localSet, CHANGE + x);
  }
  const rotations = rotationOffsets();
  const complements = complementsBeforeChi();
  for (const y of ROWS) {
    for (const x of COLUMNS) {
      const source = sourceOf(x, y);
      const rotation = rotations[source] ?? 0;
      get(STATE + source);
      get(CHANGE + (source % 5)).op(I64_XOR);
      if (rotation !== 0) code.i64Const(BigInt(rotation)).op(I64_ROTL);
      code.indexed(OP.localSet, ROW + x);
    }
    for (const x of COLUMNS) {
      writeChi(code, x, y, complements);
      if (x + y === 0) get(CONSTANT).op(I64_XOR);
      code.indexed(OP.localSet, NEXT + x + 5 * y);
    }
  }
  for (const lane of LANES) get(NEXT + lane).indexed(OP.localSet, STATE + lane);
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
  code.indexed(OP.localGet, b.local);
  if (b.isComplement === isOr) writeNegation(code);
  code.indexed(OP.localGet, c.local);
  if (c.isComplement !== isOr) writeNegation(code);
  code
    .op(isOr ? I64_OR : I64_AND)
    .indexed(OP.localGet, a.local)
    .op(I64_XOR);
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
  code.raw(OP.block, 0x40);
  for (let round = 0; round < ROUNDS; round++) code.raw(OP.block, 0x40);
  code
    .indexed(OP.localGet, ROUND)
    .op(OP.brTable)
    .u32(ROUNDS - 1);
  for (let label = 0; label < ROUNDS; label++) code.u32(label);
  for (const [round, constant] of roundConstants().entries()) {
    code.end().i64Const(constant).indexed(OP.localSet, CONSTANT);
    code.indexed(OP.br, ROUNDS - 1 - round);
  }
  code.end();
}

/** (pointer, count) → the lane of the last `count` input bytes there, 0 to 7, followed by the padding's first bit. */
function laneCode(): CodeWriter {
  const ACCUMULATED = 2;
  const code = new CodeWriter();
  code.i64Const(1n).indexed(OP.localGet, 1).i32Const(3).op(OP.i32Shl).op(OP.i64ExtendI32U).op(I64_SHL);
  code.indexed(OP.localSet, ACCUMULATED);
  code.raw(OP.block, 0x40, OP.loop, 0x40);
  code.indexed(OP.localGet, 1).op(OP.i32Eqz).indexed(OP.brIf, 1);
  code.indexed(OP.localGet, 1).i32Const(1).op(OP.i32Sub).indexed(OP.localSet, 1);
  code.indexed(OP.localGet, 0).indexed(OP.localGet, 1).op(OP.i32Add);
  writeAccess(code, I64_LOAD8_U, 0);
  code.indexed(OP.localGet, 1).i32Const(3).op(OP.i32Shl).op(OP.i64ExtendI32U).op(I64_SHL);
  code.indexed(OP.localGet, ACCUMULATED).op(I64_OR).indexed(OP.localSet, ACCUMULATED);
  code.indexed(OP.br, 0).end().end();
  return code.indexed(OP.localGet, ACCUMULATED).end();
}
