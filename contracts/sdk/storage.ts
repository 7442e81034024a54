import * as host from "./host";
import { none, Option, some } from "./option";
import { Reader } from "./reader";
import { require, revert } from "./revert";
import { Writer } from "./writer";

// Storage layout.
//
// Every cell and mapping of a contract has a number, its field, which must never change. A cell is one value; a mapping
// has one for each key. A mapping with two keys concatenates them. Keys and values are Borsh. The slot of a key of L
// bytes is
//
//   L ≤ 27:   u8 L ‖ u32le field ‖ key ‖ zero bytes up to 32         (a cell has an empty key)
//   else:     u8 0xff ‖ the first 31 bytes of sha256(u32le field ‖ key)
//
// Keys of the first kind never collide, with each other or with the second kind; keys of the second kind collide only
// if 248 bits of sha256 do. (The node hashes slots, so their form cannot unbalance the state tree.)
//
// An absent value reads as the default: for types of fixed encoded size, an all-zero value is never stored.

const LONGEST_INLINE_KEY: u32 = 27;
const HASHED: u8 = 0xff;
/** Maximum field: a u64 bit set detects duplicates for free. */
const MAX_FIELD: u32 = 63;
/** Values of varying length up to this size take one read. */
const FIRST_READ: u32 = 512;

/** The current slot, 32 bytes. */
const slot = memory.data(32, 8);

/** Bit set of the fields in use. */
let fields: u64 = 0;

/** Claims a field, which then serves as the pointer of a cell or mapping; it takes no memory. */
function claim(field: u32): usize {
  require(field <= MAX_FIELD, "storage fields are numbered from 0 to 63");
  const bit = (<u64>1) << field;
  require((fields & bit) == 0, "two parts of the storage have the same field number");
  fields |= bit;
  return field;
}

function clearSlot(length: u8, field: u32): void {
  store<u64>(slot, <u64>length | ((<u64>field) << 8));
  store<u64>(slot, 0, 8);
  store<u64>(slot, 0, 16);
  store<u64>(slot, 0, 24);
}

function hashSlot(field: u32, writer: Writer): void {
  store<u32>(writer.pointer, field);
  const digest = heap.alloc(32);
  host.sha256(writer.pointer, writer.length, digest);
  store<u8>(slot, HASHED);
  memory.copy(slot + 1, digest, 31);
}

/** Sets the slot from encoded keys, which follow four bytes reserved for the field. */
function setSlot(field: u32, writer: Writer): void {
  const length = writer.length - 4;
  if (length > LONGEST_INLINE_KEY) hashSlot(field, writer);
  else {
    clearSlot(<u8>length, field);
    memory.copy(slot + 5, writer.pointer + 4, length);
  }
}

function setSlotOfKey<K>(field: u32, key: K): void {
  if (isInteger<K>()) {
    clearSlot(<u8>sizeof<K>(), field);
    store<K>(slot, key, 5);
  } else if (!isManaged<K>() && offsetof<K>() <= LONGEST_INLINE_KEY) {
    clearSlot(<u8>offsetof<K>(), field);
    memory.copy(slot + 5, changetype<usize>(key), offsetof<K>());
  } else {
    const writer = new Writer(68);
    writer.integer<u32>(0);
    writer.write<K>(key);
    setSlot(field, writer);
  }
}

function setSlotOfKeys<A, B>(field: u32, a: A, b: B): void {
  const writer = new Writer(68);
  writer.integer<u32>(0);
  writer.write<A>(a);
  writer.write<B>(b);
  setSlot(field, writer);
}

/** Whether the type has a fixed encoded size, and so a default. */
// @ts-ignore: decorator
@inline
function hasDefault<V>(): bool {
  return isInteger<V>() || (!isManaged<V>() && !isString<V>());
}

function loadValue<V>(): V {
  if (isInteger<V>()) {
    const out = memory.data(8, 8);
    const size = host.storage_read(slot, out, sizeof<V>());
    if (size < 0) return <V>0;
    if (size != sizeof<V>()) corrupt();
    return isBoolean<V>() ? <V>(load<u8>(out) != 0) : load<V>(out);
  } else if (hasDefault<V>()) {
    const out = heap.alloc(offsetof<V>());
    const size = host.storage_read(slot, out, offsetof<V>());
    if (size < 0) memory.fill(out, 0, offsetof<V>());
    else if (size != offsetof<V>()) corrupt();
    return changetype<V>(out);
  } else {
    const out = heap.alloc(FIRST_READ);
    const size = host.storage_read(slot, out, FIRST_READ);
    if (size < 0) revert("there is no value in storage");
    return decodeValue<V>(out, size);
  }
}

function findValue<V>(): Option<V> {
  if (hasDefault<V>()) ERROR("a type of fixed size has its default where nothing is stored: use get");
  const out = heap.alloc(FIRST_READ);
  const size = host.storage_read(slot, out, FIRST_READ);
  return size < 0 ? none<V>() : some<V>(decodeValue<V>(out, size));
}

/** @param out buffer with the first bytes of the slot's value @param size the value's full size */
function decodeValue<V>(out: usize, size: u32): V {
  if (size > FIRST_READ) {
    out = heap.alloc(size);
    host.storage_read(slot, out, size);
  }
  const reader = new Reader(out, size);
  const value = reader.read<V>();
  reader.finish();
  return value;
}

function storeValue<V>(value: V): void {
  if (isInteger<V>()) {
    if (value == <V>0) {
      host.storage_remove(slot);
      return;
    }
    const at = memory.data(8, 8);
    store<V>(at, value);
    host.storage_write(slot, at, sizeof<V>());
  } else if (hasDefault<V>()) {
    const at = changetype<usize>(value);
    if (isZero(at, offsetof<V>())) host.storage_remove(slot);
    else host.storage_write(slot, at, offsetof<V>());
  } else {
    const writer = new Writer(128);
    writer.write<V>(value);
    host.storage_write(slot, writer.pointer, writer.length);
  }
}

/** Whether all bytes are zero; `length` is a multiple of four. */
function isZero(at: usize, length: u32): bool {
  for (let i: u32 = 0; i < length; i += 4) {
    if (load<u32>(at + i) != 0) return false;
  }
  return true;
}

function corrupt(): void {
  revert("a value in storage has another size than its type");
}

/** One stored value. */
@unmanaged
@final
export class Cell<V> {
  /** @param field 0 to 63, never reused for anything else in this contract */
  constructor(field: u32) {
    return changetype<Cell<V>>(claim(field));
  }

  private get field(): u32 {
    return <u32>changetype<usize>(this);
  }

  /** The value. If it is absent, returns the default, or reverts for types of varying size. */
  get(): V {
    clearSlot(0, this.field);
    return loadValue<V>();
  }

  /** The value, or none. Only for types of varying size: others have a default. */
  find(): Option<V> {
    clearSlot(0, this.field);
    return findValue<V>();
  }

  /** Stores the value; the default of a fixed-size type is stored by removing the slot. */
  set(value: V): void {
    clearSlot(0, this.field);
    storeValue<V>(value);
  }

  /** Whether a value is stored. A stored default counts as absent. */
  exists(): bool {
    clearSlot(0, this.field);
    return host.storage_exists(slot) != 0;
  }

  /** Removes the value; returns whether there was one. */
  remove(): bool {
    clearSlot(0, this.field);
    return host.storage_remove(slot) != 0;
  }
}

/** A stored value for each key. */
@unmanaged
@final
export class Mapping<K, V> {
  /** @param field 0 to 63, never reused for anything else in this contract */
  constructor(field: u32) {
    return changetype<Mapping<K, V>>(claim(field));
  }

  private get field(): u32 {
    return <u32>changetype<usize>(this);
  }

  /** The value. If it is absent, returns the default, or reverts for types of varying size. */
  get(key: K): V {
    setSlotOfKey<K>(this.field, key);
    return loadValue<V>();
  }

  /** The value, or none. Only for types of varying size: others have a default. */
  find(key: K): Option<V> {
    setSlotOfKey<K>(this.field, key);
    return findValue<V>();
  }

  /** Stores the value; the default of a fixed-size type is stored by removing the slot. */
  set(key: K, value: V): void {
    setSlotOfKey<K>(this.field, key);
    storeValue<V>(value);
  }

  /** Whether a value is stored for the key. A stored default counts as absent. */
  has(key: K): bool {
    setSlotOfKey<K>(this.field, key);
    return host.storage_exists(slot) != 0;
  }

  /** Removes the value; returns whether there was one. */
  remove(key: K): bool {
    setSlotOfKey<K>(this.field, key);
    return host.storage_remove(slot) != 0;
  }
}

/** A stored value for each pair of keys. */
@unmanaged
@final
export class Mapping2<A, B, V> {
  /** @param field 0 to 63, never reused for anything else in this contract */
  constructor(field: u32) {
    return changetype<Mapping2<A, B, V>>(claim(field));
  }

  private get field(): u32 {
    return <u32>changetype<usize>(this);
  }

  /** The value. If it is absent, returns the default, or reverts for types of varying size. */
  get(a: A, b: B): V {
    setSlotOfKeys<A, B>(this.field, a, b);
    return loadValue<V>();
  }

  /** The value, or none. Only for types of varying size: others have a default. */
  find(a: A, b: B): Option<V> {
    setSlotOfKeys<A, B>(this.field, a, b);
    return findValue<V>();
  }

  /** Stores the value; the default of a fixed-size type is stored by removing the slot. */
  set(a: A, b: B, value: V): void {
    setSlotOfKeys<A, B>(this.field, a, b);
    storeValue<V>(value);
  }

  /** Whether a value is stored for the key. A stored default counts as absent. */
  has(a: A, b: B): bool {
    setSlotOfKeys<A, B>(this.field, a, b);
    return host.storage_exists(slot) != 0;
  }

  /** Removes the value; returns whether there was one. */
  remove(a: A, b: B): bool {
    setSlotOfKeys<A, B>(this.field, a, b);
    return host.storage_remove(slot) != 0;
  }
}

/** A reentrancy guard. */
@unmanaged
@final
export class Lock {
  /** @param field 0 to 63, never reused for anything else in this contract */
  constructor(field: u32) {
    return changetype<Lock>(claim(field));
  }

  private get held(): Cell<bool> {
    return changetype<Cell<bool>>(changetype<usize>(this));
  }

  /** Reverts if the lock is already held. */
  acquire(): void {
    require(!this.held.get(), "the contract is in the middle of another call");
    this.held.set(true);
  }

  /** Releases the lock. */
  release(): void {
    this.held.set(false);
  }
}
