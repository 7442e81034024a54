import { setFlagsFromString } from 'node:v8';
import { isMainThread, resourceLimits } from 'node:worker_threads';
import { EngineError } from './errors.js';
import { WORKER_STACK_MB } from './wasm/limits.js';

/** The `resourceLimits.stackSizeMb` of every thread that runs contracts. */
export const CONTRACT_STACK_MB = WORKER_STACK_MB;

/**
 * What V8 must be told before the first contract is compiled in a process that has threads for them. Newer versions
 * inline functions into their callers, whose frames then hold what is not called, and is not counted, on the way taken.
 */
export function disableWasmInlining(): void {
  setFlagsFromString('--no-wasm-inlining');
}

/**
 * Contracts may only run where the stack is as large as their limits assume: elsewhere it could end first, and how a
 * transaction ends would depend on the thread.
 * @throws EngineError `thread_stack_too_small`
 */
export function checkStackSize(): void {
  const stackMb = isMainThread ? 0 : (resourceLimits.stackSizeMb ?? 0);
  if (stackMb < CONTRACT_STACK_MB) {
    const what = isMainThread ? 'the main thread' : `a thread with a stack of ${stackMb} MiB`;
    throw new EngineError(
      'thread_stack_too_small',
      `contracts run in threads that were started with a stack of ${CONTRACT_STACK_MB} MiB, not in ${what}`,
    );
  }
}
