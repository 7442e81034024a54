import { join } from 'node:path';
import type { NativeMode } from '../../src/config/native-mode.js';
import { DataDirectory } from '../../src/storage/data-directory.js';
import { openStore } from '../../src/storage/open-store.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { bytes } from './stores.js';

/*
 * Owns a data directory and writes batches until it is killed: batch i sets `last` to i and KEYS keys of its own. A line with i
 * goes out once its synced write is acknowledged. Several writes are under way at any time.
 */
export const KEYS = 40;
const UNDER_WAY = 3;

if (process.argv[2] === 'write') {
  const [path = '', native] = process.argv.slice(3);
  await DataDirectory.open(path);
  const store = await openStore({
    directory: join(path, 'store'),
    native: native as NativeMode,
    report: () => undefined,
  });
  const first = Number(process.argv[5]);
  const writes: Promise<void>[] = [];
  for (let i = first; ; i++) {
    const batch = new WriteBatch();
    batch.put('meta', bytes('last'), bytes(`${i}`));
    for (let k = 0; k < KEYS; k++) batch.put('state', bytes(`${i}/${k}`), new Uint8Array(500).fill(k));
    writes.push(store.write(batch, { sync: true }).then(() => void process.stdout.write(`${i}\n`)));
    if (writes.length >= UNDER_WAY) await writes.shift();
  }
}
