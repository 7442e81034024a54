import { EngineError } from '../errors.js';
import { collectGarbage } from './collect-garbage.js';
import { PAGE_BYTES } from './engine-limits.js';
import { WasmInstance } from './instance.js';
import type { WasmProgram } from './program.js';

export interface InstancePoolOptions {
  readonly imports: WebAssembly.Imports;
  /** Memory limit for idle instances; beyond it, the instances of the least recently used program are evicted. */
  readonly maxIdleBytes: number;
  /** Maximum number of idle instances per program; others are discarded after their call. */
  readonly maxIdlePerProgram: number;
  /** Maximum number of instances: running, idle, and discarded but not yet collected. */
  readonly maxInstances: number;
}

/** Memory of dropped instances after which garbage is collected, on versions of V8 that do not count it themselves. */
const MAX_DROPPED_BYTES = 256 * 1024 * 1024;

const TRIAL_PAGES = 256;
let countsGrowth: boolean | undefined;

/** Whether V8's garbage collector takes memory growth into account; in Node 26 it counts only the initial size. */
function doesV8CountGrowth(): boolean {
  if (countsGrowth === undefined) {
    const { external } = process.memoryUsage();
    new WebAssembly.Memory({ initial: 0, maximum: TRIAL_PAGES }).grow(TRIAL_PAGES);
    countsGrowth = process.memoryUsage().external - external >= TRIAL_PAGES * PAGE_BYTES;
  }
  return countsGrowth;
}

/**
 * Keeps instances for reuse. Creating one costs tens of microseconds, resetting one only one or two
 * (`bench/vm.bench.ts`). Instances are reset before they enter the pool, so no data of a call outlives it.
 */
export class InstancePool {
  readonly #options: InstancePoolOptions;
  /** Programs that have idle instances. */
  readonly #programs = new Set<WasmProgram>();
  #idleBytes = 0;
  /** Running and idle instances. */
  #live = 0;
  /** Instances discarded since the last garbage collection: some of them may still hold memory. */
  #dropped = 0;
  /** Memory of the dropped instances. */
  #droppedBytes = 0;
  #clock = 0;

  constructor(options: InstancePoolOptions) {
    this.#options = options;
  }

  get idleBytes(): number {
    return this.#idleBytes;
  }

  /**
   * Returns an instance in its initial state, for one call. Hot: guarded by `bench/vm.bench.ts`.
   * @throws EngineError `host_memory_exhausted` if too many are running, or the machine has no memory for another
   */
  acquire(program: WasmProgram): WasmInstance {
    program.lastUsed = ++this.#clock;
    const instance = program.idle.pop();
    if (instance === undefined) return this.#make(program);
    this.#idleBytes -= program.instanceBytes;
    return instance;
  }

  /** Takes an instance back after a call, however the call ended. */
  release(program: WasmProgram, instance: WasmInstance): void {
    const isKept = !program.isRetired && program.idle.length < this.#options.maxIdlePerProgram;
    if (!isKept || !instance.reset()) {
      this.discard(instance);
      return;
    }
    if (program.idle.push(instance) === 1) this.#programs.add(program);
    this.#idleBytes += program.instanceBytes;
    while (this.#idleBytes > this.#options.maxIdleBytes) this.evict(this.#leastRecentlyUsed() ?? program);
  }

  /** Counts a running instance as discarded. */
  discard(instance: WasmInstance): void {
    this.#live -= 1;
    this.#dropped += 1;
    this.#droppedBytes += instance.bytes.length;
    if (this.#droppedBytes > MAX_DROPPED_BYTES && !doesV8CountGrowth()) this.#collect();
  }

  /** Retires a program for good: evicts its idle instances now, and the running ones as they end. */
  retire(program: WasmProgram): void {
    program.isRetired = true;
    this.evict(program);
  }

  /** Discards a program's idle instances. */
  evict(program: WasmProgram): void {
    const { length } = program.idle;
    this.#idleBytes -= length * program.instanceBytes;
    this.#live -= length;
    this.#dropped += length;
    program.idle.length = 0;
    this.#programs.delete(program);
  }

  #make(program: WasmProgram): WasmInstance {
    const { imports, maxInstances } = this.#options;
    if (this.#live + this.#dropped >= maxInstances) {
      // Evicts down to half the maximum at once, because a garbage collection takes long.
      this.#makeRoom(maxInstances / 2);
    }
    if (this.#live >= maxInstances) {
      throw new EngineError('host_memory_exhausted', `a thread may have ${maxInstances} instances at a time`);
    }
    let instance: WasmInstance;
    try {
      instance = new WasmInstance(program.module, imports);
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'host_memory_exhausted') throw error;
      this.#makeRoom(0);
      instance = new WasmInstance(program.module, imports);
    }
    this.#live += 1;
    return instance;
  }

  /** Evicts idle instances until at most `left` are alive, or only running ones remain. */
  #makeRoom(left: number): void {
    const oldestFirst = [...this.#programs].sort((one, other) => one.lastUsed - other.lastUsed);
    for (const program of oldestFirst) {
      if (this.#live <= left) break;
      this.evict(program);
    }
    this.#collect();
  }

  #collect(): void {
    collectGarbage();
    this.#dropped = 0;
    this.#droppedBytes = 0;
  }

  /** Rarely called, so it can scan all programs. */
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
