/** Candidates that follow one another and are in the block together or not at all. */
export interface BundleSpan {
  /** The place of the first among the candidates. */
  readonly start: number;
  readonly length: number;
}

/** What may be in a block, in its order. */
export interface Candidates<T> {
  readonly transactions: readonly T[];
  /** Which of them are bundles, ascending; they do not overlap. */
  readonly bundles: readonly BundleSpan[];
}

/** What is executed as a whole: one transaction, or a bundle, which may have one member only. */
export interface AtomicGroup<T> extends BundleSpan {
  readonly members: readonly T[];
  readonly bundle: boolean;
}

/**
 * Divides candidates into groups, in their order.
 * @param offset the place of the first among all candidates of the block, where others were executed before
 */
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
