import { LEAST_CODE_BYTES } from '../vm/code-share.js';

/** The most codes: a thread has fewer instances only where a machine has dozens of threads; see `vm/instance-shares.ts`. */
export const MAX_ENTERED_CODES = 256;
/** The most machine code of them, in bytes. */
export const MAX_ENTERED_MACHINE_CODE = LEAST_CODE_BYTES;

/**
 * The code that a transaction or call has entered, or put on the chain: entering it again costs nothing beside what it does.
 * It is never more than every thread keeps compiled, so that no order of calls makes a thread compile what was entered before.
 */
export class EnteredCode {
  /** Hash of the first, 64 hexadecimal digits. Most transactions have one. */
  #first: string | undefined;
  #others: Set<string> | undefined;
  #machineCode = 0;

  has(hash: string): boolean {
    return hash === this.#first || this.#others?.has(hash) === true;
  }

  /**
   * @param machineCode its bytes
   * @returns false, and nothing done, where it would be too much
   */
  add(hash: string, machineCode: number): boolean {
    const total = this.#machineCode + machineCode;
    if (total > MAX_ENTERED_MACHINE_CODE || (this.#others?.size ?? 0) + 1 >= MAX_ENTERED_CODES) return false;
    this.#machineCode = total;
    if (this.#first === undefined) this.#first = hash;
    else {
      this.#others ??= new Set();
      this.#others.add(hash);
    }
    return true;
  }
}
