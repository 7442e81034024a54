import type { CodeBlob } from './state-writes.js';

export const SLOT_NAME_BYTES = 52;

const CONTRACT_BYTES = 20;
/** Scratch space for one call. */
const nameBytes = Buffer.alloc(SLOT_NAME_BYTES);

/** Returns the map key of a slot: contract ‖ slot as Latin-1, the shortest text that a single conversion makes. */
export function slotName(contract: Uint8Array, slot: Uint8Array): string {
  // Loops are faster than a native copy for so few bytes.
  for (let i = 0; i < CONTRACT_BYTES; i++) nameBytes[i] = contract[i] as number;
  for (let i = CONTRACT_BYTES; i < SLOT_NAME_BYTES; i++) nameBytes[i] = slot[i - CONTRACT_BYTES] as number;
  return nameBytes.toString('latin1', 0, SLOT_NAME_BYTES);
}

/** The writer of a value: a number that the state's owner chose for a transaction, or {@link BEFORE}. */
export type Writer = number;

/** The writer of every value that precedes the state's own transactions. */
export const BEFORE: Writer = -1;

/** A transaction's view of a balance: the bounds within which it would have behaved the same. */
export interface BalanceAccess {
  /** The balance when the transaction first read or changed it. */
  readonly start: bigint;
  /** Least starting balance with the same behavior; undefined if there is no lower bound. */
  low: bigint | undefined;
  /** Greatest starting balance with the same behavior; undefined if there is no upper bound. */
  high: bigint | undefined;
}

/**
 * Records the reads and writes of one transaction after another on a state. Changes of balances commute, and a
 * transfer only requires enough balance: only a contract that reads a balance depends on its exact value. So neither
 * a popular recipient nor a sender with many lanes makes transactions depend on each other.
 */
export class AccessRecorder {
  /** The writer of each slot read, by slot (see `slotName`). A transaction's reads of its own writes do not count. */
  readonly slotReads = new Map<string, Writer>();
  readonly slotWrites = new Set<string>();
  /** The writer of each contract record read, by address. */
  readonly contractReads = new Map<string, Writer>();
  readonly contractWrites = new Set<string>();
  readonly balances = new Map<string, BalanceAccess>();
  /** An account's deployment count at the first read. */
  readonly deployIndexes = new Map<string, bigint>();
  /** Code and interface texts that were added and not undone. */
  readonly codes: CodeBlob[] = [];
  readonly idls: CodeBlob[] = [];
  #writer: Writer = BEFORE;

  /** Clears the records at the start of a transaction. */
  begin(writer: Writer): void {
    this.#writer = writer;
    if (this.slotReads.size > 0) this.slotReads.clear();
    if (this.slotWrites.size > 0) this.slotWrites.clear();
    if (this.contractReads.size > 0) this.contractReads.clear();
    if (this.contractWrites.size > 0) this.contractWrites.clear();
    if (this.balances.size > 0) this.balances.clear();
    if (this.deployIndexes.size > 0) this.deployIndexes.clear();
    if (this.codes.length > 0) this.codes.length = 0;
    if (this.idls.length > 0) this.idls.length = 0;
  }

  slotRead(name: string, writer: Writer): void {
    if (writer !== this.#writer) this.slotReads.set(name, writer);
  }

  contractRead(address: string, writer: Writer): void {
    if (writer !== this.#writer) this.contractReads.set(address, writer);
  }

  /** Records that the balance is about to change by an amount that does not depend on it. */
  balanceChanged(address: string, balance: bigint): BalanceAccess {
    let access = this.balances.get(address);
    if (access === undefined) {
      access = { start: balance, low: undefined, high: undefined };
      this.balances.set(address, access);
    }
    return access;
  }

  balanceRead(address: string, balance: bigint): void {
    const access = this.balanceChanged(address, balance);
    access.low = access.start;
    access.high = access.start;
  }

  balanceCompared(address: string, balance: bigint, amount: bigint): void {
    const access = this.balanceChanged(address, balance);
    // The starting balance that would make the current balance exactly `amount`.
    const bound = amount - (balance - access.start);
    if (balance >= amount) {
      if (access.low === undefined || access.low < bound) access.low = bound;
    } else if (access.high === undefined || access.high >= bound) {
      access.high = bound - 1n;
    }
  }

  deployIndexRead(address: string, index: bigint): void {
    if (!this.deployIndexes.has(address)) this.deployIndexes.set(address, index);
  }
}
