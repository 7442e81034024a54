/**
 * How much larger real frames of contracts are than what the engine counts for them: breeds functions for the worst, with
 * V8's baseline compiler, its optimising one, and one after the other. Fails where a ratio is above a third of the margin
 * between the stack budget and the real stack.
 *
 *     node dist/bench/frames.bench.js [minutes] [seed]
 */
import { STACK_MARGIN } from '../src/vm/wasm/limits.js';
import { searchFrames } from '../test/support/frames/frame-search.js';

const minutes = Number(process.argv[2] ?? 5);
const seed = Number(process.argv[3] ?? 1_000);
const found = await searchFrames({
  seed,
  islands: Number.POSITIVE_INFINITY,
  rounds: 400,
  withinMs: minutes * 60_000,
});
console.table(
  found.map(({ tier, measured, ratio }) => ({
    tier,
    modules: measured,
    'worst ratio': Number(ratio.toFixed(3)),
  })),
);
for (const { tier, ratio, genome } of found) {
  if (ratio > STACK_MARGIN / 3) {
    console.error(`${tier}: above a third of the margin of ${STACK_MARGIN}: ${JSON.stringify(genome)}`);
    process.exitCode = 1;
  }
}
