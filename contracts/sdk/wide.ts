// Arithmetic on pairs and quadruples of 64-bit limbs, the basis of U128 and I128. Functions leave additional results
// in the variables below, valid until the next call.

/** High half of the last `mul64`; high half of the quotient of the last `div128`. */
export let high: u64 = 0;
/** Low half, or all, of the last remainder. */
export let remainderLow: u64 = 0;
export let remainderHigh: u64 = 0;

/** Low 64 bits of a · b; the high 64 bits are in `high`. */
export function mul64(a: u64, b: u64): u64 {
  const a0 = a & 0xffffffff;
  const a1 = a >> 32;
  const b0 = b & 0xffffffff;
  const b1 = b >> 32;
  const p00 = a0 * b0;
  const p01 = a0 * b1;
  const p10 = a1 * b0;
  const middle = (p00 >> 32) + (p01 & 0xffffffff) + (p10 & 0xffffffff);
  high = a1 * b1 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
  return (middle << 32) | (p00 & 0xffffffff);
}

/**
 * (n1, n0) / d for n1 < d, so that the quotient fits in 64 bits; the remainder is in `remainderLow`. Knuth's
 * algorithm D with 32-bit digits (The Art of Computer Programming, volume 2, 4.3.1).
 */
export function div128by64(n1: u64, n0: u64, d: u64): u64 {
  if (n1 == 0) {
    remainderLow = n0 % d;
    return n0 / d;
  }
  const shift = clz<u64>(d);
  d <<= shift;
  const d1 = d >> 32;
  const d0 = d & 0xffffffff;
  // A shift by 64 would wrap to 0.
  const top = shift == 0 ? n1 : (n1 << shift) | (n0 >> (64 - shift));
  const rest = n0 << shift;
  const q1 = digit(top, rest >> 32, d1, d0);
  const middle = (top << 32) + (rest >> 32) - q1 * d;
  const q0 = digit(middle, rest & 0xffffffff, d1, d0);
  remainderLow = ((middle << 32) + (rest & 0xffffffff) - q0 * d) >> shift;
  return (q1 << 32) + q0;
}

/** The next digit of the quotient: ((n, next) in base 2^32) / (d1, d0), exact. */
// @ts-ignore: decorator
@inline
function digit(n: u64, next: u64, d1: u64, d0: u64): u64 {
  let q = n / d1;
  let r = n - q * d1;
  while (q >> 32 != 0 || q * d0 > ((r << 32) | next)) {
    q -= 1;
    r += d1;
    if (r >> 32 != 0) break;
  }
  return q;
}

/**
 * (n1, n0) / (d1, d0) for a non-zero divisor. Returns the low half of the quotient; leaves the high half in `high`
 * and the remainder in `remainderHigh` and `remainderLow`.
 */
export function div128(n1: u64, n0: u64, d1: u64, d0: u64): u64 {
  if (d1 == 0) {
    const q1 = n1 / d0;
    const q0 = div128by64(n1 - q1 * d0, n0, d0);
    high = q1;
    remainderHigh = 0;
    return q0;
  }
  high = 0;
  if (n1 < d1 || (n1 == d1 && n0 < d0)) {
    remainderHigh = n1;
    remainderLow = n0;
    return 0;
  }
  // The quotient has fewer than 64 bits and is computed bit by bit.
  let shift = clz<u64>(d1) - clz<u64>(n1);
  if (shift != 0) {
    d1 = (d1 << shift) | (d0 >> (64 - shift));
    d0 <<= shift;
  }
  let q: u64 = 0;
  while (true) {
    q <<= 1;
    if (n1 > d1 || (n1 == d1 && n0 >= d0)) {
      n1 = n1 - d1 - u64(n0 < d0);
      n0 -= d0;
      q |= 1;
    }
    if (shift == 0) break;
    shift -= 1;
    d0 = (d0 >> 1) | (d1 << 63);
    d1 >>= 1;
  }
  remainderHigh = n1;
  remainderLow = n0;
  return q;
}

/**
 * (n3, n2, n1, n0) / (d1, d0) for (n3, n2) < (d1, d0), so that the quotient fits in 128 bits. Returns results like
 * `div128`.
 */
export function div256by128(n3: u64, n2: u64, n1: u64, n0: u64, d1: u64, d0: u64): u64 {
  if ((n3 | n2) == 0) return div128(n1, n0, d1, d0);
  if (d1 == 0) {
    const q1 = div128by64(n2, n1, d0);
    const q0 = div128by64(remainderLow, n0, d0);
    high = q1;
    remainderHigh = 0;
    return q0;
  }
  let r1 = n3;
  let r0 = n2;
  let q1: u64 = 0;
  let q0: u64 = 0;
  for (let i = 0; i < 128; i++) {
    const carry = r1 >> 63;
    r1 = (r1 << 1) | (r0 >> 63);
    r0 = (r0 << 1) | (n1 >> 63);
    n1 = (n1 << 1) | (n0 >> 63);
    n0 <<= 1;
    q1 = (q1 << 1) | (q0 >> 63);
    q0 <<= 1;
    if (carry != 0 || r1 > d1 || (r1 == d1 && r0 >= d0)) {
      r1 = r1 - d1 - u64(r0 < d0);
      r0 -= d0;
      q0 |= 1;
    }
  }
  high = q1;
  remainderHigh = r1;
  remainderLow = r0;
  return q0;
}
