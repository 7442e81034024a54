import { ModuleRefused } from '../../wasm/module-refused.js';
import type {
  CallObserver,
  CallOutcome,
  CallStatus,
  CheckedCode,
  CodeSize,
  Engine,
  Frame,
  HostState,
  PrepareVariant,
  Program,
  Trap,
} from '../engine.js';
import { CodeRefused, EngineError } from '../errors.js';
import type { HostCrypto } from '../host-crypto.js';
import { Activation, HostTrap, OutOfGasSignal, RevertSignal } from './activation.js';
import { type EngineLimits, LIMITS } from './engine-limits.js';
import { Host } from './host-interface.js';
import { InstancePool } from './instances.js';
import { instrument } from './instrument.js';
import { purposesOf } from './metered-interface.js';
import { ModuleCache } from './module-cache.js';
import { CODE_VERSION, factsInBytes } from './prepared-code.js';
import { WasmProgram } from './program.js';
import { backtraceOf, positionsOf, TRAP_MESSAGES, type TrapKind, trapKindOf } from './traps.js';
import { type ValidatedModule, validateModule } from './validate.js';

/** A thread's share of the process's resources, see `thread-shares.ts`. */
export interface EngineShare {
  /** Maximum number of live instances; 1,024 if absent. */
  readonly instances?: number | undefined;
  /** Machine code budget of the compiled programs in bytes; 128 MiB if absent. */
  readonly codeBytes?: number | undefined;
}

export interface WasmEngineOptions extends EngineShare {
  readonly crypto: HostCrypto;
  /** Consensus: override only in tests. */
  readonly limits?: EngineLimits;
}

const MAX_IDLE_BYTES = 256 * 1024 * 1024;
const DEFAULT_INSTANCES = 1_024;
const DEFAULT_CODE_BYTES = 128 * 1024 * 1024;
const NO_BYTES = new Uint8Array(0);
const FIRST_EXCESSIVE_GAS = 1n << 63n;
const FIRST_EXCESSIVE_VALUE = 1n << 128n;

/** The engine for WebAssembly contracts, run by V8. One per thread. */
export class WasmEngine implements Engine {
  readonly preparedVersion = CODE_VERSION;
  readonly #limits: EngineLimits;
  readonly #host: Host;
  readonly #pool: InstancePool;
  readonly #cache: ModuleCache;

  constructor(options: WasmEngineOptions) {
    this.#limits = options.limits ?? LIMITS;
    this.#host = new Host(options.crypto, this.#limits);
    this.#pool = new InstancePool({
      imports: this.#host.imports,
      maxIdleBytes: MAX_IDLE_BYTES,
      maxIdlePerProgram: this.#limits.depth,
      maxInstances: options.instances ?? DEFAULT_INSTANCES,
    });
    const codeBytes = options.codeBytes ?? DEFAULT_CODE_BYTES;
    this.#cache = new ModuleCache(codeBytes, (program) => this.#pool.retire(program));
  }

  validate(code: Uint8Array): CheckedCode {
    const validated = validateContract(code, this.#limits);
    return {
      ...purposesOf([...validated.entryPoints.keys()]),
      machineCode: validated.machineCode,
      prepare: (variant = 'plain') =>
        instrument(validated, { variant, profile: 'contract', limits: this.#limits }),
    };
  }

  inspect(prepared: Uint8Array): CodeSize {
    return factsInBytes(prepared);
  }

  find(codeHash: Uint8Array, variant: PrepareVariant = 'plain'): Program | undefined {
    return this.#cache.find(codeHash, variant);
  }

  load(codeHash: Uint8Array, prepared: Uint8Array, variant: PrepareVariant = 'plain'): Program {
    return this.#cache.load(codeHash, prepared, variant);
  }

  /** Hot: its overhead above the contract's own work is guarded by `bench/micro/contract-entry.bench.ts`. */
  call(program: Program, frame: Frame, host: HostState, observer?: CallObserver, entryGas = 0n): CallOutcome {
    const own = expectOwn(program);
    checkFrame(frame, this.#limits);
    if (observer === undefined) return this.#run(own, frame, host, undefined, entryGas);
    observer.frameEntered?.(frame);
    const outcome = this.#run(own, frame, host, observer, entryGas);
    observer.frameLeft?.(frame, outcome);
    return outcome;
  }

  #run(
    program: WasmProgram,
    frame: Frame,
    host: HostState,
    observer: CallObserver | undefined,
    entryGas: bigint,
  ): CallOutcome {
    if (frame.gas < program.instanceGas + entryGas) {
      // No instance is prepared for a frame that cannot pay for it. The contract charges the price itself on entry.
      return outcomeOf('out_of_gas', frame.gas);
    }
    const parent = this.#host.active;
    const pagesBelow = parent === undefined ? 0 : parent.pagesBelow + parent.instance.pages;
    const stack = parent === undefined ? this.#limits.stackBytes : parent.calleeStack;
    const { facts } = program;
    const pagesLeft = this.#limits.chainMemoryPages - pagesBelow;
    if (facts.initialPages > pagesLeft) {
      const message = `${TRAP_MESSAGES.host_limit}: the chain of calls holds ${pagesBelow} pages of memory`;
      return outcomeOf('trapped', entryGas, NO_BYTES, { kind: 'host_limit', message, backtrace: [] });
    }
    const instance = this.#pool.acquire(program);
    const activation = new Activation(frame, host, observer, program, instance, parent, pagesBelow);
    this.#host.active = activation;
    let outcome: CallOutcome | undefined;
    try {
      const gas = entryGas === 0n ? frame.gas : frame.gas - entryGas;
      const result = instance.enter(frame.purpose, gas, Math.min(facts.maxPages, pagesLeft), stack);
      const status = result === 0 ? 'success' : 'reverted';
      outcome = outcomeOf(status, frame.gas - instance.gas, activation.output);
    } catch (error) {
      // If this throws, the instance is not reused: its state is unknown.
      outcome = endOf(error, activation);
      if (observer?.frameStopped !== undefined && error instanceof Error) {
        observer.frameStopped(frame, positionsOf(error.stack, facts, program.names));
      }
    } finally {
      this.#host.active = parent;
      if (outcome === undefined) this.#pool.discard(instance);
    }
    this.#pool.release(program, instance);
    return outcome;
  }
}

function validateContract(code: Uint8Array, limits: EngineLimits): ValidatedModule {
  try {
    return validateModule(code, limits, 'contract');
  } catch (error) {
    if (!(error instanceof ModuleRefused)) throw error;
    throw new CodeRefused(error.rule, error.message, { cause: error });
  }
}

function outcomeOf(
  status: CallStatus,
  gasUsed: bigint,
  output: Uint8Array = NO_BYTES,
  trap?: Trap,
): CallOutcome {
  return { status, gasUsed, output, trap };
}

/** Returns the outcome of a frame that ended with an exception. @throws any error not caused by the contract */
function endOf(error: unknown, activation: Activation): CallOutcome {
  const { frame, instance, output } = activation;
  if (error instanceof RevertSignal) return outcomeOf('reverted', frame.gas - instance.gas, output);
  if (error instanceof OutOfGasSignal) return outcomeOf('out_of_gas', frame.gas);
  if (error instanceof HostTrap) return trapped(activation, error.kind, error.message, error.stack);
  if (error instanceof WebAssembly.RuntimeError) return endOfTrap(error, activation);
  if (error instanceof RangeError && error.message.includes('call stack')) {
    const why = "the thread's stack overflowed before the engine's limit: start it with a larger one";
    throw new EngineError('host_stack_exhausted', why, { cause: error });
  }
  throw error;
}

function endOfTrap(error: WebAssembly.RuntimeError, activation: Activation): CallOutcome {
  const { frame, instance } = activation;
  if (instance.gas < 0n) return outcomeOf('out_of_gas', frame.gas);
  const cause = { cause: error };
  if (instance.isMemoryRefused) {
    const why = 'the machine refused memory that the contract paid for';
    throw new EngineError('host_memory_exhausted', why, cause);
  }
  const kind = instance.isStackExhausted ? 'stack_overflow' : trapKindOf(error);
  if (kind === undefined) {
    throw new EngineError(
      'unexpected_host_behaviour',
      `V8 trapped in an unknown way: ${error.message}`,
      cause,
    );
  }
  return trapped(activation, kind, TRAP_MESSAGES[kind], error.stack);
}

function trapped(
  { frame, instance, program }: Activation,
  kind: TrapKind,
  message: string,
  stack: string | undefined,
): CallOutcome {
  const backtrace = backtraceOf(stack, program.facts, program.names);
  return outcomeOf('trapped', frame.gas - instance.gas, NO_BYTES, { kind, message, backtrace });
}

function expectOwn(program: Program): WasmProgram {
  if (program instanceof WasmProgram) return program;
  throw new EngineError('unusable_prepared_code', 'expected a program that this engine loaded');
}

function checkFrame(frame: Frame, limits: EngineLimits): void {
  if (frame.contract.length !== 20 || frame.caller.length !== 20 || frame.origin.length !== 20) {
    throw new EngineError('invalid_frame', 'contract, caller and origin must be addresses of 20 bytes');
  }
  if (frame.gas < 0n || frame.gas >= FIRST_EXCESSIVE_GAS) {
    throw new EngineError('invalid_frame', `expected gas from 0 to 2^63 − 1, got ${frame.gas}`);
  }
  if (frame.value < 0n || frame.value >= FIRST_EXCESSIVE_VALUE) {
    throw new EngineError('invalid_frame', `expected a value of 128 bits, got ${frame.value}`);
  }
  if (frame.depth < 0 || frame.depth >= limits.depth) {
    throw new EngineError('invalid_frame', `expected a depth below ${limits.depth}, got ${frame.depth}`);
  }
}
