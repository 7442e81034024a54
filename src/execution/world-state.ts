import { bigMin } from '../base/big-ints.js';
import type { AccountRecord, ContractRecord, Lane, LedgerLog } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { isEmptyAccount } from '../ledger/accounts.js';
import { ledger } from '../ledger/codecs.js';
import { MAX_BALANCE } from '../ledger/constants.js';
import { DEV_CONTROLS_ADDRESS } from '../ledger/dev-controls.js';
import type { Payment } from '../ledger/payment-index.js';
import { latin1 } from '../storage/latin1.js';
import { valueOfRaw } from '../storage/state.js';
import { type AccessRecorder, BEFORE, slotName, type Writer } from './access-recorder.js';
import { BalanceOverflowError } from './balance-overflow-error.js';
import type { StateEntry, StateSource } from './state-source.js';
import { addWrite, type CodeBlob, inKeyOrder, type StateWrite } from './state-writes.js';

/** A point that {@link WorldState.revert} returns to. */
export type Savepoint = number;

export interface WrittenValue {
  readonly value: Uint8Array | undefined;
  readonly writer: Writer;
  /** The source's entry of the same key, if the writer knows it. */
  readonly entry?: StateEntry;
}

/** A written slot; an undefined value removes it. */
export interface SlotWrite extends WrittenValue {
  readonly contract: Uint8Array;
  readonly slot: Uint8Array;
}

/** A written consensus record; an undefined value removes it. */
export interface RecordWrite {
  /** See `ledger/state-keys.ts`. */
  readonly name: Uint8Array;
  readonly value: Uint8Array | undefined;
}

/** Writes between a state and its source; they count as written before the state's transactions. */
export interface EarlierWrites {
  account(address: string): AccountRecord | undefined;
  /** @param name see `slotName` */
  slot(name: string): WrittenValue | undefined;
  /** @param name as Latin-1 */
  record(name: string): WrittenValue | undefined;
}

/** What a transaction left besides its writes. */
export interface EndedTransaction {
  readonly logs: readonly LedgerLog[];
  /** Contracts involved at any depth, 40 lowercase hex digits each. */
  readonly touched: readonly string[];
  /** One for each recipient. */
  readonly payments: readonly Payment[];
}

/** Names of written values; see {@link WorldState.trackChanges}. */
export interface ChangedNames {
  readonly accounts: Set<string>;
  readonly slots: Set<string>;
  readonly records: Set<string>;
}

/** The previous value of a map, undefined if it had none; or a list whose last element was added. */
type Undo =
  | { readonly map: Map<string, unknown>; readonly name: string; readonly before: unknown }
  | unknown[];

const NONE: readonly never[] = [];

/** Number of slots whose entries are cached between reading and writing them. */
const LAST_READS = 8;

function storedValue({ raw }: StateEntry): Uint8Array | undefined {
  return raw === undefined ? undefined : valueOfRaw(raw);
}

/** Empties a list, which keeps its memory: setting its length would give up that of a short one too. */
function empty(list: unknown[]): void {
  while (list.length > 0) list.pop();
}

/** A changed record; spreading the old one takes several times as long. */
function accountWith(
  { deploy_index, contract }: AccountRecord,
  balance: bigint,
  lanes: readonly Lane[],
): AccountRecord {
  return contract === undefined
    ? { balance, lanes, deploy_index }
    : { balance, lanes, deploy_index, contract };
}

/** Adds up the payments to each recipient. An amount may be paid back and forth, so that the sum has a limit. */
function byRecipient(payments: readonly Payment[]): readonly Payment[] {
  const [first] = payments;
  if (first === undefined) return NONE;
  if (payments.length === 1) return [first];
  const sums = new Map<string, bigint>();
  for (const { to, amount } of payments) sums.set(to, (sums.get(to) ?? 0n) + amount);
  return Array.from(sums, ([to, sum]) => ({ to, amount: bigMin(sum, MAX_BALANCE) }));
}

/**
 * The state during the execution of a block: the source, overlaid with the writes so far, which can be reverted to a
 * savepoint. Addresses as text are 40 lowercase hex digits. Values passed in must not change afterwards.
 */
export class WorldState {
  readonly #source: StateSource;
  readonly #earlier: EarlierWrites | undefined;
  readonly #accounts = new Map<string, AccountRecord>();
  readonly #slots = new Map<string, SlotWrite>();
  /** Writers of the contract records that overlay the source. */
  #contractWriters: Map<ContractRecord, Writer> | undefined;
  /** The last writers that removed contracts, by address. */
  #removals: Map<string, Writer> | undefined;
  // Created with the first write: a view call, which has its own state, writes none of these.
  #records: Map<string, RecordWrite> | undefined;
  #codes: Map<string, CodeBlob> | undefined;
  #idls: Map<string, CodeBlob> | undefined;
  /** For each map, the set that collects the names of its writes; see {@link trackChanges}. */
  #changed: ReadonlyMap<object, Set<string>> | undefined;
  readonly #undo: Undo[] = [];
  #logs: LedgerLog[] = [];
  #touched = new Set<string>();
  /** The payments of the transaction so far, in order. */
  #payments: Payment[] = [];
  /** Whether undo steps are kept beyond the end of a transaction. */
  #isInGroup = false;
  readonly #recorder: AccessRecorder | undefined;
  #writer: Writer = BEFORE;
  /** The last slots read: most written slots were read just before. */
  readonly #lastReads: { readonly name: string; readonly entry: StateEntry }[] = [];
  #reads = 0;

  /** @param recorder records the accesses of transactions; no overhead if absent */
  constructor(source: StateSource, recorder?: AccessRecorder, earlier?: EarlierWrites) {
    this.#source = source;
    this.#earlier = earlier;
    this.#recorder = recorder;
  }

  begin(writer: Writer): void {
    this.#writer = writer;
    this.#recorder?.begin(writer);
  }

  /** Returns a whole account. Recorded as a read of all its parts, more than a transaction needs. */
  account(address: string): AccountRecord {
    const record = this.peekAccount(address);
    if (this.#recorder !== undefined) {
      this.#recorder.balanceRead(address, record.balance);
      this.#recorder.deployIndexRead(address, record.deploy_index);
      this.#recorder.contractRead(address, this.#contractWriter(address, record.contract));
    }
    return record;
  }

  /** Writes a whole account. Must not be used while accesses are recorded, which only cover parts of it. */
  writeAccount(address: string, record: AccountRecord): void {
    this.#set(this.#accounts, address, record);
  }

  balance(address: string): bigint {
    const { balance } = this.peekAccount(address);
    this.#recorder?.balanceRead(address, balance);
    return balance;
  }

  /** Returns an account without recording a read. */
  peekAccount(address: string): AccountRecord {
    const written = this.#accounts.get(address) ?? this.#earlier?.account(address);
    return written ?? this.#source.account(address).record;
  }

  covers(address: string, amount: bigint): boolean {
    const { balance } = this.peekAccount(address);
    this.#recorder?.balanceCompared(address, balance, amount);
    return balance >= amount;
  }

  /** Adds to a balance without reading it; a negative change subtracts. @throws BalanceOverflowError */
  addBalance(address: string, change: bigint): void {
    const record = this.peekAccount(address);
    this.#recorder?.balanceChanged(address, record.balance);
    const balance = record.balance + change;
    if (balance > MAX_BALANCE) throw new BalanceOverflowError(balance);
    this.writeAccount(address, accountWith(record, balance, record.lanes));
  }

  /** Pays; returns false, with nothing changed, if `from` has too little. @throws BalanceOverflowError */
  moveBalance(from: string, to: string, amount: bigint): boolean {
    if (!this.covers(from, amount)) return false;
    if (amount === 0n || from === to) return true;
    this.addBalance(from, -amount);
    this.addBalance(to, amount);
    this.#append(this.#payments, { to, amount });
    return true;
  }

  /** The lanes that an account has used. Not a recorded read: block assembly checks nonces. */
  lanes(address: string): readonly Lane[] {
    return this.peekAccount(address).lanes;
  }

  /** Reserves a transaction's fee and sets its lane's next nonce. */
  startTransaction(sender: string, lanes: readonly Lane[], reserved: bigint): void {
    const record = this.peekAccount(sender);
    this.#recorder?.balanceChanged(sender, record.balance);
    this.writeAccount(sender, accountWith(record, record.balance - reserved, lanes));
  }

  /** Sets the lanes of another account than the sender's. Not recorded, like {@link lanes}. */
  writeLanes(address: string, lanes: readonly Lane[]): void {
    this.writeAccount(address, { ...this.peekAccount(address), lanes: [...lanes] });
  }

  contract(address: string): ContractRecord | undefined {
    const { contract } = this.peekAccount(address);
    this.#recorder?.contractRead(address, this.#contractWriter(address, contract));
    return contract;
  }

  adoptContract(address: string, contract: ContractRecord, writer: Writer): void {
    this.#contractWriters ??= new Map();
    this.#contractWriters.set(contract, writer);
    this.writeAccount(address, { ...this.peekAccount(address), contract });
  }

  removeContract(address: string): void {
    this.#recorder?.contractWrites.add(address);
    this.adoptRemoval(address, this.#writer);
  }

  adoptRemoval(address: string, writer: Writer): void {
    this.#removals ??= new Map();
    this.#set(this.#removals, address, writer);
    const { contract: _, ...rest } = this.peekAccount(address);
    this.writeAccount(address, rest);
  }

  writeContract(address: string, contract: ContractRecord): void {
    this.#recorder?.contractWrites.add(address);
    this.adoptContract(address, contract, this.#writer);
  }

  /** Returns the writer of the record that {@link contract} returns. */
  contractWriter(address: string): Writer {
    return this.#contractWriter(address, this.peekAccount(address).contract);
  }

  /** Returns the number of contracts that an account has deployed. */
  deployIndex(address: string): bigint {
    const { deploy_index } = this.peekAccount(address);
    this.#recorder?.deployIndexRead(address, deploy_index);
    return deploy_index;
  }

  writeDeployIndex(address: string, index: bigint): void {
    this.writeAccount(address, { ...this.peekAccount(address), deploy_index: index });
  }

  slot(contract: Uint8Array, slot: Uint8Array): Uint8Array | undefined {
    const name = slotName(contract, slot);
    const written = this.#written(name);
    this.#recorder?.slotRead(name, written?.writer ?? BEFORE);
    return written === undefined ? storedValue(this.#entry(name, contract, slot)) : written.value;
  }

  /** Writes a slot, which also reads it. @returns length in bytes of the previous value; undefined if none */
  replaceSlot(contract: Uint8Array, slot: Uint8Array, value: Uint8Array): number | undefined {
    return this.#replace(contract, slot, value, true);
  }

  /** @returns length in bytes of the removed value; undefined if there was none, in which case nothing is written */
  removeSlot(contract: Uint8Array, slot: Uint8Array): number | undefined {
    return this.#replace(contract, slot, undefined, false);
  }

  /** Writes a slot without reading it. @param value undefined removes the slot */
  writeSlot(contract: Uint8Array, slot: Uint8Array, value: Uint8Array | undefined): void {
    const name = slotName(contract, slot);
    this.#recorder?.slotWrites.add(name);
    this.#set(this.#slots, name, { contract, slot, value, writer: this.#writer });
  }

  /** Returns the write of a slot by name (see {@link slotName}), or undefined if there is none. */
  slotWrite(name: string): SlotWrite | undefined {
    return this.#slots.get(name);
  }

  adoptSlot(name: string, write: SlotWrite): void {
    this.#set(this.#slots, name, write);
  }

  /** Returns a consensus record. Contracts have no access to them: reads and writes are never recorded. */
  record(name: Uint8Array): Uint8Array | undefined {
    const key = latin1(name);
    const written = this.#records?.get(key) ?? this.#earlier?.record(key);
    if (written !== undefined) return written.value;
    return storedValue(this.#source.record(name));
  }

  writeRecord(name: Uint8Array, value: Uint8Array | undefined): void {
    this.#records ??= new Map();
    this.#set(this.#records, latin1(name), { name, value });
  }

  code(hash: Uint8Array): Uint8Array | undefined {
    return this.#codes?.get(toHex(hash))?.bytes ?? this.#source.code(hash);
  }

  addCode(blob: CodeBlob): void {
    const name = toHex(blob.hash);
    this.#codes ??= new Map();
    this.#record(this.#recorder?.codes, blob);
    // A second deployment of the same code reuses the code prepared by the first.
    const prepared = blob.prepared ?? this.#codes.get(name)?.prepared;
    this.#set(this.#codes, name, prepared === undefined ? blob : { ...blob, prepared });
  }

  addIdl(blob: CodeBlob): void {
    this.#record(this.#recorder?.idls, blob);
    this.#idls ??= new Map();
    this.#set(this.#idls, toHex(blob.hash), blob);
  }

  /** The events since the last transaction ended. */
  get logs(): readonly LedgerLog[] {
    return this.#logs;
  }

  emit(log: LedgerLog): void {
    this.#append(this.#logs, log);
  }

  /** Notes that a transaction involves a contract; not undone by a revert. */
  touch(contract: string): void {
    this.#touched.add(contract);
  }

  savepoint(): Savepoint {
    return this.#undo.length;
  }

  revert(savepoint: Savepoint): void {
    while (this.#undo.length > savepoint) {
      const step = this.#undo.pop();
      if (step === undefined) return;
      if (Array.isArray(step)) step.pop();
      else if (step.before === undefined) step.map.delete(step.name);
      else step.map.set(step.name, step.before);
    }
  }

  endTransaction(): EndedTransaction {
    const logs = this.#logs.length === 0 ? NONE : this.#logs;
    const touched = this.#touched.size === 0 ? NONE : [...this.#touched];
    const payments = byRecipient(this.#payments);
    if (logs !== NONE) this.#logs = [];
    if (touched !== NONE) this.#touched = new Set();
    empty(this.#payments);
    if (!this.#isInGroup) empty(this.#undo);
    return { logs, touched, payments };
  }

  /** Begins a group, between transactions: the following ones can be reverted together until {@link commitGroup}. */
  beginGroup(): Savepoint {
    this.#isInGroup = true;
    return this.savepoint();
  }

  /** Ends a group and keeps its remaining writes. */
  commitGroup(): void {
    this.#isInGroup = false;
    this.#undo.length = 0;
  }

  /** Collects the names of written values, also of earlier and reverted ones; callers may clear them. */
  trackChanges(): ChangedNames {
    this.#records ??= new Map();
    const changed = {
      accounts: new Set(this.#accounts.keys()),
      slots: new Set(this.#slots.keys()),
      records: new Set(this.#records.keys()),
    };
    this.#changed = new Map<object, Set<string>>([
      [this.#accounts, changed.accounts],
      [this.#slots, changed.slots],
      [this.#records, changed.records],
    ]);
    return changed;
  }

  accountWrite(address: string): AccountRecord | undefined {
    return this.#accounts.get(address);
  }

  /** Returns the write of a consensus record by its name as {@link latin1}, or undefined if there is none. */
  recordWrite(name: string): RecordWrite | undefined {
    return this.#records?.get(name);
  }

  /** Returns the written accounts, in the order of their first write. */
  writtenAccounts(): IterableIterator<[address: string, record: AccountRecord]> {
    return this.#accounts.entries();
  }

  /** Returns the written slots, in the order of their first write. */
  writtenSlots(): IterableIterator<SlotWrite> {
    return this.#slots.values();
  }

  /**
   * Returns the net changes, ascending by key. A name that the block copies from a forked chain and removes again
   * counts as changed: until the copy, it has the value of that chain.
   * @param areNamed whether slots that are new to the state have their names
   */
  writes(areNamed = false): StateWrite[] {
    const writes: StateWrite[] = [];
    for (const [address, record] of this.#accounts) {
      const value = isEmptyAccount(record) ? undefined : ledger.AccountRecord.encode(record);
      this.#addWrite(writes, this.#source.account(address), value, { account: { address, record } });
    }
    for (const { contract, slot, value, entry } of this.#slots.values()) {
      const before = entry ?? this.#source.slot(contract, slot);
      const isNamed = areNamed && before.raw === undefined;
      this.#addWrite(writes, before, value, isNamed ? { name: Buffer.concat([contract, slot]) } : undefined);
    }
    for (const { name, value } of this.#records?.values() ?? []) {
      addWrite(writes, this.#source.record(name), value);
    }
    return inKeyOrder(writes);
  }

  codes(): CodeBlob[] {
    return [...(this.#codes?.values() ?? [])];
  }

  idls(): CodeBlob[] {
    return [...(this.#idls?.values() ?? [])];
  }

  #addWrite(
    writes: StateWrite[],
    before: StateEntry,
    value: Uint8Array | undefined,
    of: Pick<StateWrite, 'account' | 'name'> | undefined,
  ): void {
    const { key, raw } = before;
    if (raw !== undefined || value !== undefined) addWrite(writes, before, value, of);
    else if (this.#slots.has(slotName(DEV_CONTROLS_ADDRESS, key)))
      writes.push({ key, previous: raw, value, ...of });
  }

  /** @param isWrittenIfAbsent whether to write if the slot has no value */
  #replace(
    contract: Uint8Array,
    slot: Uint8Array,
    value: Uint8Array | undefined,
    isWrittenIfAbsent: boolean,
  ): number | undefined {
    const name = slotName(contract, slot);
    const written = this.#written(name);
    this.#recorder?.slotRead(name, written?.writer ?? BEFORE);
    const entry = written === undefined ? this.#entry(name, contract, slot) : written.entry;
    const before = written === undefined ? entry && storedValue(entry) : written.value;
    if (before === undefined && !isWrittenIfAbsent) return undefined;
    this.#recorder?.slotWrites.add(name);
    const writer = this.#writer;
    // Not a spread with one more property: Node 20 makes a new hidden class for each such object, in 3 µs.
    const write =
      entry === undefined ? { contract, slot, value, writer } : { contract, slot, value, writer, entry };
    this.#set(this.#slots, name, write);
    return before?.length;
  }

  /** Returns the source's entry of a slot, from the cache if the slot was read recently. */
  #entry(name: string, contract: Uint8Array, slot: Uint8Array): StateEntry {
    for (const read of this.#lastReads) {
      if (read.name === name) return read.entry;
    }
    const entry = this.#source.slot(contract, slot, name);
    this.#lastReads[this.#reads++ % LAST_READS] = { name, entry };
    return entry;
  }

  #written(name: string): WrittenValue | undefined {
    return this.#slots.get(name) ?? this.#earlier?.slot(name);
  }

  #contractWriter(address: string, contract: ContractRecord | undefined): Writer {
    const writer =
      contract === undefined ? this.#removals?.get(address) : this.#contractWriters?.get(contract);
    return writer ?? BEFORE;
  }

  /** Records an added code or interface until the addition is undone. */
  #record(added: CodeBlob[] | undefined, blob: CodeBlob): void {
    if (added !== undefined) this.#append(added, blob);
  }

  #append<T>(list: T[], element: T): void {
    list.push(element);
    this.#undo.push(list);
  }

  #set<V>(map: Map<string, V>, name: string, value: V): void {
    this.#changed?.get(map)?.add(name);
    // A closure would take three times the memory, and a transfer has four of these.
    this.#undo.push({ map, name, before: map.get(name) });
    map.set(name, value);
  }
}
