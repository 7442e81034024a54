import type { Engine, VmName } from './engine.js';

/** A thread's engines by the kind of code they run. Code of any other kind cannot be deployed. */
export class EngineRegistry {
  readonly #engines: Readonly<Partial<Record<VmName, Engine>>>;

  /** @throws RangeError if two engines share a version of prepared code, so that one could load the other's */
  constructor(engines: Readonly<Partial<Record<VmName, Engine>>>) {
    this.#engines = engines;
    const versions = Object.values(engines).map(({ preparedVersion }) => preparedVersion);
    if (new Set(versions).size < versions.length) {
      throw new RangeError(`two engines share a version of prepared code: ${versions.join(', ')}`);
    }
  }

  /** Returns undefined if this chain has no such engine. */
  find(vm: VmName): Engine | undefined {
    return this.#engines[vm];
  }

  /** Returns the engine for code on the chain. Hot: guarded by `bench/view-call.bench.ts`. */
  of(vm: VmName): Engine {
    const engine = this.#engines[vm];
    if (engine === undefined)
      throw new TypeError(`the chain has code for vm ${vm}, but this node has no engine for it`);
    return engine;
  }
}
