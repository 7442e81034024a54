/**
 * Cost of the operations behind each price of the schedule: runs contracts written against each price until their gas
 * is used up, and prints the nanoseconds per gas, worst first. The target is at most 4. Then measures
 *
 * - the cost of code that is deployed, or entered before it is compiled, with modules that expand to as much machine
 *   code as possible (alone with `--only code`);
 * - the largest real stack frame per counted byte (alone with `--only frames`);
 * - whole blocks of every action at a follower: signatures, execution, receipts, state tree and store (alone with
 *   `--only blocks`; `--only blocks:TEXT` measures the shapes that contain TEXT).
 *
 *     npm run bench -- prices [--gas 20000000] [--milliseconds 300] [--entries 200000] [--random-modules 40]
 *         [--frame-minutes 1] [--native auto|off] [--only TEXT]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { NativeMode } from '../src/config/native-mode.js';
import { loadCrypto } from '../src/crypto/load-crypto.js';
import { openStore } from '../src/storage/open-store.js';
import { CONTRACT_STACK_MB } from '../src/vm/wasm/engine-limits.js';
import {
  type BlockLine,
  blockLines,
  blockText,
  printBlockLines,
  recordBlockLines,
} from './prices/block-lines.js';
import { codeLines, printCodeLines, recordCodeLines } from './prices/code-lines.js';
import { frameLines, printFrameLines, recordFrameLines } from './prices/frame-lines.js';
import { fillStore } from './prices/price-world.js';
import type { PriceLine, PriceTask } from './prices/run-prices.js';
import { benchArguments } from './support/bench-arguments.js';
import { atMost, recordCost } from './support/record-values.js';

const values = benchArguments({
  gas: { type: 'string', default: '20000000' },
  milliseconds: { type: 'string', default: '300' },
  'random-modules': { type: 'string', default: '40' },
  entries: { type: 'string', default: '200000' },
  'frame-minutes': { type: 'string', default: '1' },
  native: { type: 'string', default: 'auto' },
  only: { type: 'string' },
});
/** The target of every price. */
const MOST_NS_A_GAS = 4;
const native = values.native as NativeMode;
const directory = mkdtempSync(join(tmpdir(), 'heddle-prices-'));
const store = await openStore({ directory, native, report: () => undefined, cacheBytes: 8 * 1024 * 1024 });
try {
  const tip = await fillStore(store, await loadCrypto(native), Number(values.entries));
  const task: PriceTask = {
    store: store.handle,
    native,
    entries: Number(values.entries),
    tip,
    gas: Number(values.gas),
    milliseconds: Number(values.milliseconds),
    randomModules: Number(values['random-modules']),
    ...(values.only === undefined ? {} : { only: values.only }),
  };
  const lines = await run(task);
  const rank = ({ warm }: PriceLine): number => (Number.isNaN(warm) ? -1 : warm);
  lines.sort((left, right) => rank(right) - rank(left));
  const isAsked = (part: string): boolean => values.only === undefined || values.only === part;
  const code = isAsked('code') ? codeLines() : [];
  const blocks = await wholeBlocks();
  const frames = isAsked('frames') ? await frameLines(Number(values['frame-minutes'])) : [];
  if (lines.length > 0) print(lines);
  if (code.length > 0) printCodeLines(code);
  if (frames.length > 0) printFrameLines(frames);
  if (blocks !== undefined) printBlockLines(blocks);
  recordPrices(lines);
  recordCodeLines(code);
  recordFrameLines(frames);
  recordBlockLines(blocks ?? []);
} finally {
  await store.close();
  rmSync(directory, { recursive: true, force: true });
}

async function wholeBlocks(): Promise<readonly BlockLine[] | undefined> {
  const { only } = values;
  // Blocks take minutes, so each line is shown as soon as it is measured.
  const tell = (line: BlockLine) => console.error(blockText(line));
  if (only === undefined || only === 'blocks') return blockLines(undefined, tell);
  return only.startsWith('blocks:') ? blockLines(only.slice('blocks:'.length), tell) : undefined;
}

function run(task: PriceTask): Promise<PriceLine[]> {
  const worker = new Worker(new URL('./prices/run-prices.js', import.meta.url), {
    workerData: task,
    resourceLimits: { stackSizeMb: CONTRACT_STACK_MB },
  });
  const lines: PriceLine[] = [];
  return new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('the thread that measures ended early')));
    worker.on('message', (line: PriceLine | undefined) => {
      if (line === undefined) resolve(lines);
      else lines.push(line);
    });
  });
}

function print(lines: readonly PriceLine[]): void {
  console.log('ns a gas   first run   price: shape');
  for (const { price, shape, warm, first, problem } of lines) {
    const figures = `${warm.toFixed(2).padStart(8)}  ${first.toFixed(2).padStart(10)}`;
    console.log(`${figures}   ${price}: ${shape}${problem === undefined ? '' : ` (${problem})`}`);
  }
}

/** Records the worst shape of each price. */
function recordPrices(lines: readonly PriceLine[]): void {
  const worst = new Map<string, number>();
  for (const { price, warm } of lines) {
    if (!Number.isNaN(warm)) worst.set(price, Math.max(worst.get(price) ?? 0, warm));
  }
  for (const [price, nanoseconds] of worst) {
    recordCost(`time of a gas: ${price}, worst shape`, 'ns', nanoseconds, atMost(MOST_NS_A_GAS));
  }
}
