import { Bytes } from "./bytes";
import * as host from "./host";
import { revert } from "./revert";
import { readUtf8 } from "./text";

/**
 * Reads consecutive Borsh values. Strict: only a value's canonical encoding is accepted, anything else reverts. Fixed
 * bytes and 128-bit integers are views of the input.
 */
@unmanaged
@final
export class Reader {
  private at: usize;
  private end: usize;

  constructor(pointer: usize, length: u32) {
    this.at = pointer;
    this.end = pointer + length;
  }

  /** Reads from bytes. */
  static of(bytes: Bytes): Reader {
    return new Reader(bytes.pointer, bytes.length);
  }

  /** The input of this call. */
  static input(): Reader {
    const length = host.input_size();
    const pointer = heap.alloc(length);
    host.input_read(pointer, 0, length);
    return new Reader(pointer, length);
  }

  /** The output of the last call to another contract. */
  static returned(): Reader {
    const length = host.returned_size();
    const pointer = heap.alloc(length);
    host.returned_read(pointer, 0, length);
    return new Reader(pointer, length);
  }

  /** Number of unread bytes. */
  get left(): u32 {
    return <u32>(this.end - this.at);
  }

  /** Skips the next `length` bytes and returns a pointer to them. */
  take(length: u32): usize {
    const pointer = this.at;
    if (length > <u32>(this.end - pointer)) revert("malformed data: it ends early");
    this.at = pointer + length;
    return pointer;
  }

  /** Reverts if bytes are left. */
  finish(): void {
    if (this.at != this.end) revert("malformed data: bytes follow its end");
  }

  /** Reads an integer, little-endian. */
  // @ts-ignore: decorator
  @inline
  integer<T>(): T {
    return load<T>(this.take(sizeof<T>()));
  }

  /** Reads a bool; reverts unless the byte is 0 or 1. */
  bool(): bool {
    const flag = this.integer<u8>();
    if (flag > 1) revert("malformed data: a flag is neither 0 nor 1");
    return flag == 1;
  }

  /** Reads a string; reverts if it is not valid UTF-8. @param most maximum length in UTF-8 bytes */
  string(most: u32 = u32.MAX_VALUE): string {
    const length = this.integer<u32>();
    if (length > most) tooLong();
    const text = readUtf8(this.take(length), length);
    if (text === null) revert("malformed data: text is not UTF-8");
    return text!;
  }

  /** Reads `bytes` of the IDL. @param most maximum length; reverts if there are more */
  bytes(most: u32 = u32.MAX_VALUE): Bytes {
    const length = this.integer<u32>();
    if (length > most) tooLong();
    return new Bytes(this.take(length), length);
  }

  /** The index of an enum's variant. */
  variant(count: u32): u8 {
    const tag = this.integer<u8>();
    if (<u32>tag >= count) revert("malformed data: unknown variant");
    return tag;
  }

  /** `bytesN` of the IDL. */
  fixedBytes(length: u32): Bytes {
    return new Bytes(this.take(length), length);
  }

  /**
   * The length of a list with items of at least `leastItemSize` bytes, checked against the unread bytes, so that a
   * false length reserves no memory.
   */
  listLength(leastItemSize: u32, most: u32 = u32.MAX_VALUE): i32 {
    const length = this.integer<u32>();
    if (length > most) tooLong();
    if (<u64>length * leastItemSize > <u64>this.left) revert("malformed data: it ends early");
    return <i32>length;
  }

  /** A value of any encodable type; see `Writer.write`. */
  read<T>(): T {
    if (isBoolean<T>()) return this.bool();
    else if (isInteger<T>()) return this.integer<T>();
    else if (isString<T>()) return this.string();
    else if (isArray<T>()) {
      const length = this.listLength(1);
      const list = instantiate<T>(length);
      for (let i = 0; i < length; i++) unchecked((list[i] = this.read<valueof<T>>()));
      return list;
    } else if (isManaged<T>()) {
      const value = changetype<T>(__new(offsetof<T>(), idof<T>()));
      value.decode(this);
      return value;
    } else return changetype<T>(this.take(offsetof<T>()));
  }
}

function tooLong(): void {
  revert("malformed data: longer than allowed");
}
