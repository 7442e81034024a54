import { join } from 'node:path';
import type { NativeMode } from '../../src/config/native-mode.js';
import { DataDirectory } from '../../src/storage/data-directory.js';
import { openStore } from '../../src/storage/open-store.js';
import type { Store } from '../../src/storage/store.js';
import { StoreError } from '../../src/storage/store-error.js';
import { WriteBatch } from '../../src/storage/write-batch.js';
import { bytes } from './stores.js';

/*
 * Owns a data directory and writes batches: batch i sets `last` to i and KEYS keys of its own. Prints a line with i once
 * its synced write is acknowledged. Several writes are in flight at any time.
 * - `write`: writes until it is killed;
 * - `fill`: writes until a write fails, tries one more, prints both outcomes and exits.
 */
export const KEYS = 40;
const MAX_IN_FLIGHT = 3;

const [mode, path = '', native, first] = process.argv.slice(2);

if (mode === 'write' || mode === 'fill') {
  const owner = await DataDirectory.open(path);
  const store = await openStore({
    directory: join(path, 'store'),
    native: native as NativeMode,
    report: () => undefined,
  });
  try {
    await writeOn(store, Number(first));
  } catch (error) {
    if (mode === 'write') throw error;
    const again = await writeBatch(store, 0).then(() => 'written', codeOf);
    const readable = store.get('meta', bytes('last')) !== undefined;
    process.stdout.write(`${codeOf(error)} ${again} ${readable}\n`);
    await store.close().catch((closing) => process.stderr.write(`closing: ${codeOf(closing)}\n`));
    await owner.close();
  }
}

async function writeOn(store: Store, from: number): Promise<never> {
  const writes: Promise<void>[] = [];
  for (let i = from; ; i++) {
    const write = writeBatch(store, i).then(() => void process.stdout.write(`${i}\n`));
    // The failure is handled when this write is awaited.
    write.catch(() => undefined);
    writes.push(write);
    if (writes.length >= MAX_IN_FLIGHT) await writes.shift();
  }
}

function writeBatch(store: Store, i: number): Promise<void> {
  const batch = new WriteBatch();
  batch.put('meta', bytes('last'), bytes(`${i}`));
  for (let k = 0; k < KEYS; k++) batch.put('state', bytes(`${i}/${k}`), new Uint8Array(500).fill(k));
  return store.write(batch, { sync: true });
}

function codeOf(error: unknown): string {
  return error instanceof StoreError ? error.code : String(error);
}
