import { INSTRUCTIONS, type Instruction, OP } from '../../wasm/opcodes.js';

/**
 * The gas schedule: the price of everything a contract does. The prices of host functions are with their declarations
 * in `host-functions/`. One gas is about one nanosecond on the machine described in `bench/vm.bench.ts`. Every number
 * here is consensus: changing one changes the protocol.
 */

/** Part of the key of stored prepared code: increment it with every change of the schedule or instrumenter. */
export const SCHEDULE_VERSION = 9;

/** Classes of instructions by price. */
export const INSTRUCTION_GAS = Object.freeze({
  /** Instructions that only shape the code and compile to nothing: block, else, end, nop, drop, unreachable. */
  structure: 0,
  /** Constants, locals, arithmetic, comparisons, conversions, branches, and loops, where V8 checks for interrupts. */
  simple: 1,
  multiply: 2,
  global: 1,
  memory: 2,
  divide32: 8,
  divide64: 14,
  branchTable: 3,
  call: 4,
  indirectCall: 8,
  /** Base price of memory.grow; the requested pages cost extra. */
  memoryGrow: 30_000,
  /** Base price of memory.copy, memory.fill and memory.init; the bytes cost extra. */
  bulkMemory: 40,
  /** Base price of table.copy and table.init; the entries cost extra. */
  bulkTable: 60,
  /** data.drop and elem.drop. */
  drop: 20,
});

/** Instructions that are priced on their own. */
const OWN_GAS: ReadonlyMap<number, number> = new Map([
  ...[OP.block, OP.else, OP.end, OP.nop, OP.drop, OP.unreachable].map(
    (opcode) => [opcode, INSTRUCTION_GAS.structure] as const,
  ),
  [OP.globalGet, INSTRUCTION_GAS.global],
  [OP.globalSet, INSTRUCTION_GAS.global],
  [OP.brTable, INSTRUCTION_GAS.branchTable],
  [OP.call, INSTRUCTION_GAS.call],
  [OP.callIndirect, INSTRUCTION_GAS.indirectCall],
  [OP.memoryGrow, INSTRUCTION_GAS.memoryGrow],
  [OP.memoryInit, INSTRUCTION_GAS.bulkMemory],
  [OP.memoryCopy, INSTRUCTION_GAS.bulkMemory],
  [OP.memoryFill, INSTRUCTION_GAS.bulkMemory],
  [OP.tableInit, INSTRUCTION_GAS.bulkTable],
  [OP.tableCopy, INSTRUCTION_GAS.bulkTable],
  [OP.dataDrop, INSTRUCTION_GAS.drop],
  [OP.elemDrop, INSTRUCTION_GAS.drop],
]);

const GAS_BY_OPCODE: ReadonlyMap<number, number> = new Map(
  [...INSTRUCTIONS].map(([opcode, instruction]) => [opcode, gasOfInstruction(opcode, instruction)]),
);

/** Returns the price of an instruction by itself. */
export function instructionGas(opcode: number): number {
  const gas = GAS_BY_OPCODE.get(opcode);
  if (gas === undefined) throw new TypeError(`opcode 0x${opcode.toString(16)} is not in the subset`);
  return gas;
}

function gasOfInstruction(opcode: number, { name, immediate }: Instruction): number {
  const GAS = INSTRUCTION_GAS;
  if (immediate === 'memory access') return GAS.memory;
  if (/\.(div|rem)_/.test(name)) return name.startsWith('i32') ? GAS.divide32 : GAS.divide64;
  if (name.endsWith('.mul')) return GAS.multiply;
  return OWN_GAS.get(opcode) ?? GAS.simple;
}

/** Price of entering a function, charged with its first run. */
export const FUNCTION_GAS = Object.freeze({ entry: 2, perLocal: 1 });

/**
 * Price of the deepest point of a call's stack, by the bytes counted for its frames: on a trap or revert V8 takes 150
 * to 350 ns to unwind each frame, and each frame counts at least 136 bytes.
 */
export const STACK_GAS = Object.freeze({
  /** Bytes without an extra charge: the price of calling a contract covers them. */
  freeBytes: 16 * 1024,
  /** Bytes per gas beyond that, as a power of two. */
  bytesPerGasLog2: 1,
  /** Number of bytes charged in advance, on top of the shortfall. */
  stepBytes: 4 * 1024,
});

/**
 * Price of memory pages, paid before an instance gets them. It covers the first touch of each page, clearing the
 * pages at the end, and releasing them. The first few pages stay in the processor's caches from call to call; each
 * further page is new memory from the machine.
 */
export const MEMORY_GAS = Object.freeze({ smallPages: 4, smallPage: 4_000, page: 20_000 });

/** Returns the price of a number of pages. */
export function memoryGas(pages: number): number {
  const { smallPages, smallPage, page } = MEMORY_GAS;
  return smallPage * Math.min(pages, smallPages) + page * Math.max(0, pages - smallPages);
}

/**
 * Surcharge on each memory access while the instance has more than the given pages: no cache near the processor holds
 * them all, and an unpredictable access waits for main memory. The last matching step applies.
 */
export const ACCESS_GAS = Object.freeze([
  { abovePages: 8, gas: 4 },
  { abovePages: 16, gas: 36 },
]);

/** Returns the surcharge on each access in a memory of the given size. */
export function accessGas(pages: number): number {
  return ACCESS_GAS.reduce((gas, step) => (pages > step.abovePages ? step.gas : gas), 0);
}

/** Bytes of memory.copy, memory.fill and memory.init per gas, as a power of two. */
export const BULK_BYTES_PER_GAS_LOG2 = 3;
/** Price of each entry of table.copy and table.init. */
export const TABLE_ENTRY_GAS = 24;

/**
 * Price of entering a contract in addition to its memory pages, for preparing and resetting its instance. New and
 * reused instances cost the same: the price of a new one. It is charged before anything is prepared.
 */
export const INSTANCE_GAS = Object.freeze({
  base: 8_000,
  /** The host takes as long for the initial value of an i64 as for a small function. */
  perGlobal32: 10,
  perGlobal64: 300,
  perTableEntry: 20,
  /** Segments of either kind, active or not. */
  perSegment: 50,
  /** Entries of element segments, active or not: the first use of a passive one creates all of them. */
  perElement: 50,
  perFunction: 3,
  /** An instance whose code drops segments cannot be reset: each call needs a new one. */
  dropped: 12_000,
  /** Bytes of active data segments per gas, as a power of two. */
  dataBytesPerGasLog2: 3,
});

/**
 * Gas per byte of a slot's current value. A block replaces and removes at most its gas limit divided by `replaced`,
 * which bounds its memory and its growth of the history.
 */
export const STORED_BYTE_GAS = Object.freeze({
  /** The value is read, or its presence tested: the store reads all of it, maybe from a compressed file. */
  looked: 2,
  /** The value is replaced or removed. It moves to the history, at the price of a new byte in the state. */
  replaced: 16,
});

/** A nested call leaves the caller at least one part in this many of its remaining gas. */
export const CALL_GAS_RESERVE_PARTS = 64n;
