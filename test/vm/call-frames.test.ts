import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CALL_FRAMES_BYTES } from '../../src/vm/wasm/engine-limits.js';
import { spread } from '../support/sweep.js';

const MEASURE = fileURLToPath(new URL('../support/contracts/frames/call-frames-worker.js', import.meta.url));

/** The compiler tier of the host's functions determines their frame sizes. */
const WAYS: readonly (readonly [what: string, flags: readonly string[]])[] = [
  ['as V8 likes', []],
  ['by its interpreter alone', ['--no-opt', '--no-sparkplug', '--no-maglev']],
  ['by its baseline compilers', ['--always-sparkplug', '--liftoff-only']],
];

for (const [what, flags] of spread(WAYS, 1)) {
  test(`the count for a nested call is at least twice its real stack use, with code run ${what}`, async (context) => {
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, MEASURE], { timeout: 60_000 });
    const bytes = Number(stdout);
    context.diagnostic(`${bytes} bytes a call`);
    assert.ok(bytes > 400, `${bytes} bytes`);
    assert.ok(bytes * 2 <= CALL_FRAMES_BYTES, `${bytes} bytes`);
  });
}
