import type { VmName } from '../vm/engine.js';
import { MIN_CODE_BYTES } from '../vm/thread-shares.js';

/** No more than a thread has instances, except with dozens of threads: see `vm/thread-shares.ts`. */
export const MAX_ENTERED_CODES = 256;
export const MAX_ENTERED_MACHINE_CODE = MIN_CODE_BYTES;

/**
 * The code that a transaction or call has entered or deployed, which costs nothing to enter again: never more than
 * every thread keeps compiled, so that no order of calls makes a thread recompile it.
 */
export class EnteredCode {
  /** Hash of the first code, 64 hexadecimal digits. Most transactions enter only one code. */
  #firstHash: string | undefined;
  #firstVm: VmName | undefined;
  #others: Set<string> | undefined;
  #machineCode = 0;

  has(vm: VmName, hash: string): boolean {
    if (hash === this.#firstHash && vm === this.#firstVm) return true;
    return this.#others?.has(nameOf(vm, hash)) === true;
  }

  /** @param machineCode in bytes @returns false, with nothing changed, if it would exceed a limit */
  add(vm: VmName, hash: string, machineCode: number): boolean {
    const total = this.#machineCode + machineCode;
    if (total > MAX_ENTERED_MACHINE_CODE || (this.#others?.size ?? 0) + 1 >= MAX_ENTERED_CODES) return false;
    this.#machineCode = total;
    if (this.#firstHash === undefined) {
      this.#firstHash = hash;
      this.#firstVm = vm;
    } else {
      this.#others ??= new Set();
      this.#others.add(nameOf(vm, hash));
    }
    return true;
  }
}

function nameOf(vm: VmName, hash: string): string {
  return vm === 'wasm' ? hash : `${vm} ${hash}`;
}
