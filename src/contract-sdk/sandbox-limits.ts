import { type EngineLimits, LIMITS, STACK_MARGIN } from '../vm/wasm/engine-limits.js';

/** Same share of the stack as in workers, but of the main thread's 984 KiB; enough for a few nested calls. */
export const SANDBOX_LIMITS: EngineLimits = { ...LIMITS, stackBytes: (984 * 1024) / STACK_MARGIN, depth: 8 };

/** Every limit on a module whose optimized code keeps {@link LIMITS}: unoptimized code with probes is larger in all respects. */
export const DEBUG_LIMITS: EngineLimits = {
  ...SANDBOX_LIMITS,
  codeBytes: 16 * LIMITS.codeBytes,
  tableEntries: 16 * LIMITS.tableEntries,
  types: 16 * LIMITS.types,
  functions: 16 * LIMITS.functions,
  globals: 16 * LIMITS.globals,
  segments: 16 * LIMITS.segments,
  // The limits of V8. The constructor of a struct with many fields is a function with many parameters.
  parameters: 1_000,
  anyTypes: true,
  locals: 50_000,
  moduleLocals: 16 * LIMITS.moduleLocals,
  nesting: 16 * LIMITS.nesting,
  branchTargets: 4 * LIMITS.branchTargets,
  flowWork: 16 * LIMITS.flowWork,
  functionMachineCode: 16 * LIMITS.functionMachineCode,
  machineCode: 16 * LIMITS.machineCode,
};
