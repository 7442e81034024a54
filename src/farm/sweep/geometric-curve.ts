/** Number of fractional bits beyond the width of the largest value. Errors stay below 2^-50. */
const GUARD_BITS = 64;

/**
 * The curve from · (to / from)^x, for x from 0 to below 1. Computed with integers only, because the results of
 * Math.pow differ between engines and have 53 significant bits.
 */
export class GeometricCurve {
  /** Number of fractional bits of arguments and results. */
  readonly bits: number;
  readonly #from: bigint;
  readonly #shift: bigint;
  /** (to / from)^(1/2), (to / from)^(1/4) and so on. */
  readonly #roots: readonly bigint[];

  /** Requires 1 ≤ from ≤ to. */
  constructor(from: bigint, to: bigint) {
    this.bits = to.toString(2).length + GUARD_BITS;
    this.#from = from;
    this.#shift = BigInt(this.bits);
    const roots: bigint[] = [];
    let root = (to << this.#shift) / from;
    for (let place = 0; place < this.bits; place++) {
      root = squareRoot(root << this.#shift);
      roots.push(root);
    }
    this.#roots = roots;
  }

  /** The value at x, truncated to an integer. @param x times 2^bits, from 0 to below 2^bits */
  below(x: bigint): bigint {
    return this.#at(x) >> this.#shift;
  }

  /** The integer nearest to the value at x. */
  near(x: bigint): bigint {
    return (this.#at(x) + (1n << (this.#shift - 1n))) >> this.#shift;
  }

  #at(x: bigint): bigint {
    let value = this.#from << this.#shift;
    const digits = x.toString(2).padStart(this.bits, '0');
    for (const [place, root] of this.#roots.entries()) {
      if (digits[place] === '1') value = (value * root) >> this.#shift;
    }
    return value;
  }
}

/** The square root, truncated to an integer (Newton's method from above). */
function squareRoot(square: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(square.toString(2).length / 2));
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
