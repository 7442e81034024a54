/**
 * The gas schedule: what everything that a contract does costs. One gas is about one nanosecond of the machine that the
 * bench `bench/vm.bench.ts` describes. Every number here is consensus; a change of one is a change of the protocol.
 */

/** Part of the key under which prepared code is kept: to be raised with every change of the schedule or instrumenter. */
export const SCHEDULE_VERSION = 8;

/** Classes of instructions by price. */
export const INSTRUCTION_GAS = Object.freeze({
  /** Only shape the code and compile to nothing: block, else, end, nop, drop, unreachable. */
  structure: 0,
  /** Constants, locals, arithmetic, comparisons, conversions, branches. */
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

/** What a call of a host function costs. */
export interface HostPrice {
  readonly base: number;
  /** Gas for each unit of a parameter: a length in bytes or a number of things. */
  readonly perUnit?: readonly { readonly parameter: number; readonly gas: number }[];
  /** Gas for each unit of a result above zero: bytes copied or found. */
  readonly perResult?: number;
}

/** Prices of the host interface, by function. */
export const HOST_GAS = Object.freeze({
  storage_read: { base: 6_000, perResult: 1 },
  storage_write: { base: 20_000, perUnit: [{ parameter: 2, gas: 16 }] },
  storage_remove: { base: 10_000 },
  storage_exists: { base: 6_000 },
  input_size: { base: 30 },
  input_read: { base: 100, perUnit: [{ parameter: 2, gas: 1 }] },
  // By the byte, as events: so much that what a full block of 500,000,000 gas leaves in receipts stays under 16 MiB.
  set_output: { base: 100, perUnit: [{ parameter: 1, gas: 32 }] },
  revert: { base: 100, perUnit: [{ parameter: 1, gas: 32 }] },
  caller: { base: 60 },
  origin: { base: 60 },
  self: { base: 60 },
  value: { base: 100 },
  balance: { base: 8_000 },
  transfer: { base: 20_000 },
  call: { base: 10_000, perUnit: [{ parameter: 4, gas: 1 }] },
  view: { base: 10_000, perUnit: [{ parameter: 3, gas: 1 }] },
  returned_size: { base: 30 },
  returned_read: { base: 100, perUnit: [{ parameter: 2, gas: 1 }] },
  emit: {
    base: 3_200,
    perUnit: [
      { parameter: 1, gas: 1_024 },
      { parameter: 3, gas: 32 },
    ],
  },
  sha256: { base: 400, perUnit: [{ parameter: 1, gas: 2 }] },
  // By the byte, what the host takes for inputs longer than the contract's own function does.
  blake3: { base: 300, perUnit: [{ parameter: 1, gas: 24 }] },
  keccak256: { base: 400, perUnit: [{ parameter: 1, gas: 4 }] },
  ed25519_verify: { base: 80_000, perUnit: [{ parameter: 1, gas: 4 }] },
  secp256k1_recover: { base: 300_000 },
  bls_verify: { base: 4_000_000, perUnit: [{ parameter: 1, gas: 4 }] },
  block_height: { base: 40 },
  block_timestamp_ms: { base: 40 },
  chain_id: { base: 40 },
  gas_left: { base: 10 },
  log: { base: 100, perUnit: [{ parameter: 1, gas: 1 }] },
} satisfies Record<string, HostPrice>);

/** Of what a frame has left, the callee of a nested call gets at most all but one part in this many. */
export const CALL_GAS_RESERVE_PARTS = 64n;
