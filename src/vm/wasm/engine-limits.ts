import type { ModuleLimits } from '../../wasm/module.js';

/** Limits of the engine. All of them are consensus: a module or call over a limit ends the same way everywhere. */
export interface EngineLimits extends ModuleLimits {
  /** Maximum number of pages that the instances of one chain of nested calls may hold together. */
  readonly chainMemoryPages: number;
  /** Maximum depth of nested blocks in a function. */
  readonly nesting: number;
  /** Maximum number of targets of one br_table, excluding the default. */
  readonly branchTargets: number;
  /**
   * Limit on the work of checking and compiling a module: for every instruction that splits or joins control flow, the
   * locals and operands alive there plus the values it carries; for every call, its parameters and results.
   */
  readonly flowWork: number;
  /** Maximum machine code of a function in bytes (`machine-code-bound.ts`): V8 optimizes one function at a time. */
  readonly functionMachineCode: number;
  /** Maximum machine code of a module in bytes. */
  readonly machineCode: number;
  /** Bytes of stack that a transaction's whole tree of calls may use at a time, as the engine counts them. */
  readonly stackBytes: number;
  /** Maximum depth of nested calls. */
  readonly depth: number;
}

/** The `resourceLimits.stackSizeMb` of every thread that runs contracts. */
export const CONTRACT_STACK_MB = 128;

/**
 * Ratio of a thread's stack to the stack budget of its calls. Frames are weighed statically, by the worst case observed
 * of V8's compilers (`test/vm/frame-weight.test.ts` searches for worse and fails above a third of this). The rest is
 * for frames that are not counted: leaves, support functions, and the host's own.
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
  stackBytes: (CONTRACT_STACK_MB * 1024 * 1024) / STACK_MARGIN,
  depth: 64,
});

/**
 * Stack that a nested call uses in addition to the frames of its contract: the host's frames between the two
 * contracts, and V8's transitions into and out of WebAssembly. Measured at 1.0 to 2.5 KiB, depending on V8's version
 * and compiler (`test/vm/call-frames.test.ts`).
 */
export const CALL_FRAMES_BYTES = 8 * 1024;

/** Size of a WebAssembly memory page. */
export const PAGE_BYTES = 65_536;

/** Limits on data that crosses the host interface, in bytes. */
export const HOST_LIMITS = Object.freeze({
  storageValueBytes: 16 * 1024,
  outputBytes: 64 * 1024,
  eventTopics: 4,
  eventDataBytes: 16 * 1024,
  callInputBytes: 512 * 1024,
  logBytes: 16 * 1024,
});
