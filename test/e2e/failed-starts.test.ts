// Nodes that cannot start, and nodes that get a signal while starting.
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertRefused, endsBySignal, FailedStarts } from '../support/nodes/failed-start.js';

const starts = new FailedStarts();
after(() => starts.dispose());

test('a node whose front thread throws at startup ends with exit code 1 and says why', async () => {
  const { ended } = starts.start([], 'throws');
  assertRefused(await ended, /thread front-\d cannot serve: a part of it does not load/);
});

test('a node whose port is in use ends with exit code 1 and says so', async () => {
  await starts.refusedPort('1');
});

test('a node that starts obeys SIGTERM', async () => {
  for (const ms of [20, 300]) {
    const node = starts.start();
    await sleep(ms);
    await endsBySignal(node);
  }
});
