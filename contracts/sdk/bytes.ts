import { Reader } from "./reader";
import { revert } from "./revert";
import { Writer } from "./writer";

/** Bytes of any length: `bytes` and `bytesN` of the IDL. An immutable view of memory, not a copy. */
@final
export class Bytes {
  private at: usize;
  private size: u32;

  constructor(pointer: usize, length: u32) {
    this.at = pointer;
    this.size = length;
  }

  /** Address of the first byte in memory. */
  get pointer(): usize {
    return this.at;
  }

  /** Number of bytes. */
  get length(): u32 {
    return this.size;
  }

  /** No bytes. */
  static empty(): Bytes {
    return new Bytes(0, 0);
  }

  /** The bytes of an address, a hash or a 128-bit integer. */
  static of<T>(value: T): Bytes {
    if (isManaged<T>()) ERROR("expected Address, Hash, U128 or I128");
    return new Bytes(changetype<usize>(value), offsetof<T>());
  }

  @operator("[]")
  private get(index: i32): u8 {
    if (<u32>index >= this.length) revert("index outside the bytes");
    return load<u8>(this.pointer + index);
  }

  /** Bytes from `start` to `end`, exclusive. */
  slice(start: u32, end: u32): Bytes {
    if (start > end || end > this.length) revert("slice outside the bytes");
    return new Bytes(this.pointer + start, end - start);
  }

  @operator("==")
  equals(other: Bytes): bool {
    return this.length == other.length && memory.compare(this.pointer, other.pointer, this.length) == 0;
  }

  @operator("!=")
  differs(other: Bytes): bool {
    return !this.equals(other);
  }

  /** Writes the length and the bytes. */
  encode(writer: Writer): void {
    writer.integer<u32>(this.size);
    writer.raw(this.at, this.size);
  }

  /** Reads the length, and takes a view of the bytes; used by `Reader.read`. */
  decode(reader: Reader): void {
    const length = reader.integer<u32>();
    this.at = reader.take(length);
    this.size = length;
  }
}
