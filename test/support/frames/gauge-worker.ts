/**
 * Measures how much stack modules really take, in a process of its own so that V8's flags can be chosen for it. The main
 * thread hands modules on to a thread with a stack of known size, which lets each recurse until that stack ends.
 */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { instrument } from '../../../src/vm/wasm/instrument.js';
import { LIMITS } from '../../../src/vm/wasm/limits.js';
import { EXPORTS } from '../../../src/vm/wasm/metered-interface.js';
import { validateModule } from '../../../src/vm/wasm/validate.js';
import { ModuleRefused } from '../../../src/wasm/module-refused.js';

/** Types that are not taken: what holds for their frames holds for others'. */
const WIDE = { ...LIMITS, parameters: 128, anyTypes: true };

export interface GaugeJob {
  readonly code: Uint8Array;
  /** Whether it is run as the baseline compiler makes it, and optimised then. */
  readonly tiersUp: boolean;
}

export interface GaugeAnswer {
  /** Real bytes of stack for each byte that the engine counted; or why that cannot be said. */
  readonly ratio: number | string;
}

const STACK_MB = 2;
/** What Node keeps back of a worker's stack. */
const KEPT_BYTES = 192 * 1024;
const USABLE_BYTES = STACK_MB * 1024 * 1024 - KEPT_BYTES;
const COUNTED_BYTES = 2 ** 31 - 1;
/** Ends what does not recurse; frames of 16 bytes would fill the stack with it. */
const MEASURED_GAS = 60_000_000n;

/** Has the optimising compiler make a function at once. Needs V8's own syntax, which not every gauge is started with. */
const optimise = process.execArgv.includes('--allow-natives-syntax')
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
  /** @returns bytes counted when the thread's stack ended, or how the call ended otherwise */
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
    // Calls are seen before, so that what is called much may be inlined.
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

/** Has the optimising compiler make every function that is exported, with what was seen of it so far. */
function tierUp(instance: WebAssembly.Instance): void {
  for (const exported of Object.values(instance.exports)) {
    if (typeof exported === 'function') optimise(exported);
  }
}
