import { revert } from "./revert";

/** A signed 128-bit integer in two's complement; otherwise like `U128`. */
@unmanaged
@final
export class I128 {
  /** The low 64 bits. */
  readonly low: u64;
  /** The high 64 bits, with the sign. */
  readonly high: i64;

  constructor(low: u64 = 0, high: i64 = 0) {
    this.low = low;
    this.high = high;
  }

  /** The value of a 64-bit integer. */
  static of(value: i64): I128 {
    return new I128(<u64>value, value >> 63);
  }

  /** Whether it is below zero. */
  get isNegative(): bool {
    return this.high < 0;
  }

  @operator("+")
  plus(other: I128): I128 {
    const low = this.low + other.low;
    const high = this.high + other.high + i64(low < this.low);
    // Operands of equal sign must give a result of that sign.
    if (((this.high ^ high) & (other.high ^ high)) < 0) revert("arithmetic overflow");
    return new I128(low, high);
  }

  @operator("-")
  minus(other: I128): I128 {
    const high = this.high - other.high - i64(this.low < other.low);
    if (((this.high ^ other.high) & (this.high ^ high)) < 0) revert("arithmetic overflow");
    return new I128(this.low - other.low, high);
  }

  @operator("==")
  equals(other: I128): bool {
    return this.low == other.low && this.high == other.high;
  }

  @operator("!=")
  differs(other: I128): bool {
    return !this.equals(other);
  }

  @operator("<")
  below(other: I128): bool {
    return this.high < other.high || (this.high == other.high && this.low < other.low);
  }

  @operator(">")
  above(other: I128): bool {
    return other.below(this);
  }

  @operator("<=")
  atMost(other: I128): bool {
    return !other.below(this);
  }

  @operator(">=")
  atLeast(other: I128): bool {
    return !this.below(other);
  }
}
