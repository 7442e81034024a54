import { Reader } from "./reader";
import { revert } from "./revert";
import { Writer } from "./writer";

/** A value or nothing: `T?` of the IDL. */
@final
export class Option<T> {
  private filled: bool;
  private held: T;

  constructor(filled: bool, held: T) {
    this.filled = filled;
    this.held = held;
  }

  /** Whether there is a value. */
  get isSome(): bool {
    return this.filled;
  }

  /** Whether there is no value. */
  get isNone(): bool {
    return !this.filled;
  }

  /** The value; reverts if there is none. */
  get value(): T {
    if (!this.filled) revert("expected a value, got none");
    return this.held;
  }

  /** The value, or `other` if there is none. */
  or(other: T): T {
    return this.filled ? this.held : other;
  }

  /** Writes a byte 1 and the value, or a byte 0. */
  encode(writer: Writer): void {
    writer.integer<bool>(this.filled);
    if (this.filled) writer.write<T>(this.held);
  }

  /** Reads what `encode` wrote; used by `Reader.read`. */
  decode(reader: Reader): void {
    this.filled = reader.bool();
    if (this.filled) this.held = reader.read<T>();
  }
}

/** An option with a value. */
export function some<T>(value: T): Option<T> {
  return new Option<T>(true, value);
}

/** An option without a value. */
export function none<T>(): Option<T> {
  if (isReference<T>()) return new Option<T>(false, changetype<T>(0));
  else return new Option<T>(false, <T>0);
}
