import { toHex } from '../idl/hex.js';
import { MAX_BALANCE } from '../ledger/constants.js';
import { ContractError } from './contract-error.js';

/** An event as encoded in a log. */
export interface SandboxLog {
  /** Lowercase hex without prefix, as everywhere in the sandbox. */
  readonly contract: string;
  /** 32 bytes each; the first one names the event. */
  readonly topics: readonly Uint8Array[];
  /** The fields that are not indexed, in Borsh. */
  readonly data: Uint8Array;
}

/** Everything that a call can change. Keys and addresses are lowercase hex. */
export interface SandboxState {
  readonly storage: Map<string, Uint8Array>;
  readonly balances: Map<string, bigint>;
  readonly logs: SandboxLog[];
}

export function copyOfState({ storage, balances, logs }: SandboxState): SandboxState {
  return { storage: new Map(storage), balances: new Map(balances), logs: [...logs] };
}

/** Storage, balances and events of a sandbox. */
export class SandboxLedger {
  protected state: SandboxState = { storage: new Map(), balances: new Map(), logs: [] };

  /** All events of successful calls to all contracts, oldest first. */
  get logs(): readonly SandboxLog[] {
    return this.state.logs;
  }

  /**
   * Sets the native balance of an account or contract, in the smallest unit.
   * @param of address, 20 bytes
   * @throws ContractError `excessive_balance` above 2^128 − 1
   */
  setBalance(of: Uint8Array, amount: bigint): void {
    if (amount > MAX_BALANCE) {
      const got = `0x${toHex(of)} would have a balance of ${amount}`;
      throw new ContractError('excessive_balance', `balances must stay below 2^128, but ${got}`);
    }
    this.state.balances.set(toHex(of), amount);
  }

  /**
   * Reads a slot of a contract.
   * @param slot key, 32 bytes
   * @returns undefined if the slot is empty
   */
  readStorage(contract: Uint8Array, slot: Uint8Array): Uint8Array | undefined {
    return this.state.storage.get(storageKey(contract, slot));
  }

  /**
   * Sets a slot of a contract without running its code.
   * @param slot key, 32 bytes
   * @returns length in bytes of the value that this replaces; undefined if there was none
   */
  writeStorage(contract: Uint8Array, slot: Uint8Array, value: Uint8Array): number | undefined {
    const before = this.storedBytes(contract, slot);
    this.state.storage.set(storageKey(contract, slot), value);
    return before;
  }

  /**
   * Empties a slot of a contract.
   * @param slot key, 32 bytes
   * @returns length in bytes of the value that this removes; undefined if there was none
   */
  removeStorage(contract: Uint8Array, slot: Uint8Array): number | undefined {
    const before = this.storedBytes(contract, slot);
    this.state.storage.delete(storageKey(contract, slot));
    return before;
  }

  /**
   * The length in bytes of the value in a slot.
   * @returns undefined if the slot is empty
   */
  storedBytes(contract: Uint8Array, slot: Uint8Array): number | undefined {
    return this.readStorage(contract, slot)?.length;
  }

  /** The native balance of an account or contract, in the smallest unit; 0 if it was never set. */
  balance(of: Uint8Array): bigint {
    return this.state.balances.get(toHex(of)) ?? 0n;
  }

  /**
   * Moves native balance. Runs no code.
   * @returns false, with nothing moved, if `from` has less than the amount
   * @throws ContractError `excessive_balance` if `to` would have more than 2^128 − 1
   */
  transfer(from: Uint8Array, to: Uint8Array, amount: bigint): boolean {
    if (this.balance(from) < amount) return false;
    this.setBalance(from, this.balance(from) - amount);
    this.setBalance(to, this.balance(to) + amount);
    return true;
  }
}

function storageKey(contract: Uint8Array, slot: Uint8Array): string {
  return `${toHex(contract)}/${toHex(slot)}`;
}
