import { toHex } from '../idl/hex.js';

/** An event as encoded in a log. */
export interface SandboxLog {
  /** Lowercase hex without prefix, as everywhere in the sandbox. */
  readonly contract: string;
  readonly topics: readonly Uint8Array[];
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

export function storageKey(contract: Uint8Array, slot: Uint8Array): string {
  return `${toHex(contract)}/${toHex(slot)}`;
}
