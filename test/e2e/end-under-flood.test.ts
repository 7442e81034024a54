// A node under a flood shuts down promptly on a signal and loses nothing.
import { test } from 'node:test';
import { FloodedNode } from '../support/floods/ended-under-flood.js';

test('SIGTERM under the flood burning-views', async (t) => {
  const flooded = await FloodedNode.start();
  t.after(() => flooded.dispose());
  await flooded.endUnder(t, 'burning-views', 'SIGTERM', 400);
});
