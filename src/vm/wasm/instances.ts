import { WasmInstance } from './instance.js';
import type { WasmProgram } from './program.js';

/**
 * Keeps instances for reuse. A new one costs tens of microseconds, putting one back one or two (`bench/vm.bench.ts`).
 * What lies in the pool has been put back already, so that nothing of a call outlives it.
 */
export class InstancePool {
  readonly #imports: WebAssembly.Imports;
  readonly #maxIdleBytes: number;
  readonly #maxIdlePerProgram: number;
  /** Programs that have idle instances. */
  readonly #programs = new Set<WasmProgram>();
  #idleBytes = 0;
  #clock = 0;

  /**
   * @param imports what every instance is linked with
   * @param maxIdleBytes memory that idle instances may hold; beyond it those of the program that was not used for the
   * longest time are given up
   * @param maxIdlePerProgram more instances of one program are only kept while they run
   */
  constructor(imports: WebAssembly.Imports, maxIdleBytes: number, maxIdlePerProgram: number) {
    this.#imports = imports;
    this.#maxIdleBytes = maxIdleBytes;
    this.#maxIdlePerProgram = maxIdlePerProgram;
  }

  get idleBytes(): number {
    return this.#idleBytes;
  }

  /** An instance in its first state, for one call. Hot: guarded by `bench/vm.bench.ts`. */
  acquire(program: WasmProgram): WasmInstance {
    program.lastUsed = ++this.#clock;
    const instance = program.idle.pop();
    if (instance === undefined) {
      return new WasmInstance(program.module, this.#imports);
    }
    this.#idleBytes -= program.instanceBytes;
    return instance;
  }

  /** Takes an instance back after a call that came to an end, whatever the end was. */
  release(program: WasmProgram, instance: WasmInstance): void {
    if (program.idle.length >= this.#maxIdlePerProgram || !instance.reset()) {
      return;
    }
    if (program.idle.push(instance) === 1) {
      this.#programs.add(program);
    }
    this.#idleBytes += program.instanceBytes;
    while (this.#idleBytes > this.#maxIdleBytes) {
      this.evict(this.#leastRecentlyUsed() ?? program);
    }
  }

  /** Gives up a program's idle instances. */
  evict(program: WasmProgram): void {
    this.#idleBytes -= program.idle.length * program.instanceBytes;
    program.idle.length = 0;
    this.#programs.delete(program);
  }

  /** Rare, so that it may look at all of them. */
  #leastRecentlyUsed(): WasmProgram | undefined {
    let oldest: WasmProgram | undefined;
    for (const program of this.#programs) {
      if (program.idle.length > 0 && (oldest === undefined || program.lastUsed < oldest.lastUsed)) {
        oldest = program;
      }
    }
    return oldest;
  }
}
