import { INSTRUCTIONS, type Instruction, OP } from '../../wasm/opcodes.js';

/**
 * The gas schedule: what everything that a contract does costs. The host functions' prices stand with their declarations in
 * `host-functions/`. One gas is about one nanosecond of the machine that the
 * bench `bench/vm.bench.ts` describes. Every number here is consensus; a change of one is a change of the protocol.
 */

/** Part of the key under which prepared code is kept: to be raised with every change of the schedule or instrumenter. */
export const SCHEDULE_VERSION = 9;

/** Classes of instructions by price. */
export const INSTRUCTION_GAS = Object.freeze({
  /** Only shape the code and compile to nothing: block, else, end, nop, drop, unreachable. */
  structure: 0,
  /** Constants, locals, arithmetic, comparisons, conversions, branches, and loops: V8 asks at each whether to stop. */
  simple: 1,
  multiply: 2,
  /** Globals. */
  global: 1,
  /** Loads and stores. */
  memory: 2,
  divide32: 8,
  divide64: 14,
  branchTable: 3,
  call: 4,
  indirectCall: 8,
  /** Before what memory.grow asks for. */
  memoryGrow: 30_000,
  /** Before the bytes of memory.copy, memory.fill and memory.init. */
  bulkMemory: 40,
  /** Before the entries of table.copy and table.init. */
  bulkTable: 60,
  /** data.drop and elem.drop. */
  drop: 20,
});

const GAS_BY_OPCODE: ReadonlyMap<number, number> = new Map(
  [...INSTRUCTIONS].map(([opcode, instruction]) => [opcode, gasOfInstruction(opcode, instruction)]),
);

/** What an instruction costs by itself. */
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
  switch (opcode) {
    case OP.block:
    case OP.else:
    case OP.end:
    case OP.nop:
    case OP.drop:
    case OP.unreachable:
      return GAS.structure;
    case OP.globalGet:
    case OP.globalSet:
      return GAS.global;
    case OP.brTable:
      return GAS.branchTable;
    case OP.call:
      return GAS.call;
    case OP.callIndirect:
      return GAS.indirectCall;
    case OP.memoryGrow:
      return GAS.memoryGrow;
    case OP.memoryInit:
    case OP.memoryCopy:
    case OP.memoryFill:
      return GAS.bulkMemory;
    case OP.tableInit:
    case OP.tableCopy:
      return GAS.bulkTable;
    case OP.dataDrop:
    case OP.elemDrop:
      return GAS.drop;
    default:
      return GAS.simple;
  }
}

/** What entering a function costs, in its first block. */
export const FUNCTION_GAS = Object.freeze({ entry: 2, perLocal: 1 });

/**
 * What the deepest point of a call's stack costs, by the bytes counted for its frames: where the call ends by a trap or
 * revert, V8 takes 150 to 350 ns to unwind each frame, of 136 bytes at least.
 */
export const STACK_GAS = Object.freeze({
  /** Bytes that cost nothing more: what calling a contract costs covers them. */
  freeBytes: 16 * 1024,
  /** Bytes beyond that for one gas, as a power of two. */
  bytesPerGasLog2: 1,
  /** Beside what is missing, so many bytes are paid at a time. */
  stepBytes: 4 * 1024,
});

/**
 * Pages of memory, paid before an instance gets them: first touches, clearing them at the end, giving them up. The first
 * few stay in the processor's caches from call to call; each beyond them takes the machine's memory anew.
 */
export const MEMORY_GAS = Object.freeze({ smallPages: 4, smallPage: 4_000, page: 20_000 });

/** What so many pages cost together. */
export function memoryGas(pages: number): number {
  const { smallPages, smallPage, page } = MEMORY_GAS;
  return smallPage * Math.min(pages, smallPages) + page * Math.max(0, pages - smallPages);
}

/**
 * What each access to memory costs beyond its instruction, while the instance has more than so many pages: no cache near
 * the processor holds them, and an access that nothing can predict waits for the machine's memory. The last that applies
 * counts.
 */
export const ACCESS_GAS = Object.freeze([
  { abovePages: 8, gas: 4 },
  { abovePages: 16, gas: 36 },
]);

/** What each access costs beyond its instruction in a memory of so many pages. */
export function accessGas(pages: number): number {
  return ACCESS_GAS.reduce((gas, step) => (pages > step.abovePages ? step.gas : gas), 0);
}

/** memory.copy, memory.fill and memory.init cost one gas for so many bytes; a power of two. */
export const BULK_BYTES_PER_GAS_LOG2 = 3;
/** table.copy and table.init, each entry. */
export const TABLE_ENTRY_GAS = 24;

/**
 * What entering a contract costs beside the pages of its memory, for making its instance ready and putting it back: the
 * same whether it is new or reused, so as much as a new one takes. It is asked for before anything is made.
 */
export const INSTANCE_GAS = Object.freeze({
  base: 8_000,
  /** The initial value of an i64 takes the host as long as a small function. */
  perGlobal32: 10,
  perGlobal64: 300,
  perTableEntry: 20,
  /** Segments of either kind, active or not. */
  perSegment: 50,
  /** Entries of element segments, active or not: the first use of a passive one makes all of them. */
  perElement: 50,
  perFunction: 3,
  /** Code that drops segments leaves an instance that cannot be put back: there is a new one each time. */
  dropped: 12_000,
  /** Bytes of active data segments that cost one gas, as a power of two. */
  dataBytesPerGasLog2: 3,
});

/**
 * Gas for each byte of the value that a slot holds. A block replaces and removes at most its gas limit divided by
 * `replaced`, which bounds its memory and what it adds to the history.
 */
export const STORED_BYTE_GAS = Object.freeze({
  /** The value is read, or its presence tested. */
  looked: 1,
  /** The value is replaced or removed. It goes to the history, at the price of a new byte in the state. */
  replaced: 16,
});

/** Of what a frame has left, the callee of a nested call gets at most all but one part in this many. */
export const CALL_GAS_RESERVE_PARTS = 64n;
