/**
 * Searches for the worst ratio of contracts' real stack frames to the frame sizes that the engine counts, by breeding
 * functions under V8's baseline compiler, its optimizing compiler, and both in turn. Fails if a ratio exceeds a third
 * of STACK_MARGIN.
 *
 *     npm run bench -- frames [minutes] [seed]
 */
import { STACK_MARGIN } from '../src/vm/wasm/engine-limits.js';
import { frameLines, printFrameLines, recordFrameLines } from './prices/frame-lines.js';
import { describePositionals } from './support/bench-arguments.js';

describePositionals('[minutes, default 5] [seed, default 1000]');
const lines = await frameLines(Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 1_000));
printFrameLines(lines);
recordFrameLines(lines);
for (const { tier, ratio, recipe } of lines) {
  if (ratio > STACK_MARGIN / 3) {
    console.error(`${tier}: above a third of the margin of ${STACK_MARGIN}: ${recipe}`);
    process.exitCode = 1;
  }
}
