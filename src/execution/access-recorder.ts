import type { CodeBlob } from './state-writes.js';

/** Length of a slot's name. */
export const SLOT_NAME_BYTES = 52;

const CONTRACT_BYTES = 20;
/** To work in: nothing of it is kept. */
const nameBytes = Buffer.alloc(SLOT_NAME_BYTES);

/** What a slot is called in maps: contract ‖ slot, one character a byte, the shortest text that is made in one go. */
export function slotName(contract: Uint8Array, slot: Uint8Array): string {
  // Loops: for so few bytes they beat the calls of a native copy.
  for (let i = 0; i < CONTRACT_BYTES; i++) nameBytes[i] = contract[i] as number;
  for (let i = CONTRACT_BYTES; i < SLOT_NAME_BYTES; i++) {
    nameBytes[i] = slot[i - CONTRACT_BYTES] as number;
  }
  return nameBytes.toString('latin1', 0, SLOT_NAME_BYTES);
}

/** Who wrote a value: a number that the state's owner chose for a transaction, or {@link BEFORE}. */
export type Writer = number;

/** The writer of everything that was there before the state's own transactions. */
export const BEFORE: Writer = -1;

/** What a transaction saw of a balance, as bounds within which it would have done the same. */
export interface BalanceAccess {
  /** The balance when the transaction first looked at it or changed it. */
  readonly start: bigint;
  /** It would have done the same with any starting balance from here; undefined where any lower one would do. */
  low: bigint | undefined;
  /** And up to here. */
  high: bigint | undefined;
}

/**
 * Writes down what one transaction after another reads of a state, and what it writes.
 *
 * Balances are not read or written like other values. That enough is there to be sent bounds what the balance was; only
 * one that a contract asks for must have been exactly that. Changes add up whatever the order. So a popular recipient, or
 * a sender with many lanes, makes no two transactions depend on each other.
 */
export class AccessRecorder {
  /** Who wrote what was read, by slot (see `slotName`): a transaction's own writes are no reads. */
  readonly slotReads = new Map<string, Writer>();
  readonly slotWrites = new Set<string>();
  /** The same for contracts' records, by address. */
  readonly contractReads = new Map<string, Writer>();
  readonly contractWrites = new Set<string>();
  readonly balances = new Map<string, BalanceAccess>();
  /** How many contracts an account had deployed when it was first asked. */
  readonly deployIndexes = new Map<string, bigint>();
  /** Code and interface texts that were added and not taken back. */
  readonly codes: CodeBlob[] = [];
  readonly idls: CodeBlob[] = [];
  #writer: Writer = BEFORE;

  /** Forgets everything: a transaction begins. */
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

  /** The balance is about to change by an amount that does not depend on it. */
  balanceChanged(address: string, balance: bigint): BalanceAccess {
    let access = this.balances.get(address);
    if (access === undefined) {
      access = { start: balance, low: undefined, high: undefined };
      this.balances.set(address, access);
    }
    return access;
  }

  /** The balance itself was asked for. */
  balanceRead(address: string, balance: bigint): void {
    const access = this.balanceChanged(address, balance);
    access.low = access.start;
    access.high = access.start;
  }

  /** It was asked whether the balance is at least an amount. */
  balanceCompared(address: string, balance: bigint, amount: bigint): void {
    const access = this.balanceChanged(address, balance);
    // What was the balance at the start for it to be exactly the amount now.
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
