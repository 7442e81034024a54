// More numbers of front threads, and the other signal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testFrontThreads } from '../support/nodes/front-threads.js';
import { NodeProcess } from '../support/nodes/node-process.js';

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  testFrontThreads(1, signal);
  testFrontThreads(4, signal);
}
testFrontThreads(0, 'SIGTERM');
testFrontThreads(2, 'SIGINT');

test('a port in use by another node is refused for any number of threads', async (t) => {
  const first = await NodeProcess.start({ flags: ['--front-threads', '2'] });
  t.after(() => first.dispose());
  const { port } = new URL(first.url);
  for (const threads of ['0', '1', '2']) {
    await assert.rejects(
      NodeProcess.start({ flags: ['--port', port, '--front-threads', threads] }),
      /is in use already.*--port/s,
    );
  }
  await first.stop();
});
