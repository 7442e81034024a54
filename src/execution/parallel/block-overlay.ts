import type { AccountRecord } from '../../generated/ledger.js';
import { ledger } from '../../ledger/codecs.js';
import { latin1 } from '../../storage/latin1.js';
import { BEFORE, SLOT_NAME_BYTES } from '../access-recorder.js';
import type { ChangedNames, EarlierWrites, WorldState, WrittenValue } from '../world-state.js';
import { FlatReader, FlatWriter } from './flat-bytes.js';

/*
 * The writes of a block in progress, for workers that execute more of it. Each window adds a part with the writes since
 * the previous window. A worker indexes each part once, even if it runs many tasks.
 */

/** Writes of a block since the previous part. */
export interface OverlayPart {
  /** Unique in the process. */
  readonly id: number;
  /**
   * u32 accounts: address 40 ‖ bytes; u32 records: bytes name ‖ bytes or none; slots: name 52 ‖ bytes or none.
   */
  readonly bytes: Uint8Array<SharedArrayBuffer>;
}

const NO_BYTES = new Uint8Array(0);
let partsMade = 0;

/** Encodes the writes of one block, part by part. */
export class OverlayEncoder {
  readonly #state: WorldState;
  readonly #changed: ChangedNames;
  #parts: readonly OverlayPart[] = [];

  constructor(state: WorldState) {
    this.#state = state;
    this.#changed = state.trackChanges();
  }

  /** Returns all parts, after adding one for the writes since the previous call. Call it only between transactions. */
  parts(): readonly OverlayPart[] {
    const { accounts, records, slots } = this.#changed;
    if (accounts.size + records.size + slots.size === 0) return this.#parts;
    const writer = new FlatWriter();
    const accountWrites = writesOf(accounts, (address) => this.#state.accountWrite(address));
    writer.list(accountWrites, ([address, record]) => {
      writer.name(address);
      writer.bytes(ledger.AccountRecord.encode(record));
    });
    const recordWrites = writesOf(records, (name) => this.#state.recordWrite(name));
    writer.list(recordWrites, ([, write]) => {
      writer.bytes(write.name);
      writer.bytes(write.value);
    });
    for (const [, write] of writesOf(slots, (name) => this.#state.slotWrite(name))) {
      writer.raw(write.contract);
      writer.raw(write.slot);
      writer.bytes(write.value);
    }
    for (const names of [accounts, records, slots]) names.clear();
    this.#parts = [...this.#parts, { id: partsMade++, bytes: writer.finishShared() }];
    return this.#parts;
  }
}

/** Returns the writes of names, without those that were reverted. */
function writesOf<T>(names: Iterable<string>, writeOf: (name: string) => T | undefined): [string, T][] {
  const writes: [string, T][] = [];
  for (const name of names) {
    const write = writeOf(name);
    if (write !== undefined) writes.push([name, write]);
  }
  return writes;
}

/** Distance between the positions of two parts: greater than the size of a part. */
const PART_STEP = 2 ** 32;

/** A worker's view of the writes of the block in progress. Values are decoded when a transaction reads them. */
export class DecodedOverlay implements EarlierWrites {
  #ids: readonly number[] = [];
  #parts: Uint8Array[] = [];
  // Position of the last value of each name: part · PART_STEP + offset.
  #accounts = new Map<string, number>();
  #records = new Map<string, number>();
  #slots = new Map<string, number>();

  /** Replaces the writes with those in the parts. */
  set(parts: readonly OverlayPart[]): void {
    const known = this.#ids.every((id, place) => parts[place]?.id === id) ? this.#ids.length : 0;
    // Empty until all parts are indexed, so that the next call starts over after an error.
    this.#ids = [];
    if (known === 0) {
      this.#parts = [];
      this.#accounts = new Map();
      this.#records = new Map();
      this.#slots = new Map();
    }
    for (const { bytes } of parts.slice(known)) this.#index(bytes);
    this.#ids = parts.map(({ id }) => id);
  }

  account(address: string): AccountRecord | undefined {
    const place = this.#accounts.get(address);
    return place === undefined ? undefined : ledger.AccountRecord.decode(this.#value(place) ?? NO_BYTES);
  }

  slot(name: string): WrittenValue | undefined {
    const place = this.#slots.get(name);
    return place === undefined ? undefined : { value: this.#value(place), writer: BEFORE };
  }

  record(name: string): WrittenValue | undefined {
    const place = this.#records.get(name);
    return place === undefined ? undefined : { value: this.#value(place), writer: BEFORE };
  }

  #index(shared: Uint8Array<SharedArrayBuffer>): void {
    // Copied: the code that uses the values does not accept shared memory.
    const bytes = Uint8Array.from(shared);
    const start = this.#parts.push(bytes) * PART_STEP - PART_STEP;
    const reader = new FlatReader(bytes);
    const add = (places: Map<string, number>, name: string): void => {
      places.set(name, start + reader.at);
      reader.bytes();
    };
    reader.list(() => add(this.#accounts, reader.name(40)));
    reader.list(() => add(this.#records, latin1(reader.present())));
    while (!reader.done) add(this.#slots, reader.name(SLOT_NAME_BYTES));
  }

  #value(place: number): Uint8Array | undefined {
    const part = this.#parts[Math.floor(place / PART_STEP)] ?? NO_BYTES;
    return new FlatReader(part.subarray(place % PART_STEP)).bytes();
  }
}
