// The fast form, with one signal, is in restart.test.ts.
import test from 'node:test';
import { NATIVE_MODES } from '../support/native-modes.js';
import { StoppedNode } from '../support/nodes/stopped-node.js';

for (const native of NATIVE_MODES) {
  test(`SIGTERM and SIGINT under load end a node cleanly and lose nothing, --native ${native}`, async (t) => {
    const stopped = await StoppedNode.start(['--native', native]);
    t.after(() => stopped.dispose());
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      await stopped.endUnderLoad(signal);
      await stopped.startAgain();
      await stopped.expectAllIncluded();
    }
  });
}
