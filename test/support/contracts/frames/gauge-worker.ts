/**
 * Measures the real stack use of modules, in a separate process so that V8's flags can be chosen. The main thread
 * passes modules to a thread with a stack of known size, which lets each recurse until that stack ends.
 */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { LIMITS } from '../../../../src/vm/wasm/engine-limits.js';
import { instrument } from '../../../../src/vm/wasm/instrument.js';
import { EXPORTS } from '../../../../src/vm/wasm/metered-interface.js';
import { validateModule } from '../../../../src/vm/wasm/validate.js';
import { ModuleRefused } from '../../../../src/wasm/module-refused.js';

/** Limits wider than the engine's, so that the results hold for other frames too. */
const WIDE = { ...LIMITS, parameters: 128, anyTypes: true };

export interface GaugeJob {
  readonly code: Uint8Array;
  /** True if the module runs as baseline code first and is optimized then. */
  readonly tiersUp: boolean;
}

export interface GaugeAnswer {
  /** Real bytes of stack per byte counted by the engine, or the reason for a missing figure. */
  readonly ratio: number | string;
}

const STACK_MB = 2;
/** Part of a worker's stack that Node reserves. */
const KEPT_BYTES = 192 * 1024;
const USABLE_BYTES = STACK_MB * 1024 * 1024 - KEPT_BYTES;
const COUNTED_BYTES = 2 ** 31 - 1;
/** Gas that ends modules that do not recurse, but lets frames of 16 bytes fill the stack. */
const MEASURED_GAS = 60_000_000n;

/**
 * Makes the optimizing compiler compile a function at once. Needs V8's native syntax, which not every gauge enables.
 */
const optimize = process.execArgv.includes('--allow-natives-syntax')
  ? (new Function('exported', '%WasmTierUpFunction(exported)') as (exported: unknown) => void)
  : () => {
      throw new TypeError('the process was not started to tier up');
    };

if (isMainThread) {
  const thread = new Worker(new URL(import.meta.url), { resourceLimits: { stackSizeMb: STACK_MB } });
  process.on('message', (job) => thread.postMessage(job));
  process.on('disconnect', () => process.exit(0));
  thread.on('message', (answer) => process.send?.(answer));
  thread.on('error', (error) => {
    throw error;
  });
} else {
  parentPort?.on('message', (job: GaugeJob) => {
    const answer: GaugeAnswer = { ratio: measure(job) };
    parentPort?.postMessage(answer);
  });
}

function measure({ code, tiersUp }: GaugeJob): number | string {
  Error.stackTraceLimit = 0;
  const prepared = prepare(code);
  if (typeof prepared === 'string') return prepared;
  const instance = new WebAssembly.Instance(new WebAssembly.Module(prepared), {});
  const { enter, [EXPORTS.gas]: gas, [EXPORTS.stack]: stack, [EXPORTS.load]: load } = instance.exports;
  if (
    typeof enter !== 'function' ||
    typeof load !== 'function' ||
    !(gas instanceof WebAssembly.Global) ||
    !(stack instanceof WebAssembly.Global)
  ) {
    throw new TypeError('the module cannot be entered');
  }
  load();
  /** @returns the bytes counted when the thread's stack ended, or another outcome of the call */
  const countedBytes = (rounds: number, gasLimit: bigint): number | string => {
    gas.value = gasLimit;
    stack.value = COUNTED_BYTES;
    try {
      enter(rounds);
      return 'returns';
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) return error.message;
      if (error instanceof RangeError && error.message.includes('call stack')) {
        return COUNTED_BYTES - Number(stack.value);
      }
      throw error;
    }
  };
  if (tiersUp) {
    // Run the calls first, so that frequent callees may be inlined.
    for (let round = 0; round < 20; round++) countedBytes(4, 100_000n);
    tierUp(instance);
  }
  const counted = countedBytes(COUNTED_BYTES, MEASURED_GAS);
  return typeof counted === 'string' ? counted : USABLE_BYTES / counted;
}

function prepare(code: Uint8Array): Uint8Array | string {
  try {
    const validated = validateModule(code, WIDE, 'any');
    return instrument(validated, { profile: 'any', variant: 'plain', limits: WIDE });
  } catch (error) {
    if (error instanceof ModuleRefused) return `refused: ${error.message}`;
    throw error;
  }
}

/** Makes the optimizing compiler compile every exported function, with the feedback so far. */
function tierUp(instance: WebAssembly.Instance): void {
  for (const exported of Object.values(instance.exports)) {
    if (typeof exported === 'function') optimize(exported);
  }
}
