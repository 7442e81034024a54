import { revert } from "./revert";
import * as wide from "./wide";

/**
 * An unsigned 128-bit integer, used for amounts. Immutable. Operators are exact: they revert if the result does not
 * fit. Stored as its encoding, 16 bytes little-endian; values from input, storage or a result are views of those bytes.
 */
@unmanaged
@final
export class U128 {
  /** The low 64 bits. */
  readonly low: u64;
  /** The high 64 bits. */
  readonly high: u64;

  constructor(low: u64 = 0, high: u64 = 0) {
    this.low = low;
    this.high = high;
  }

  /** Zero. */
  static zero(): U128 {
    return new U128();
  }

  /** 2^128 − 1. */
  static max(): U128 {
    return new U128(u64.MAX_VALUE, u64.MAX_VALUE);
  }

  /** Whether it is zero. */
  get isZero(): bool {
    return (this.low | this.high) == 0;
  }

  /** The value as u64; reverts if it does not fit. */
  toU64(): u64 {
    if (this.high != 0) overflow();
    return this.low;
  }

  @operator("+")
  plus(other: U128): U128 {
    const low = this.low + other.low;
    const carry = u64(low < this.low);
    const sum = this.high + other.high;
    const high = sum + carry;
    if (sum < this.high || high < sum) overflow();
    return new U128(low, high);
  }

  @operator("-")
  minus(other: U128): U128 {
    if (this < other) revert("arithmetic underflow");
    return new U128(this.low - other.low, this.high - other.high - u64(this.low < other.low));
  }

  @operator("*")
  times(other: U128): U128 {
    if (this.high != 0 && other.high != 0) overflow();
    const low = wide.mul64(this.low, other.low);
    const carry = wide.high;
    const cross = this.high != 0 ? wide.mul64(this.high, other.low) : wide.mul64(this.low, other.high);
    if (wide.high != 0) overflow();
    const high = cross + carry;
    if (high < cross) overflow();
    return new U128(low, high);
  }

  /** Rounds down. */
  @operator("/")
  over(other: U128): U128 {
    if (other.isZero) divisionByZero();
    const low = wide.div128(this.high, this.low, other.high, other.low);
    return new U128(low, wide.high);
  }

  @operator("%")
  remainder(other: U128): U128 {
    if (other.isZero) divisionByZero();
    wide.div128(this.high, this.low, other.high, other.low);
    return new U128(wide.remainderLow, wide.remainderHigh);
  }

  @operator("==")
  equals(other: U128): bool {
    return ((this.low ^ other.low) | (this.high ^ other.high)) == 0;
  }

  @operator("!=")
  differs(other: U128): bool {
    return !this.equals(other);
  }

  @operator("<")
  below(other: U128): bool {
    return this.high < other.high || (this.high == other.high && this.low < other.low);
  }

  @operator(">")
  above(other: U128): bool {
    return other.below(this);
  }

  @operator("<=")
  atMost(other: U128): bool {
    return !other.below(this);
  }

  @operator(">=")
  atLeast(other: U128): bool {
    return !this.below(other);
  }
}

/** The smaller of two values. */
export function minU128(a: U128, b: U128): U128 {
  return a < b ? a : b;
}

/** a · b / divisor, rounded down, from the full 256-bit product; reverts if the result does not fit. */
export function mulDiv(a: U128, b: U128, divisor: U128): U128 {
  if (divisor.isZero) divisionByZero();
  multiply(a, b);
  if (p3 > divisor.high || (p3 == divisor.high && p2 >= divisor.low)) overflow();
  const low = wide.div256by128(p3, p2, p1, p0, divisor.high, divisor.low);
  return new U128(low, wide.high);
}

/** Like `mulDiv`, rounded up. */
export function mulDivUp(a: U128, b: U128, divisor: U128): U128 {
  const quotient = mulDiv(a, b, divisor);
  return (wide.remainderLow | wide.remainderHigh) == 0 ? quotient : quotient + new U128(1);
}

/** The square root of a · b, rounded down. */
export function sqrtOfProduct(a: U128, b: U128): U128 {
  multiply(a, b);
  const n3 = p3;
  const n2 = p2;
  const n1 = p1;
  const n0 = p0;
  let high: u64 = 0;
  let low: u64 = 0;
  // The root has half the bits of the product.
  const bits = 256 - <i32>leadingZeros(n3, n2, n1, n0);
  for (let bit = ((bits + 1) >> 1) - 1; bit >= 0; bit--) {
    const tryHigh = bit >= 64 ? high | ((<u64>1) << (bit - 64)) : high;
    const tryLow = bit < 64 ? low | ((<u64>1) << bit) : low;
    square(tryHigh, tryLow);
    if (isAtMost(p3, p2, p1, p0, n3, n2, n1, n0)) {
      high = tryHigh;
      low = tryLow;
    }
  }
  return new U128(low, high);
}

// Limbs of the last product, lowest first.
let p0: u64 = 0;
let p1: u64 = 0;
let p2: u64 = 0;
let p3: u64 = 0;

// @ts-ignore: decorator
@inline
function multiply(a: U128, b: U128): void {
  multiplyLimbs(a.high, a.low, b.high, b.low);
}

// @ts-ignore: decorator
@inline
function square(high: u64, low: u64): void {
  multiplyLimbs(high, low, high, low);
}

function multiplyLimbs(a1: u64, a0: u64, b1: u64, b0: u64): void {
  p0 = wide.mul64(a0, b0);
  p1 = wide.high;
  const first = wide.mul64(a0, b1);
  const firstHigh = wide.high;
  const second = wide.mul64(a1, b0);
  const secondHigh = wide.high;
  const top = wide.mul64(a1, b1);
  p3 = wide.high;
  p1 += first;
  let carry = u64(p1 < first);
  p1 += second;
  carry += u64(p1 < second);
  p2 = top + carry;
  p3 += u64(p2 < top);
  p2 += firstHigh;
  p3 += u64(p2 < firstHigh);
  p2 += secondHigh;
  p3 += u64(p2 < secondHigh);
}

function leadingZeros(n3: u64, n2: u64, n1: u64, n0: u64): u64 {
  if (n3 != 0) return clz<u64>(n3);
  if (n2 != 0) return 64 + clz<u64>(n2);
  if (n1 != 0) return 128 + clz<u64>(n1);
  return 192 + clz<u64>(n0);
}

function isAtMost(a3: u64, a2: u64, a1: u64, a0: u64, b3: u64, b2: u64, b1: u64, b0: u64): bool {
  if (a3 != b3) return a3 < b3;
  if (a2 != b2) return a2 < b2;
  if (a1 != b1) return a1 < b1;
  return a0 <= b0;
}

function overflow(): void {
  revert("arithmetic overflow");
}

function divisionByZero(): void {
  revert("division by zero");
}
