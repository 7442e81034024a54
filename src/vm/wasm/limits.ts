import type { ModuleLimits } from '../../wasm/module-limits.js';

/** What the engine takes on. All of it is consensus: a module or call over a limit ends the same way everywhere. */
export interface EngineLimits extends ModuleLimits {
  /** Pages of all instances that one chain of nested calls may hold at a time. */
  readonly chainMemoryPages: number;
  /** How deep blocks may nest in a function. */
  readonly nesting: number;
  /** Targets of one br_table, the default not counted. */
  readonly branchTargets: number;
  /**
   * Bound on what checking and compiling a module takes: the sum, over every instruction that splits or joins the flow of
   * control, of the locals and operands alive there and the values that it takes along; and of the parameters and results
   * of every call.
   */
  readonly flowWork: number;
  /** Machine code of one function in bytes, as `machine-code.ts` bounds it: the optimising compiler takes one at a time. */
  readonly functionMachineCode: number;
  /** Machine code of a module. */
  readonly machineCode: number;
  /** Bytes of stack that a transaction's whole tree of calls may use at a time, as the engine counts them. */
  readonly stackBytes: number;
  /** How many calls may be nested in each other. */
  readonly depth: number;
}

/** The `resourceLimits.stackSizeMb` of every thread that runs contracts. */
export const WORKER_STACK_MB = 128;

/**
 * How many times larger a thread's stack is than the budget of the calls on it. Frames are weighed statically, by the worst
 * that V8's compilers were seen to make (`test/vm/frame-weight.test.ts` searches for worse and fails above a third of
 * this). The rest is for frames that are not counted: leaves, support functions, and the host's own.
 */
export const STACK_MARGIN = 8;

export const LIMITS: EngineLimits = Object.freeze({
  codeBytes: 256 * 1024,
  memoryPages: 256,
  chainMemoryPages: 1024,
  tableEntries: 16_384,
  types: 512,
  functions: 16_384,
  globals: 4_096,
  exports: 4_096,
  segments: 4_096,
  parameters: 15,
  anyTypes: false,
  locals: 4_096,
  moduleLocals: 1_000_000,
  nesting: 1_024,
  branchTargets: 16_384,
  flowWork: 1_000_000,
  functionMachineCode: 4 * 1024 * 1024,
  machineCode: 16 * 1024 * 1024,
  stackBytes: (WORKER_STACK_MB * 1024 * 1024) / STACK_MARGIN,
  depth: 64,
});

/**
 * What a nested call takes of the stack budget beside the frames of its contract: the host's own frames between the two
 * contracts, and those of V8's passages into and out of WebAssembly. They were measured at 1.0 to 2.5 KiB, by V8's
 * version and what compiled them (`test/vm/call-frames.test.ts`).
 */
export const CALL_FRAMES_BYTES = 8 * 1024;

/** Bytes of a page of WebAssembly memory. */
export const PAGE_BYTES = 65_536;

/** Limits of what goes over the host interface, in bytes. */
export const HOST_LIMITS = Object.freeze({
  storageValueBytes: 16 * 1024,
  outputBytes: 64 * 1024,
  eventTopics: 4,
  eventDataBytes: 16 * 1024,
  callInputBytes: 512 * 1024,
  logBytes: 16 * 1024,
});
