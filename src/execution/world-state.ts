import type { AccountRecord, LedgerLog } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { isEmptyAccount } from '../ledger/accounts.js';
import { ledger } from '../ledger/codecs.js';
import { valueOfRaw } from '../storage/state.js';
import type { StateEntry, StateSource } from './state-source.js';

/** A point to which {@link WorldState.revert} goes back. */
export type Checkpoint = number;

/** One key's change, as the store and the state tree take it. */
export interface StateWrite {
  /** 32 bytes. */
  readonly key: Uint8Array;
  /** The entry in column `state` before. */
  readonly previous: Uint8Array | undefined;
  /** The new value, without height; undefined where the key is no longer in the state. */
  readonly value: Uint8Array | undefined;
  /** The account whose record it is; undefined for a slot. */
  readonly account?: { readonly address: string; readonly record: AccountRecord };
}

/** Code made ready to run, kept in the store so that the first call after a restart need not prepare it again. */
export interface PreparedCode {
  /** Its key in column `prepared`. */
  readonly key: Uint8Array;
  readonly bytes: Uint8Array;
}

/** A contract's code or interface text, stored beside the state by its hash. */
export interface Blob {
  /** sha256 of the bytes. */
  readonly hash: Uint8Array;
  readonly bytes: Uint8Array;
  /** Code as the engine made it ready, where it just did. */
  readonly prepared?: PreparedCode;
}

/** A slot that was written; an undefined value is a slot removed. */
export interface SlotWrite {
  readonly contract: Uint8Array;
  readonly slot: Uint8Array;
  readonly value: Uint8Array | undefined;
}

type Undo = () => void;

/**
 * The state while a block is executed: what the source has, and above it what was written since. Everything written can
 * be taken back to a checkpoint, so that a failed call or transaction leaves nothing. Addresses are 40 lowercase hex
 * digits where they are text. Values handed in are kept: they must not change afterwards.
 */
export class WorldState {
  readonly #source: StateSource;
  readonly #accounts = new Map<string, AccountRecord>();
  readonly #slots = new Map<string, SlotWrite>();
  readonly #codes = new Map<string, Blob>();
  readonly #idls = new Map<string, Blob>();
  readonly #undo: Undo[] = [];
  #logs: LedgerLog[] = [];
  #touched = new Set<string>();
  /** Whether what takes the transactions back is kept beyond their ends. */
  #held = false;

  constructor(source: StateSource) {
    this.#source = source;
  }

  account(address: string): AccountRecord {
    return this.#accounts.get(address) ?? this.#source.account(address).record;
  }

  writeAccount(address: string, record: AccountRecord): void {
    this.#set(this.#accounts, address, record);
  }

  slot(contract: Uint8Array, slot: Uint8Array): Uint8Array | undefined {
    // View calls read far more often than they write.
    const written = this.#slots.size === 0 ? undefined : this.#slots.get(slotName(contract, slot));
    if (written !== undefined) return written.value;
    const { raw } = this.#source.slot(contract, slot);
    return raw === undefined ? undefined : valueOfRaw(raw);
  }

  /** @param value undefined removes the slot */
  writeSlot(contract: Uint8Array, slot: Uint8Array, value: Uint8Array | undefined): void {
    this.#set(this.#slots, slotName(contract, slot), { contract, slot, value });
  }

  code(hash: Uint8Array): Uint8Array | undefined {
    return this.#codes.get(toHex(hash))?.bytes ?? this.#source.code(hash);
  }

  addCode(blob: Blob): void {
    this.#set(this.#codes, toHex(blob.hash), blob);
  }

  addIdl(blob: Blob): void {
    this.#set(this.#idls, toHex(blob.hash), blob);
  }

  /** The events since the last transaction ended. */
  get logs(): readonly LedgerLog[] {
    return this.#logs;
  }

  emit(log: LedgerLog): void {
    const logs = this.#logs;
    logs.push(log);
    this.#undo.push(() => logs.pop());
  }

  /** Notes that a transaction involves a contract; stays even where the call is taken back. */
  touch(contract: string): void {
    this.#touched.add(contract);
  }

  checkpoint(): Checkpoint {
    return this.#undo.length;
  }

  /** Takes back everything since the checkpoint. */
  revert(checkpoint: Checkpoint): void {
    while (this.#undo.length > checkpoint) this.#undo.pop()?.();
  }

  /** Ends a transaction: what it wrote stays. Returns its events, and the contracts that it involved. */
  endTransaction(): { readonly logs: readonly LedgerLog[]; readonly touched: readonly string[] } {
    const ended = { logs: this.#logs, touched: [...this.#touched] };
    this.#logs = [];
    this.#touched = new Set();
    if (!this.#held) this.#undo.length = 0;
    return ended;
  }

  /** Between transactions: those that follow can be taken back together, until {@link settle}. */
  hold(): Checkpoint {
    this.#held = true;
    return this.checkpoint();
  }

  /** Ends {@link hold}: what was written since and not taken back stays. */
  settle(): void {
    this.#held = false;
    this.#undo.length = 0;
  }

  /** The accounts written, in the order of their first write. */
  writtenAccounts(): IterableIterator<[address: string, record: AccountRecord]> {
    return this.#accounts.entries();
  }

  /** The slots written, in the order of their first write. */
  writtenSlots(): IterableIterator<SlotWrite> {
    return this.#slots.values();
  }

  /** What the writes come to, ascending by key; keys that are as before are left out. */
  writes(): StateWrite[] {
    const writes: StateWrite[] = [];
    const add = (
      { key, raw }: StateEntry,
      value: Uint8Array | undefined,
      account?: StateWrite['account'],
    ) => {
      if (sameValue(raw, value)) return;
      writes.push({ key, previous: raw, value, ...(account === undefined ? {} : { account }) });
    };
    for (const [address, record] of this.#accounts) {
      const value = isEmptyAccount(record) ? undefined : ledger.AccountRecord.encode(record);
      add(this.#source.account(address), value, { address, record });
    }
    for (const { contract, slot, value } of this.#slots.values()) {
      add(this.#source.slot(contract, slot), value);
    }
    return writes.sort((a, b) => Buffer.compare(a.key, b.key));
  }

  codes(): Blob[] {
    return [...this.#codes.values()];
  }

  idls(): Blob[] {
    return [...this.#idls.values()];
  }

  #set<V>(map: Map<string, V>, name: string, value: V): void {
    const before = map.get(name);
    this.#undo.push(before === undefined ? () => map.delete(name) : () => map.set(name, before));
    map.set(name, value);
  }
}

function slotName(contract: Uint8Array, slot: Uint8Array): string {
  return toHex(contract) + toHex(slot);
}

function sameValue(raw: Uint8Array | undefined, value: Uint8Array | undefined): boolean {
  if (raw === undefined || value === undefined) return raw === value;
  return Buffer.compare(valueOfRaw(raw), value) === 0;
}
