/** Adds up counts of one shape: numbers, and maps, arrays and objects of counts. */
export function sumOfCounts<T>(first: T, ...others: readonly T[]): T {
  return others.reduce(sumOfTwo, first);
}

function sumOfTwo<T>(a: T, b: T): T;
function sumOfTwo(a: unknown, b: unknown): unknown {
  if (typeof a === 'number') return a + Number(b);
  if (a instanceof Float64Array) return a.map((count, place) => count + ((b as Float64Array)[place] ?? 0));
  if (a instanceof Map) {
    const sums = new Map<unknown, unknown>(a);
    for (const [key, count] of b as Map<unknown, unknown>) {
      sums.set(key, sums.has(key) ? sumOfTwo(sums.get(key), count) : count);
    }
    return sums;
  }
  const counts = b as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(a as object).map(([name, count]) => [name, sumOfTwo(count, counts[name])]),
  );
}
