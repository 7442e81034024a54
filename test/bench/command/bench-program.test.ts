import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';
import { expectInterrupted } from '../fixtures/interrupted-benchmark.js';

const COMMAND = fileURLToPath(new URL('../../../bench/bench.js', import.meta.url));

describe('the program of npm run bench', () => {
  test('knows the real catalogue', () => {
    const { status, stdout } = spawnSync(process.execPath, [COMMAND, '--list'], { encoding: 'utf8' });
    assert.equal(status, 0);
    assert.match(stdout, /^engine\n(?: {2}.*\n)* {2}tree /m);
    assert.match(stdout, /^peers: reads, contract-calls, transfers-side-by-side$/m);
    const wrong = spawnSync(process.execPath, [COMMAND, 'code'], { encoding: 'utf8' });
    assert.equal(wrong.status, 2);
    assert.equal(wrong.stderr, 'bench: there is no benchmark or part "code"; did you mean codecs?\n');
  });

  test('stops the benchmark with its processes on SIGINT, and writes what was measured', async (t) => {
    const directory = temporaryDirectory();
    t.after(() => removeDirectory(directory));
    await expectInterrupted(join(directory, 'run'), 'SIGINT', 130);
  });
});
