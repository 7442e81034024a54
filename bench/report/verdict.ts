import type { Contents } from './contents.js';

/** What a run comes to, in one sentence: how much was measured, and whether the aims were met. */
export function runVerdict({ parts, missedAims }: Contents): string {
  const all = parts.flatMap(({ benchmarks }) => benchmarks);
  const failed = all.filter(({ failure }) => failure !== undefined).length;
  const judged = all.flatMap(({ tables, series }) => [
    ...tables.flatMap(({ rows }) => rows.filter(({ aim }) => aim?.met !== undefined)),
    ...series.flatMap(({ rows }) => rows.filter(({ met }) => met !== undefined)),
  ]).length;
  const aims =
    judged === 0
      ? 'none of their figures has an aim'
      : `${judged - missedAims.length} of ${judged} aims were met`;
  const broken = failed === 0 ? '' : `; ${failed} of them failed`;
  return `${all.length} ${all.length === 1 ? 'benchmark' : 'benchmarks'}: ${aims}${broken}.`;
}
