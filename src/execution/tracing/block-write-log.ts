import type { AccountRecord } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { rawOf } from '../../storage/state.js';
import type { AccountEntry, StateEntry, StateSource } from '../state-source.js';
import type { WorldState } from '../world-state.js';

/*
 * A write log holds the writes of a block's transactions in order. It gives the state before any of them without
 * executing the others again. A log comes in parts of consecutive transactions, in memory shared by all workers; each
 * worker reads a part once. Numbers are little-endian:
 *
 *   part := first transaction u32 ‖ transaction*
 *   transaction := number of entries u32 ‖ entry*
 *   entry := 0 u8 ‖ address 20 ‖ length u32 ‖ borsh(AccountRecord)
 *                | 1 u8 ‖ contract 20 ‖ slot 32 ‖ length u32 ‖ eight zero bytes ‖ value
 *                | 2 u8 ‖ contract 20 ‖ slot 32 (a removed slot)
 *
 * The zero bytes replace the height of an entry in column `state`.
 */

const ACCOUNT = 0;
const SLOT = 1;
const REMOVED = 2;
const HEIGHT_BYTES = 8;
/** Approximate memory of an account's and of a slot's entry, in addition to its bytes. */
const ACCOUNT_BYTES = 400;
const SLOT_BYTES = 300;
const NO_KEY = new Uint8Array(0);

/** The entry of a key after a transaction. */
interface Version<E> {
  readonly transaction: number;
  readonly entry: E;
}

/** The writes of a block's first transactions. */
export class BlockWriteLog {
  readonly #accounts = new Map<string, Version<AccountEntry>[]>();
  readonly #slots = new Map<string, Version<StateEntry>[]>();
  #covered = 0;
  #bytes = 0;

  /** Number of transactions covered. */
  get covered(): number {
    return this.#covered;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Adds the new transactions of a part; ignores a part that would leave a gap.
   * @param part in shared memory
   */
  add(part: SharedArrayBuffer): void {
    // Copies the part, because codecs do not read shared memory.
    const bytes = Buffer.from(new Uint8Array(part));
    let transaction = bytes.readUInt32LE(0);
    if (transaction > this.#covered) return;
    let at = 4;
    // The decoded entries keep the whole copy in memory.
    if (transaction === this.#covered) this.#bytes += bytes.length;
    for (; at < bytes.length; transaction++) {
      const isNew = transaction === this.#covered;
      const count = bytes.readUInt32LE(at);
      at += 4;
      for (let entry = 0; entry < count; entry++) at = this.#entry(bytes, at, isNew);
      if (!isNew) continue;
      this.#covered++;
      this.#bytes += count * SLOT_BYTES;
    }
  }

  /** Appends the writes of the next transaction, executed in this thread. */
  append(state: WorldState): void {
    for (const [address, record] of state.writtenAccounts()) {
      append(this.#accounts, address, this.#covered, { key: NO_KEY, raw: undefined, record });
      this.#bytes += ACCOUNT_BYTES;
    }
    for (const { contract, slot, value } of state.writtenSlots()) {
      const raw = value === undefined ? undefined : rawOf(0n, value);
      append(this.#slots, toHex(contract) + toHex(slot), this.#covered, { key: NO_KEY, raw });
      this.#bytes += SLOT_BYTES + (value?.length ?? 0);
    }
    this.#covered++;
  }

  /**
   * Returns the state before a transaction.
   * @param index at most {@link covered}
   * @param parent the state that the block was executed on
   */
  before(index: number, parent: StateSource): StateSource {
    if (index > this.#covered) {
      throw new RangeError(`expected a transaction up to ${this.#covered}, got ${index}`);
    }
    return {
      account: (address) => versionBefore(this.#accounts.get(address), index) ?? parent.account(address),
      slot: (contract, slot) =>
        versionBefore(this.#slots.get(toHex(contract) + toHex(slot)), index) ?? parent.slot(contract, slot),
      // Executing a transaction reads no consensus records.
      record: (name) => parent.record(name),
      // The store already has the code that the block deployed.
      code: (hash) => parent.code(hash),
    };
  }

  /** @returns the start of the next entry */
  #entry(bytes: Buffer, start: number, isNew: boolean): number {
    const kind = bytes[start];
    const nameEnd = start + 1 + (kind === ACCOUNT ? 20 : 52);
    const end = kind === REMOVED ? nameEnd : nameEnd + 4 + bytes.readUInt32LE(nameEnd);
    if (!isNew) return end;
    const name = bytes.toString('hex', start + 1, nameEnd);
    if (kind === REMOVED) {
      append(this.#slots, name, this.#covered, { key: NO_KEY, raw: undefined });
      return end;
    }
    const value = bytes.subarray(nameEnd + 4, end);
    if (kind === ACCOUNT) append(this.#accounts, name, this.#covered, accountEntry(value));
    else append(this.#slots, name, this.#covered, { key: NO_KEY, raw: value });
    return end;
  }
}

function append<E>(versions: Map<string, Version<E>[]>, name: string, transaction: number, entry: E): void {
  const known = versions.get(name);
  if (known === undefined) versions.set(name, [{ transaction, entry }]);
  else known.push({ transaction, entry });
}

function versionBefore<E>(versions: readonly Version<E>[] | undefined, index: number): E | undefined {
  if (versions === undefined) return undefined;
  let low = 0;
  let high = versions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((versions[middle]?.transaction ?? index) < index) low = middle + 1;
    else high = middle;
  }
  return versions[low - 1]?.entry;
}

/** Decodes the record on the first read: most entries are overwritten before they are read. */
function accountEntry(value: Uint8Array): AccountEntry {
  let record: AccountRecord | undefined;
  return {
    key: NO_KEY,
    raw: undefined,
    get record() {
      record ??= ledger.AccountRecord.decode(value);
      return record;
    },
  };
}

/** Encodes a part. */
export class LogPartWriter {
  readonly #chunks: Uint8Array[] = [];
  #length = 4;

  /** @param first index of the part's first transaction */
  constructor(readonly first: number) {}

  /** Adds the writes of the next transaction. */
  add(state: WorldState): void {
    const count = Buffer.alloc(4);
    this.#push(count);
    let entries = 0;
    for (const [address, record] of state.writtenAccounts()) {
      const value = ledger.AccountRecord.encode(record);
      this.#push(head(ACCOUNT, Buffer.from(address, 'hex'), value.length));
      this.#push(value);
      entries++;
    }
    for (const { contract, slot, value } of state.writtenSlots()) {
      const name = Buffer.concat([contract, slot]);
      entries++;
      if (value === undefined) {
        this.#push(head(REMOVED, name));
      } else {
        this.#push(head(SLOT, name, HEIGHT_BYTES + value.length));
        this.#push(Buffer.alloc(HEIGHT_BYTES));
        this.#push(value);
      }
    }
    count.writeUInt32LE(entries);
  }

  finish(): SharedArrayBuffer {
    const shared = new SharedArrayBuffer(this.#length);
    const bytes = new Uint8Array(shared);
    new DataView(shared).setUint32(0, this.first, true);
    let at = 4;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return shared;
  }

  #push(chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }
}

function head(kind: number, name: Uint8Array, length?: number): Uint8Array {
  const bytes = Buffer.alloc(1 + name.length + (length === undefined ? 0 : 4));
  bytes[0] = kind;
  bytes.set(name, 1);
  if (length !== undefined) bytes.writeUInt32LE(length, 1 + name.length);
  return bytes;
}
