import type { Engine, VmName } from './engine.js';

/** The engines of a thread, by the kind of code that they run. Code of other kinds cannot be deployed. */
export class EngineRegistry {
  readonly #engines: Readonly<Partial<Record<VmName, Engine>>>;

  /** @throws RangeError where two would take each other's prepared code for their own */
  constructor(engines: Readonly<Partial<Record<VmName, Engine>>>) {
    this.#engines = engines;
    const versions = Object.values(engines).map(({ preparedVersion }) => preparedVersion);
    if (new Set(versions).size < versions.length) {
      throw new RangeError(`two engines have one version of prepared code: ${versions.join(', ')}`);
    }
  }

  /** Undefined where this chain has no such engine. */
  find(vm: VmName): Engine | undefined {
    return this.#engines[vm];
  }

  /** Of code that is on the chain, whose engine is there. Hot: guarded by `bench/view-call.bench.ts`. */
  of(vm: VmName): Engine {
    const engine = this.#engines[vm];
    if (engine === undefined) throw new TypeError(`the chain has code for vm ${vm}, and this node no engine`);
    return engine;
  }
}
