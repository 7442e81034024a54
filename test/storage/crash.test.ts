import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { NativeMode } from '../../src/config/native-mode.js';
import { DataDirectory } from '../../src/storage/data-directory.js';
import { openStore } from '../../src/storage/open-store.js';
import { bytes, contents, IMPLEMENTATIONS, TestDirectory, text } from './stores.js';
import { KEYS } from './writing-child.js';

const CHILD = fileURLToPath(new URL('./writing-child.js', import.meta.url));

/**
 * Lets a child write from batch `first` on and kills it after some acknowledgements.
 * @returns the number of the last acknowledged batch
 */
async function writeAndKill(
  path: string,
  native: NativeMode,
  first: number,
  acknowledgements: number,
): Promise<number> {
  const child = spawn(process.execPath, [CHILD, 'write', path, native, `${first}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let last = 0;
  let count = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line);
    if (++count === acknowledgements) child.kill('SIGKILL');
  }
  assert.deepEqual(await exited, [null, 'SIGKILL']);
  return last;
}

/** Opens the directory as a restarted node would and checks its contents. Returns the number of the last batch. */
async function checkAfterRestart(path: string, native: NativeMode, acknowledged: number): Promise<number> {
  const owner = await DataDirectory.open(path);
  const store = await openStore({ directory: join(path, 'store'), native, report: () => undefined });
  const last = Number(text(store.get('meta', bytes('last'))));
  assert.ok(last >= acknowledged, `${acknowledged} was acknowledged, ${last} is there`);
  const keys = new Map<number, number>();
  for (const [key] of contents(store, 'state')) {
    const batch = Number.parseInt(key, 10);
    keys.set(batch, (keys.get(batch) ?? 0) + 1);
  }
  const batches = [...keys.keys()].sort((a, b) => a - b);
  assert.deepEqual(
    batches,
    Array.from({ length: last }, (_, i) => i + 1),
  );
  for (const [batch, count] of keys) assert.equal(count, KEYS, `batch ${batch} is there in part`);
  await store.close();
  await owner.close();
  return last;
}

for (const { name, native } of IMPLEMENTATIONS) {
  describe(`the ${name} store after kill -9`, () => {
    it('opens at once, has every acknowledged batch, and each batch whole or not at all', async (t) => {
      const { path } = await TestDirectory.make(t);
      let last = 0;
      for (const acknowledgements of [1, 17, 60]) {
        const acknowledged = await writeAndKill(path, native, last + 1, acknowledgements);
        last = await checkAfterRestart(path, native, acknowledged);
      }
    });
  });

  describe(`the ${name} store on a full disk`, () => {
    it('reports the failed write, refuses further ones, and has everything acknowledged after a restart', async (t) => {
      const { path } = await TestDirectory.make(t);
      // A limit on the size of files stands in for the disk: a write beyond it fails instead of ending the process.
      const limited = `trap '' XFSZ; ulimit -f 2000; exec "$0" "$@"`;
      const child = spawn('/bin/sh', ['-c', limited, process.execPath, CHILD, 'fill', path, native, '1'], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const exited = once(child, 'exit');
      const lines: string[] = [];
      for await (const line of createInterface({ input: child.stdout })) lines.push(line);
      assert.deepEqual(await exited, [0, null]);
      assert.equal(lines.pop(), 'write_failed write_failed true');
      assert.ok(lines.length > 10);
      await checkAfterRestart(path, native, Number(lines.at(-1)));
    });
  });
}
