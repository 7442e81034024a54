import type { FramePurpose } from '../engine.js';
import { EngineError } from '../errors.js';
import { PAGE_BYTES } from './engine-limits.js';
import { ENTRY_BY_PURPOSE, EXPORTS, entryExport, MEMORY_FAULT } from './metered-interface.js';
import { STACK_GAS } from './schedule.js';

type EntryFunction = (gas: bigint, pages: number, stack: number, unpaidStack: number) => unknown;

/** One instance of a metered contract: its memory, counters, entry points and reset. */
export class WasmInstance {
  readonly #memory: WebAssembly.Memory;
  readonly #gas: WebAssembly.Global;
  readonly #stack: WebAssembly.Global;
  readonly #unpaidStack: WebAssembly.Global;
  readonly #reset: WebAssembly.ExportedFunction;
  readonly #invoke: EntryFunction | undefined;
  readonly #init: EntryFunction | undefined;
  readonly #migrate: EntryFunction | undefined;
  #bytes: Uint8Array;
  #view: DataView;

  /** @throws EngineError if V8 rejects the module it compiled, or has no memory */
  constructor(module: WebAssembly.Module, imports: WebAssembly.Imports) {
    const { exports } = instantiate(module, imports);
    this.#memory = expect(exports[EXPORTS.memory], WebAssembly.Memory, EXPORTS.memory);
    this.#gas = expect(exports[EXPORTS.gas], WebAssembly.Global, EXPORTS.gas);
    this.#stack = expect(exports[EXPORTS.stack], WebAssembly.Global, EXPORTS.stack);
    this.#unpaidStack = expect(exports[EXPORTS.unpaidStack], WebAssembly.Global, EXPORTS.unpaidStack);
    this.#reset = expectFunction(exports, EXPORTS.reset);
    this.#invoke = findFunction(exports, entryExport('invoke'));
    this.#init = findFunction(exports, entryExport('init'));
    this.#migrate = findFunction(exports, entryExport('migrate'));
    this.#bytes = new Uint8Array(this.#memory.buffer);
    this.#view = new DataView(this.#memory.buffer);
    expectFunction(exports, EXPORTS.load)();
  }

  /** The whole current memory. Do not keep it across a call into the instance, which may grow it. */
  get bytes(): Uint8Array {
    // Growing the memory detaches the buffer, which then has no bytes.
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.#memory.buffer);
    return this.#bytes;
  }

  get view(): DataView {
    if (this.#view.buffer !== this.bytes.buffer) this.#view = new DataView(this.#memory.buffer);
    return this.#view;
  }

  get pages(): number {
    return this.bytes.length / PAGE_BYTES;
  }

  /** Remaining gas; negative once it has run out. */
  get gas(): bigint {
    return BigInt(this.#gas.value);
  }

  set gas(gas: bigint) {
    this.#gas.value = gas;
  }

  /** Remaining stack budget above the running frame, in bytes. */
  get stack(): number {
    return Number(this.#stack.value) + Number(this.#unpaidStack.value);
  }

  get isStackExhausted(): boolean {
    return Number(this.#stack.value) < 0;
  }

  /** Whether the machine refused memory that the code was entitled to. */
  get isMemoryRefused(): boolean {
    return this.#stack.value === MEMORY_FAULT;
  }

  /**
   * Enters the contract.
   * @param pages maximum size of the contract's memory
   * @param stack maximum bytes of stack for the contract and everything it calls
   * @returns the contract's return value: 0 for success
   */
  enter(purpose: FramePurpose, gas: bigint, pages: number, stack: number): unknown {
    const run = purpose === 'call' ? this.#invoke : purpose === 'deploy' ? this.#init : this.#migrate;
    if (run === undefined) {
      throw new EngineError('missing_entry_point', `the contract has no ${ENTRY_BY_PURPOSE[purpose]}`);
    }
    const free = Math.min(stack, STACK_GAS.freeBytes);
    return run(gas, pages, free, stack - free);
  }

  /** Resets the instance to its initial state; false if that is impossible and it must be discarded. */
  reset(): boolean {
    return this.#reset() === 0;
  }
}

function instantiate(module: WebAssembly.Module, imports: WebAssembly.Imports): WebAssembly.Instance {
  try {
    return new WebAssembly.Instance(module, imports);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new EngineError('host_memory_exhausted', 'there is no memory for an instance', { cause: error });
    }
    const why = 'a prepared module cannot be instantiated';
    throw new EngineError('unexpected_host_behaviour', why, { cause: error });
  }
}

type Exports = WebAssembly.Instance['exports'];

function findFunction(exports: Exports, name: string): WebAssembly.ExportedFunction | undefined {
  const exported = exports[name];
  return typeof exported === 'function' ? exported : undefined;
}

function expectFunction(exports: Exports, name: string): WebAssembly.ExportedFunction {
  const exported = findFunction(exports, name);
  if (exported === undefined) {
    throw new EngineError('unusable_prepared_code', `prepared code has no function ${name}`);
  }
  return exported;
}

function expect<T>(value: unknown, type: new (...args: never[]) => T, name: string): T {
  if (value instanceof type) return value;
  throw new EngineError('unusable_prepared_code', `prepared code has no ${type.name.toLowerCase()} ${name}`);
}
