import { STACK_MARGIN } from '../../src/vm/wasm/engine-limits.js';
import { searchFrames } from '../../test/support/contracts/frames/frame-search.js';
import { atMost, recordCost } from '../support/record-values.js';

/** The largest real stack frame found relative to the counted size, for one of V8's compilers or both in turn. */
export interface FrameLine {
  readonly tier: string;
  /** Number of modules measured. */
  readonly modules: number;
  /** Real bytes per counted byte. */
  readonly ratio: number;
  /** Recipe of the worst module, as JSON. */
  readonly recipe: string;
}

/** Breeds functions for the worst frame, for about `minutes`. */
export async function frameLines(minutes: number, seed = 1_000): Promise<FrameLine[]> {
  const found = await searchFrames({
    seed,
    islands: Number.POSITIVE_INFINITY,
    rounds: 400,
    withinMs: minutes * 60_000,
  });
  return found.map(({ tier, measured, ratio, genome }) => ({
    tier,
    modules: measured,
    ratio,
    recipe: JSON.stringify(genome),
  }));
}

export function recordFrameLines(lines: readonly FrameLine[]): void {
  for (const { tier, ratio } of lines) {
    recordCost(`real bytes of a stack frame per counted one, ${tier}`, '×', ratio, atMost(STACK_MARGIN / 3));
  }
}

export function printFrameLines(lines: readonly FrameLine[]): void {
  console.log('bytes of a real stack frame for each that is counted, the worst found:');
  for (const { tier, modules, ratio } of lines) {
    console.log(`${ratio.toFixed(3).padStart(10)}   ${tier}, of ${modules} modules`);
  }
}
