import type { PrepareVariant } from '../../../src/vm/engine.js';
import { type EngineLimits, LIMITS } from '../../../src/vm/wasm/engine-limits.js';
import { instrument } from '../../../src/vm/wasm/instrument.js';
import { EXPORTS } from '../../../src/vm/wasm/metered-interface.js';
import { trapKindOf } from '../../../src/vm/wasm/traps.js';
import { validateModule } from '../../../src/vm/wasm/validate.js';

/** Limits for modules run in the thread of a test, whose stack is smaller than a worker's. */
export const TEST_LIMITS: EngineLimits = { ...LIMITS, stackBytes: 256 * 1024, memoryPages: 1024 };

/** Outcome of an exported function: its results, or the kind of its trap. */
export type Ending = readonly (number | bigint)[] | string;

const PLENTY = 1n << 60n;

/** Any module of the subset, metered, with its own exports callable. */
export class MeteredModule {
  readonly #instance: WebAssembly.Instance;

  constructor(
    bytes: Uint8Array,
    imports: WebAssembly.Imports = {},
    limits: EngineLimits = TEST_LIMITS,
    variant: PrepareVariant = 'plain',
  ) {
    const validated = validateModule(bytes, limits, 'any');
    const metered = instrument(validated, { profile: 'any', variant, limits });
    this.#instance = new WebAssembly.Instance(new WebAssembly.Module(metered), imports);
    callExport(this.#instance, EXPORTS.load, []);
    this.#stackBytes = limits.stackBytes;
  }

  readonly #stackBytes: number;

  get instance(): WebAssembly.Instance {
    return this.#instance;
  }

  get memory(): WebAssembly.Memory | undefined {
    const memory = this.#instance.exports[EXPORTS.memory];
    return memory instanceof WebAssembly.Memory ? memory : undefined;
  }

  /** Calls an export with gas. Returns the outcome and the gas used. */
  call(name: string, args: readonly (number | bigint)[], gas = PLENTY): { ending: Ending; gasUsed: bigint } {
    const gasGlobal = this.#global(EXPORTS.gas);
    const stackGlobal = this.#global(EXPORTS.stack);
    gasGlobal.value = gas;
    stackGlobal.value = this.#stackBytes;
    const ending = endingOf(this.#instance, name, args);
    const left = BigInt(gasGlobal.value);
    if (ending === 'unreachable' && left < 0n) {
      return { ending: 'out_of_gas', gasUsed: gas };
    }
    if (ending === 'unreachable' && Number(stackGlobal.value) < 0) {
      return { ending: 'stack_overflow', gasUsed: gas - left };
    }
    return { ending, gasUsed: gas - left };
  }

  /** Resets the instance. Returns false if that is impossible. */
  reset(): boolean {
    return callExport(this.#instance, EXPORTS.reset, []) === 0;
  }

  #global(name: string): WebAssembly.Global {
    const global = this.#instance.exports[name];
    if (!(global instanceof WebAssembly.Global)) {
      throw new TypeError(`no global ${name}`);
    }
    return global;
  }
}

/** Calls an export of an instance that V8 runs without metering. */
export function endingOf(
  instance: WebAssembly.Instance,
  name: string,
  args: readonly (number | bigint)[],
): Ending {
  try {
    return resultsOf(callExport(instance, name, args));
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) {
      return trapKindOf(error) ?? `unknown trap: ${error.message}`;
    }
    if (error instanceof RangeError && error.message.includes('call stack')) {
      return 'host stack overflow';
    }
    throw error;
  }
}

function callExport(
  instance: WebAssembly.Instance,
  name: string,
  args: readonly (number | bigint)[],
): unknown {
  const exported = instance.exports[name];
  if (typeof exported !== 'function') {
    throw new TypeError(`no function ${name}`);
  }
  return exported(...args);
}

function resultsOf(value: unknown): readonly (number | bigint)[] {
  const values = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return values.map((each: unknown) => {
    if (typeof each !== 'number' && typeof each !== 'bigint') {
      throw new TypeError(`a result that is no number: ${String(each)}`);
    }
    return each;
  });
}
