import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { errorStack, withSourcePositions } from '../../src/base/source-positions.js';
import { runHeddle } from '../support/nodes/node-process.js';

test('a stack names positions in the sources, relative to the package', () => {
  const stack = errorStack(new Error('here'));
  assert.match(stack, /^Error: here\n {4}at .*\(test\/base\/source-positions\.test\.ts:8:28\)\n/);
});

test('positions in other files, and texts that only look like positions, stay as they are', () => {
  const built = fileURLToPath(import.meta.url);
  for (const line of [
    '    at run (node:internal/main/run_main_module:28:49)',
    '    at f (/etc/passwd.js:1:1)',
    '    at wasm://wasm/2f3a:wasm-function[3]:0x8a',
    `in ${built}:1:1`,
    `    at f (${built.replace('.test.js', '.missing.js')}:1:1)`,
  ]) {
    assert.equal(withSourcePositions(line), line);
  }
});

// A process, because only the program runs from bundles.
test('an error of the bundled program names the source, also for its cause', async () => {
  const { stderr } = await runHeddle(['start', '--data-dir', '/dev/null/x', '--log-level', 'debug']);
  assert.match(
    stderr,
    /^heddle: DataDirectoryError: .*\n {4}at .*\(src\/storage\/data-directory\.ts:\d+:\d+\)/,
  );
  assert.match(
    stderr,
    /caused by: Error: ENOTDIR[\s\S]* {4}at .*\(src\/storage\/data-directory\.ts:\d+:\d+\)/,
  );
});
