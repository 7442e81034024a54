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

  get isSome(): bool {
    return this.filled;
  }

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

  encode(writer: Writer): void {
    writer.integer<bool>(this.filled);
    if (this.filled) writer.write<T>(this.held);
  }

  decode(reader: Reader): void {
    this.filled = reader.bool();
    if (this.filled) this.held = reader.read<T>();
  }
}

export function some<T>(value: T): Option<T> {
  return new Option<T>(true, value);
}

export function none<T>(): Option<T> {
  if (isReference<T>()) return new Option<T>(false, changetype<T>(0));
  else return new Option<T>(false, <T>0);
}
