import { WORKER_STACK_MB } from './wasm/limits.js';

/** The `resourceLimits.stackSizeMb` of every thread that runs contracts. */
export const CONTRACT_STACK_MB = WORKER_STACK_MB;
