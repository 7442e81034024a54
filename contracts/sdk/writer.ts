import { Bytes } from "./bytes";
import * as host from "./host";
import { revert } from "./revert";
import { utf8Length, writeUtf8 } from "./text";

/** Writes consecutive Borsh values. */
@unmanaged
@final
export class Writer {
  private start: usize;
  private at: usize;
  private end: usize;

  /** @param capacity initial bytes; grows as needed */
  constructor(capacity: u32) {
    const start = heap.alloc(capacity);
    this.start = start;
    this.at = start;
    this.end = start + capacity;
  }

  /** Address of the first written byte; changes when the writer grows. */
  get pointer(): usize {
    return this.start;
  }

  /** Number of bytes written. */
  get length(): u32 {
    return <u32>(this.at - this.start);
  }

  /** Reserves `length` new bytes and returns a pointer to them. */
  reserve(length: u32): usize {
    let at = this.at;
    if (length > <u32>(this.end - at)) {
      this.grow(length);
      at = this.at;
    }
    this.at = at + length;
    return at;
  }

  private grow(length: u32): void {
    const used = this.length;
    const capacity = max((used + length) << 1, 64);
    const start = heap.alloc(capacity);
    memory.copy(start, this.start, used);
    this.start = start;
    this.at = start + used;
    this.end = start + capacity;
  }

  /** Writes an integer, little-endian. */
  // @ts-ignore: decorator
  @inline
  integer<T>(value: T): void {
    store<T>(this.reserve(sizeof<T>()), value);
  }

  /** Writes bytes without a length. */
  raw(pointer: usize, length: u32): void {
    memory.copy(this.reserve(length), pointer, length);
  }

  /** Writes a string. @param most maximum length in UTF-8 bytes; reverts if the text is longer */
  string(text: string, most: u32 = u32.MAX_VALUE): void {
    const length = utf8Length(text);
    if (length > most) tooLong();
    this.integer<u32>(length);
    writeUtf8(text, this.reserve(length));
  }

  /** Writes `bytes` of the IDL. @param most maximum length; reverts if there are more */
  bytes(bytes: Bytes, most: u32 = u32.MAX_VALUE): void {
    if (bytes.length > most) tooLong();
    bytes.encode(this);
  }

  /** Writes the length of a list. @param most maximum length; reverts if it is larger */
  listLength(length: u32, most: u32 = u32.MAX_VALUE): void {
    if (length > most) tooLong();
    this.integer<u32>(length);
  }

  /** Writes `bytesN` of the IDL; reverts for any other length. */
  fixedBytes(bytes: Bytes, length: u32): void {
    if (bytes.length != length) revert("bytes of another length than declared");
    this.raw(bytes.pointer, length);
  }

  /** Checks the length of a fixed-length list; reverts if it differs. */
  expectLength(length: i32, expected: i32): void {
    if (length != expected) revert("a list of another length than declared");
  }

  /**
   * Writes a value of any encodable type: integers, bool, string, Address, Hash, U128, I128, Bytes, Option, arrays, and
   * classes with `encode` and `decode`, such as those generated from the IDL.
   */
  write<T>(value: T): void {
    if (isInteger<T>()) this.integer<T>(value);
    else if (isString<T>()) this.string(value);
    else if (isArray<T>()) {
      const length = value.length;
      this.integer<u32>(length);
      for (let i = 0; i < length; i++) this.write<valueof<T>>(unchecked(value[i]));
    } else if (isManaged<T>()) value.encode(this);
    else this.raw(changetype<usize>(value), offsetof<T>());
  }

  /** The written bytes, as a view. */
  toBytes(): Bytes {
    return new Bytes(this.start, this.length);
  }

  /** Sets the written bytes as the output of this call. */
  setOutput(): void {
    host.set_output(this.start, this.length);
  }

  /** Reverts with the written bytes. */
  revert(): void {
    host.revert(this.start, this.length);
  }
}

function tooLong(): void {
  revert("a value longer than declared");
}
