/** Consecutive candidates that are included in the block together or not at all. */
export interface BundleSpan {
  readonly start: number;
  readonly length: number;
}

/** Candidates for a block, in block order. */
export interface Candidates<T> {
  readonly transactions: readonly T[];
  /** The bundles among them, ascending and without overlap. */
  readonly bundles: readonly BundleSpan[];
}

/** A unit of execution: one transaction, or a bundle, which may have only one member. */
export interface AtomicGroup<T> extends BundleSpan {
  readonly members: readonly T[];
  readonly bundle: boolean;
}

/** Divides candidates into groups, in block order. @param offset the first candidate's index in the block */
export function* atomicGroupsOf<T>(
  { transactions, bundles }: Candidates<T>,
  offset = 0,
): IterableIterator<AtomicGroup<T>> {
  let next = 0;
  let start = 0;
  while (start < transactions.length) {
    const span = bundles[next];
    const bundle = span?.start === start;
    const length = bundle ? span.length : 1;
    if (bundle) next++;
    yield { start: offset + start, length, members: transactions.slice(start, start + length), bundle };
    start += length;
  }
}
