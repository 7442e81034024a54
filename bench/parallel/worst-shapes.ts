import { anyShape, type ConflictShape, describeShape, mutated } from './conflict-shapes.js';

/** A shape, and the ratio of its serial time to its time in workers. */
export interface MeasuredShape {
  readonly shape: ConflictShape;
  readonly ratio: number;
}

/**
 * Measures a shape's ratio. @param pairs number of alternating timings; the minimum of each side counts, because
 * other load only adds time
 */
export type MeasureShape = (shape: ConflictShape, pairs: number) => Promise<number>;

/** Number of worst shapes to mutate further. */
const KEPT = 6;
/** Share of the time for random shapes; the rest mutates the worst. */
const AT_RANDOM = 0.4;
/** Number of timings for a resulting shape, because single ones are noisy. */
const PAIRS = 12;

/**
 * Looks for the shapes that slow workers down most: first at random, then by mutating the worst.
 * @param withinMs time for the search; measuring the result again takes longer
 * @returns the worst shapes, slowest first
 */
export async function worstShapes(
  measure: MeasureShape,
  random: () => number,
  withinMs: number,
): Promise<{ readonly worst: readonly MeasuredShape[]; readonly tried: number }> {
  const started = performance.now();
  let kept: MeasuredShape[] = [];
  const seen = new Set<string>();
  for (let elapsed = 0; elapsed < withinMs; elapsed = performance.now() - started) {
    const parent =
      elapsed < AT_RANDOM * withinMs ? undefined : kept[seen.size % Math.max(1, kept.length)]?.shape;
    const shape = parent === undefined ? anyShape(random) : mutated(parent, random);
    const text = describeShape(shape);
    if (seen.has(text)) continue;
    seen.add(text);
    kept.push({ shape, ratio: await measure(shape, 3) });
    kept = kept.sort((a, b) => a.ratio - b.ratio).slice(0, KEPT);
  }
  const worst: MeasuredShape[] = [];
  for (const { shape } of kept) worst.push({ shape, ratio: await measure(shape, PAIRS) });
  return { worst: worst.sort((a, b) => a.ratio - b.ratio), tried: seen.size };
}
