import type { ContractRecord } from '../../generated/ledger.js';
import { ledger } from '../../ledger/codecs.js';
import type { Payment } from '../../ledger/payment-index.js';
import { latin1 } from '../../storage/latin1.js';
import { type AccessRecorder, SLOT_NAME_BYTES, type Writer } from '../access-recorder.js';
import type { CandidateFault } from '../candidates-at-fault.js';
import type { StateEntry, StateSource } from '../state-source.js';
import type { CodeBlob } from '../state-writes.js';
import type { WorldState } from '../world-state.js';
import { FlatReader, FlatWriter, readPayment, writePayment } from './flat-bytes.js';

export interface SpeculationResult {
  /** Encoded result of each transaction: see {@link ResultWriter}. */
  readonly outcomes: Uint8Array;
  /** Code and interface texts that transactions added, by index of the transaction. */
  readonly blobs: readonly SpeculatedBlob[];
  /** The groups whose execution threw; if there are any, the other fields are meaningless. */
  readonly faults: readonly CandidateFault[];
  /** End of the last group begun; 0 if none was. */
  readonly reached: number;
  readonly workMs: number;
  /** Gas used by groups whose outcomes can turn out invalid, also by one that has none. */
  readonly risked: bigint;
  /** The group at which the task ended early because the allowance did not suffice; it and those after it have no outcome. */
  readonly stopped?: {
    /** Index of the group's first transaction. */
    readonly start: number;
    /** Gas used by its transaction that was cut off; undefined if the group did not begin. */
    readonly gas: bigint | undefined;
  };
}

export interface SpeculatedBlob {
  readonly index: number;
  readonly column: 'code' | 'idl';
  readonly blob: CodeBlob;
}

/** The result of a tried transaction, without what it accessed. */
interface TriedTransaction {
  readonly index: number;
  /** Whether the transaction was the first of its lane. */
  readonly opensLane: boolean;
  readonly success: boolean;
  readonly gasUsed: bigint;
  /** In the encoding of `encodeStoredReceipt`. */
  readonly storedReceipt: Uint8Array;
  readonly hasLogs: boolean;
  /** 40 lowercase hex digits each. */
  readonly touched: readonly string[];
  readonly payments: readonly Payment[];
}

/** A tried transaction, with everything its outcome depends on. */
export interface Speculation extends TriedTransaction {
  /** Slots read, as indices in {@link SpeculatedUnits.slots}, each followed by the writer of the value seen. */
  readonly slotReads: Int32Array;
  readonly slotWrites: readonly SpeculatedSlot[];
  readonly contractReads: readonly { readonly address: string; readonly writer: Writer }[];
  /** A record is absent if the contract was removed. */
  readonly contractWrites: readonly {
    readonly address: string;
    readonly record: ContractRecord | undefined;
  }[];
  readonly accounts: readonly SpeculatedAccount[];
  readonly deployments: readonly SpeculatedDeployments[];
}

export interface SpeculatedSlot {
  /** Index in {@link SpeculatedUnits.slots}. */
  readonly slot: number;
  readonly value: Uint8Array | undefined;
  /** The slot's entry in the state before the block. */
  readonly entry: StateEntry;
}

/** The change of an account's balance, excluding the fee. */
export interface SpeculatedAccount {
  readonly address: string;
  /** Least balance with the same outcome. */
  readonly low: bigint | undefined;
  /** Greatest balance with the same outcome. */
  readonly high: bigint | undefined;
  readonly change: bigint;
}

export interface SpeculatedDeployments {
  readonly address: string;
  /** The deployment index before the transaction, which the outcome requires. */
  readonly before: bigint;
  readonly after: bigint;
}

/** A slot accessed by transactions of a task. */
export interface TouchedSlot {
  /** See `slotName`. */
  readonly name: string;
  /** The same as bytes: contract 20 ‖ slot 32. */
  readonly bytes: Uint8Array;
}

export interface SpeculatedUnits {
  readonly slots: readonly TouchedSlot[];
  /** Transactions that were tried, in order; of a bundle, up to the first that failed. */
  readonly transactions: readonly Speculation[];
}

const OPENS_LANE = 1;
const SUCCESS = 2;
const HAS_LOGS = 4;

const HAS_LOW = 1;
const HAS_HIGH = 2;

export interface OutcomeToWrite extends TriedTransaction {
  readonly sender: string;
  readonly fee: bigint;
}

/** Encodes the results of a task one by one. A slot is written in full only at its first occurrence. */
export class ResultWriter {
  readonly #writer = new FlatWriter();
  readonly #numbers = new Map<string, number>();
  /** Slots whose entries have been written. */
  readonly #described = new Set<number>();
  readonly #source: StateSource;

  constructor(source: StateSource) {
    this.#source = source;
  }

  /** Adds a transaction that has just ended; its index is its writer. */
  add(outcome: OutcomeToWrite, recorder: AccessRecorder, state: WorldState): void {
    const writer = this.#writer;
    const { index: self } = outcome;
    writer.u32(self);
    writer.u8(
      (outcome.opensLane ? OPENS_LANE : 0) |
        (outcome.success ? SUCCESS : 0) |
        (outcome.hasLogs ? HAS_LOGS : 0),
    );
    writer.u64(outcome.gasUsed);
    writer.bytes(outcome.storedReceipt);
    writer.list(outcome.touched, (address) => writer.name(address));
    writer.list(outcome.payments, (payment) => writePayment(writer, payment));
    writer.u32(recorder.slotReads.size);
    for (const [name, seen] of recorder.slotReads) {
      this.#slot(name);
      writer.u32(seen + 1);
    }
    this.#slotWrites(recorder, state, self);
    writer.u32(recorder.contractReads.size);
    for (const [address, seen] of recorder.contractReads) {
      writer.name(address);
      writer.u32(seen + 1);
    }
    this.#contractWrites(recorder, state, self);
    this.#accounts(outcome, recorder, state);
    writer.u32(recorder.deployIndexes.size);
    for (const [address, before] of recorder.deployIndexes) {
      writer.name(address);
      writer.u64(before);
      writer.u64(state.peekAccount(address).deploy_index);
    }
  }

  finish(): Uint8Array {
    return this.#writer.finish();
  }

  /** Writes the slot changes that were not undone. */
  #slotWrites(recorder: AccessRecorder, state: WorldState, self: Writer): void {
    const count = this.#writer.length;
    this.#writer.u32(0);
    let written = 0;
    for (const name of recorder.slotWrites) {
      const write = state.slotWrite(name);
      if (write === undefined || write.writer !== self) continue;
      written++;
      const number = this.#slot(name);
      this.#writer.bytes(write.value);
      if (this.#described.has(number)) continue;
      this.#described.add(number);
      const { key, raw } = this.#source.slot(write.contract, write.slot);
      this.#writer.raw(key);
      this.#writer.bytes(raw);
    }
    this.#writer.u32At(count, written);
  }

  #contractWrites(recorder: AccessRecorder, state: WorldState, self: Writer): void {
    const written = [...recorder.contractWrites].filter((address) => state.contractWriter(address) === self);
    this.#writer.list(written, (address) => {
      const record = state.peekAccount(address).contract;
      this.#writer.name(address);
      this.#writer.bytes(record === undefined ? undefined : ledger.ContractRecord.encode(record));
    });
  }

  #accounts({ sender, fee }: OutcomeToWrite, recorder: AccessRecorder, state: WorldState): void {
    const writer = this.#writer;
    const count = writer.length;
    writer.u32(0);
    let written = 0;
    for (const [address, { start, low, high }] of recorder.balances) {
      const end = state.peekAccount(address).balance;
      const change = end - start + (address === sender ? fee : 0n);
      if (change === 0n && low === undefined && high === undefined) continue;
      written++;
      writer.name(address);
      writer.u8((low === undefined ? 0 : HAS_LOW) | (high === undefined ? 0 : HAS_HIGH));
      if (low !== undefined) writer.amount(low);
      if (high !== undefined) writer.amount(high);
      writer.amount(change);
    }
    writer.u32At(count, written);
  }

  #slot(name: string): number {
    const known = this.#numbers.get(name);
    const number = known ?? this.#numbers.size;
    this.#writer.u32(number);
    if (known === undefined) {
      this.#numbers.set(name, number);
      this.#writer.name(name);
    }
    return number;
  }
}

/** Decodes the output of a {@link ResultWriter}. Byte arrays are views of it. */
export function decodeOutcomes(outcomes: Uint8Array): SpeculatedUnits {
  const reader = new OutcomeReader(outcomes);
  const transactions: Speculation[] = [];
  while (!reader.done) transactions.push(reader.next());
  return { slots: reader.slots, transactions };
}

class OutcomeReader {
  readonly slots: TouchedSlot[] = [];
  readonly #reader: FlatReader;
  readonly #entries = new Map<number, StateEntry>();

  constructor(outcomes: Uint8Array) {
    this.#reader = new FlatReader(outcomes);
  }

  get done(): boolean {
    return this.#reader.done;
  }

  next(): Speculation {
    const reader = this.#reader;
    const index = reader.u32();
    const flags = reader.u8();
    return {
      index,
      opensLane: (flags & OPENS_LANE) !== 0,
      success: (flags & SUCCESS) !== 0,
      hasLogs: (flags & HAS_LOGS) !== 0,
      gasUsed: reader.u64(),
      storedReceipt: reader.present(),
      touched: reader.list(() => reader.name(40)),
      payments: reader.list(() => readPayment(reader)),
      slotReads: this.#slotReads(),
      slotWrites: reader.list(() => this.#slotWrite()),
      contractReads: reader.list(() => ({ address: reader.name(40), writer: reader.u32() - 1 })),
      contractWrites: reader.list(() => ({
        address: reader.name(40),
        record: this.#contract(),
      })),
      accounts: reader.list(() => this.#account()),
      deployments: reader.list(() => ({
        address: reader.name(40),
        before: reader.u64(),
        after: reader.u64(),
      })),
    };
  }

  #contract(): ContractRecord | undefined {
    const encoded = this.#reader.bytes();
    return encoded === undefined ? undefined : ledger.ContractRecord.decode(encoded);
  }

  #slotReads(): Int32Array {
    const count = this.#reader.u32();
    const reads = new Int32Array(2 * count);
    for (let place = 0; place < reads.length; place += 2) {
      reads[place] = this.#slot();
      reads[place + 1] = this.#reader.u32() - 1;
    }
    return reads;
  }

  #slotWrite(): SpeculatedSlot {
    const slot = this.#slot();
    const value = this.#reader.bytes();
    let entry = this.#entries.get(slot);
    if (entry === undefined) {
      entry = { key: this.#reader.raw(32), raw: this.#reader.bytes() };
      this.#entries.set(slot, entry);
    }
    return { slot, value, entry };
  }

  #account(): SpeculatedAccount {
    const reader = this.#reader;
    const address = reader.name(40);
    const bounds = reader.u8();
    const low = (bounds & HAS_LOW) === 0 ? undefined : reader.amount();
    const high = (bounds & HAS_HIGH) === 0 ? undefined : reader.amount();
    return { address, low, high, change: reader.amount() };
  }

  #slot(): number {
    const number = this.#reader.u32();
    if (number === this.slots.length) {
      const bytes = this.#reader.raw(SLOT_NAME_BYTES);
      this.slots.push({ name: latin1(bytes), bytes });
    }
    return number;
  }
}
