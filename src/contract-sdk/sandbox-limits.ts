import { type EngineLimits, LIMITS, STACK_MARGIN } from '../vm/wasm/limits.js';

/** Same share of the stack as in workers, but of the main thread's 984 KiB; enough for a few nested calls. */
export const SANDBOX_LIMITS: EngineLimits = { ...LIMITS, stackBytes: (984 * 1024) / STACK_MARGIN, depth: 8 };

/** Unoptimized code with probes is larger. */
export const DEBUG_LIMITS: EngineLimits = {
  ...SANDBOX_LIMITS,
  codeBytes: 16 * LIMITS.codeBytes,
  functionMachineCode: 16 * LIMITS.functionMachineCode,
  machineCode: 16 * LIMITS.machineCode,
};
