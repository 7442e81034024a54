import { addTo } from '../../base/multi-map.js';
import type { AccountRecord } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { rawOf } from '../../storage/state.js';
import { FlatReader, FlatWriter } from '../parallel/flat-bytes.js';
import type { AccountEntry, StateEntry, StateSource } from '../state-source.js';
import type { WorldState } from '../world-state.js';

/*
 * A write log holds the writes of a block's transactions in order. It gives the state before any of them without
 * executing the others again. A log comes in parts of consecutive transactions, in memory shared by all workers; each
 * worker reads a part once. A part is the number of its first transaction (u32), and for each transaction the number of
 * its entries (u32) and the entries: u8 kind, address 20 or contract 20 ‖ slot 32, and borsh(AccountRecord) or the raw
 * entry of the slot, absent if the slot was removed.
 */

const ACCOUNT = 0;
const SLOT = 1;
/** Approximate memory of an account's and of a slot's entry, in addition to its bytes. */
const ACCOUNT_BYTES = 400;
const SLOT_BYTES = 300;
const NO_KEY = new Uint8Array(0);

/** The entry of a key after a transaction. */
interface Version<E> {
  readonly transaction: number;
  readonly entry: E;
}

export class BlockWriteLog {
  readonly #accounts = new Map<string, Version<AccountEntry>[]>();
  readonly #slots = new Map<string, Version<StateEntry>[]>();
  #covered = 0;
  #bytes = 0;

  get covered(): number {
    return this.#covered;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Adds the new transactions of a part in shared memory; ignores a part that would leave a gap. */
  add(part: SharedArrayBuffer): void {
    // Copies the part, because codecs do not read shared memory.
    const reader = new FlatReader(new Uint8Array(part).slice());
    let transaction = reader.u32();
    if (transaction > this.#covered) return;
    // The decoded entries keep the whole copy in memory.
    if (transaction === this.#covered) this.#bytes += part.byteLength;
    for (; !reader.done; transaction++) {
      const isNew = transaction === this.#covered;
      const count = reader.u32();
      for (let entry = 0; entry < count; entry++) this.#entry(reader, isNew);
      if (!isNew) continue;
      this.#covered++;
      this.#bytes += count * SLOT_BYTES;
    }
  }

  /** Appends the writes of the next transaction, executed in this thread. */
  append(state: WorldState): void {
    const transaction = this.#covered;
    for (const [address, record] of state.writtenAccounts()) {
      addTo(this.#accounts, address, { transaction, entry: { key: NO_KEY, raw: undefined, record } });
      this.#bytes += ACCOUNT_BYTES;
    }
    for (const { contract, slot, value } of state.writtenSlots()) {
      const raw = value === undefined ? undefined : rawOf(0n, value);
      addTo(this.#slots, toHex(contract) + toHex(slot), { transaction, entry: { key: NO_KEY, raw } });
      this.#bytes += SLOT_BYTES + (value?.length ?? 0);
    }
    this.#covered++;
  }

  /** Returns the state before a transaction, up to {@link covered}. @param parent the block's parent */
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

  #entry(reader: FlatReader, isNew: boolean): void {
    const kind = reader.u8();
    const name = reader.raw(kind === ACCOUNT ? 20 : 52);
    const value = reader.bytes();
    if (!isNew) return;
    if (kind === SLOT)
      addTo(this.#slots, toHex(name), { transaction: this.#covered, entry: { key: NO_KEY, raw: value } });
    else if (value !== undefined)
      addTo(this.#accounts, toHex(name), { transaction: this.#covered, entry: accountEntry(value) });
  }
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

export class LogPartWriter {
  readonly #writer = new FlatWriter();

  /** @param first index of the part's first transaction */
  constructor(first: number) {
    this.#writer.u32(first);
  }

  add(state: WorldState): void {
    const writer = this.#writer;
    const count = writer.length;
    writer.u32(0);
    let entries = 0;
    for (const [address, record] of state.writtenAccounts()) {
      writer.u8(ACCOUNT);
      writer.raw(Buffer.from(address, 'hex'));
      writer.bytes(ledger.AccountRecord.encode(record));
      entries++;
    }
    for (const { contract, slot, value } of state.writtenSlots()) {
      writer.u8(SLOT);
      writer.raw(contract);
      writer.raw(slot);
      // The height is never read.
      writer.bytes(value && rawOf(0n, value));
      entries++;
    }
    writer.u32At(count, entries);
  }

  finish(): SharedArrayBuffer {
    return this.#writer.finishShared().buffer;
  }
}
