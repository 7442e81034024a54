/**
 * Cost of reading keys that are not in the state, by the number of other keys whose history was pruned just before: at the
 * last height, and at the one before, whose reads also look into the history.
 *
 *     npm run bench -- growth-pruned [--smallest 1000] [--largest 100000] [--rounds 5] [--native auto|off]
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NativeMode } from '../../src/config/native-mode.js';
import { openStore } from '../../src/storage/open-store.js';
import { readManyAt } from '../../src/storage/state.js';
import { benchArguments } from '../support/bench-arguments.js';
import { writePrunedHistory } from '../support/pruned-history.js';
import { CONSTANT, Growth, LOGARITHMIC } from './parts/growth.js';
import { decades } from './parts/sizes.js';

const values = benchArguments({
  smallest: { type: 'string', default: '1000' },
  largest: { type: 'string', default: '100000' },
  rounds: { type: 'string', default: '5' },
  native: { type: 'string', default: 'auto' },
});
const READS = 200;
const AT_TIP = 'absent key at the last height, processor time';
const BEFORE = 'absent key at the height before, processor time';

async function measurePruned(count: number): Promise<Readonly<Record<string, readonly number[]>>> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-pruned-'));
  const store = await openStore({ directory, native: values.native as NativeMode, report: () => undefined });
  try {
    const tip = await writePrunedHistory(store, count, 1n);
    const micros = (height: bigint): number => {
      const absent = Array.from({ length: READS }, () => new Uint8Array(randomBytes(32)));
      const start = process.cpuUsage();
      for (const key of absent) readManyAt(store, [key], height);
      const { user, system } = process.cpuUsage(start);
      return (user + system) / READS;
    };
    const rounds = Array.from({ length: Number(values.rounds) + 1 }, () => [micros(tip), micros(tip - 1n)]);
    // The first round compiles the code.
    const measured = rounds.slice(1);
    return {
      [AT_TIP]: measured.map(([atTip]) => atTip ?? Number.NaN),
      [BEFORE]: measured.map(([, before]) => before ?? Number.NaN),
    };
  } finally {
    await store.close();
    await rm(directory, { recursive: true, force: true });
  }
}

const growth = new Growth('pruned keys', [
  { name: AT_TIP, unit: 'µs', better: 'lower', largestExponent: CONSTANT },
  // The index of the database's newest entries is a few steps deeper.
  { name: BEFORE, unit: 'µs', better: 'lower', largestExponent: LOGARITHMIC },
]);
for (const count of decades(Number(values.smallest), Number(values.largest))) {
  growth.add(count, await measurePruned(count));
}
growth.finish();
