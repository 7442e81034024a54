import { sameBytes } from '../../base/same-bytes.js';
import { latin1 } from '../../storage/latin1.js';
import type { PrepareVariant } from '../engine.js';
import { EngineError } from '../errors.js';
import { collectGarbage } from './collect-garbage.js';
import { WasmProgram } from './program.js';

/** Amount of machine code in evicted programs that triggers a garbage collection: V8 does not take it into account. */
const COLLECTED_BYTES = 32 * 1024 * 1024;

/**
 * A thread's compiled programs by code hash; evicts the least recently used beyond a budget of machine code.
 *
 * V8 compiles a function at its first call, for all threads that share the module, and ends the process at 4 GiB of
 * code (`--wasm-max-committed-code-mb`). So each program is charged the upper bound of its code, and the threads
 * divide one budget.
 */
export class ModuleCache {
  readonly #capacity: number;
  readonly #onEvict: (program: WasmProgram) => void;
  /** In order of use, least recent first. */
  readonly #programs = new Map<string, WasmProgram>();
  #latest: WasmProgram | undefined;
  /** Upper bound of the programs' machine code, in bytes. */
  #codeBytes = 0;
  #discardedBytes = 0;

  /** @param capacity machine code in bytes; a larger program is kept alone */
  constructor(capacity: number, onEvict: (program: WasmProgram) => void) {
    this.#capacity = capacity;
    this.#onEvict = onEvict;
  }

  /** @param codeHash 32 bytes */
  find(codeHash: Uint8Array, variant: PrepareVariant): WasmProgram | undefined {
    const latest = this.#latest;
    if (latest?.variant === variant && sameBytes(latest.hash, codeHash)) return latest;
    const key = keyOf(codeHash, variant);
    const program = this.#programs.get(key);
    if (program !== undefined) {
      this.#programs.delete(key);
      this.#programs.set(key, program);
      this.#latest = program;
    }
    return program;
  }

  /** @throws EngineError `unusable_prepared_code` if it is of another version or variant, or does not compile */
  load(codeHash: Uint8Array, prepared: Uint8Array, variant: PrepareVariant): WasmProgram {
    const known = this.find(codeHash, variant);
    if (known !== undefined) return known;
    const program = new WasmProgram(codeHash, compile(prepared));
    if (program.variant !== variant) {
      const why = `expected ${variant} code, got ${program.variant} code`;
      throw new EngineError('unusable_prepared_code', why);
    }
    this.#programs.set(keyOf(codeHash, variant), program);
    this.#codeBytes += program.codeBytes;
    this.#evict();
    return program;
  }

  /** Evicts the least recently used programs, never the newest. */
  #evict(): void {
    for (const [key, oldest] of this.#programs) {
      if (this.#codeBytes <= this.#capacity || this.#programs.size === 1) break;
      this.#programs.delete(key);
      this.#codeBytes -= oldest.codeBytes;
      this.#discardedBytes += oldest.codeBytes;
      this.#latest = undefined;
      this.#onEvict(oldest);
    }
    if (this.#discardedBytes > COLLECTED_BYTES) {
      this.#discardedBytes = 0;
      collectGarbage();
    }
  }
}

function keyOf(codeHash: Uint8Array, variant: PrepareVariant): string {
  return variant === 'plain' ? latin1(codeHash) : `${latin1(codeHash)}:${variant}`;
}

function compile(prepared: Uint8Array): WebAssembly.Module {
  try {
    return new WebAssembly.Module(prepared);
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    const why = `V8 refuses prepared code: ${error.message}`;
    throw new EngineError('unusable_prepared_code', why, { cause: error });
  }
}
