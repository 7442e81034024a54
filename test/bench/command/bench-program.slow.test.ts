import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';
import { expectInterrupted, waitingBenchmark } from '../fixtures/interrupted-benchmark.js';

describe('the program of npm run bench', () => {
  const directory = temporaryDirectory();
  after(() => removeDirectory(directory));

  test('stops the benchmark with its processes on SIGTERM, and writes what was measured', () =>
    expectInterrupted(join(directory, 'run'), 'SIGTERM', 143));

  test('ends the benchmark and its processes when it is killed', async () => {
    const { command, ended } = await waitingBenchmark(join(directory, 'killed'));
    command.kill('SIGKILL');
    await ended;
  });
});
