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
