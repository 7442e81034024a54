import { setFlagsFromString } from 'node:v8';
import { isMainThread, resourceLimits } from 'node:worker_threads';
import { EngineError } from './errors.js';
import { CONTRACT_STACK_MB } from './wasm/engine-limits.js';

/**
 * Flags that stop V8 from inlining WebAssembly functions, as it has done since Node 24. An inlined function takes
 * stack in its caller's frame even on paths that never call it, and that stack is not counted. Both flags are needed:
 * with only the second set at run time, Node 26 crashes at the next indirect call.
 */
export const NO_WASM_INLINING: readonly string[] =
  Number(process.versions.node.split('.')[0]) < 24
    ? []
    : ['--no-wasm-inlining-call-indirect', '--no-wasm-inlining'];

/** Sets {@link NO_WASM_INLINING}; a process calls it before it compiles its first contract. */
export function disableWasmInlining(): void {
  for (const flag of NO_WASM_INLINING) setFlagsFromString(flag);
}

/**
 * Checks that the stack is as large as the contract limits assume. On a smaller one it could overflow first, and the
 * result of a transaction would depend on the thread.
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
