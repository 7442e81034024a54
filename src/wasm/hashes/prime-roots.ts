/** The first `count` primes. */
export function firstPrimes(count: number): readonly bigint[] {
  const primes: bigint[] = [];
  for (let candidate = 2n; primes.length < count; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0n)) primes.push(candidate);
  }
  return primes;
}

/** The first 32 bits of the fractional part of a root of an integer: nothing-up-my-sleeve constants. */
export function rootFraction(value: bigint, degree: 2n | 3n): number {
  return Number(integerRoot(value << (32n * degree), degree) & 0xffffffffn);
}

/** ⌊value^(1/degree)⌋, by Newton's method from above. */
function integerRoot(value: bigint, degree: bigint): bigint {
  let root = 1n << (BigInt(value.toString(2).length) / degree + 1n);
  for (;;) {
    const next = ((degree - 1n) * root + value / root ** (degree - 1n)) / degree;
    if (next >= root) return root;
    root = next;
  }
}
