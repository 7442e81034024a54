import type { VmName } from '../vm/engine.js';
import { MIN_CODE_BYTES } from '../vm/thread-shares.js';

/** The most codes: a thread has fewer instances only where a machine has dozens of threads; see `vm/thread-shares.ts`. */
export const MAX_ENTERED_CODES = 256;
/** The most machine code of them, in bytes. */
export const MAX_ENTERED_MACHINE_CODE = MIN_CODE_BYTES;

/**
 * The code that a transaction or call has entered, or put on the chain: entering it again costs nothing beside what it does.
 * It is never more than every thread keeps compiled, so that no order of calls makes a thread compile what was entered before.
 * The same bytes of another kind of code are other code.
 */
export class EnteredCode {
  /** Hash of the first, 64 hexadecimal digits. Most transactions have one. */
  #firstHash: string | undefined;
  #firstVm: VmName | undefined;
  #others: Set<string> | undefined;
  #machineCode = 0;

  has(vm: VmName, hash: string): boolean {
    if (hash === this.#firstHash && vm === this.#firstVm) return true;
    return this.#others?.has(nameOf(vm, hash)) === true;
  }

  /**
   * @param machineCode its bytes
   * @returns false, and nothing done, where it would be too much
   */
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
