// Further nodes that cannot start, and nodes that get a signal while starting; see failed-starts.test.ts.
import { existsSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { assertRefused, endsBySignal, FailedStarts } from '../support/nodes/failed-start.js';

const starts = new FailedStarts();
after(() => starts.dispose());

describe('a node ends with exit code 1 and says why', () => {
  test('if a front thread ends while starting', async () => {
    const { ended } = starts.start([], 'ends');
    assertRefused(await ended, /thread front-. cannot serve: a front thread ended with 3/);
  });

  test('if one of two front threads cannot serve', async () => {
    const { ended } = starts.start(['--front-threads', '2'], 'throws');
    assertRefused(await ended, /thread front-. cannot serve/);
  });

  for (const threads of ['0', '2']) {
    test(`if its port is in use, with ${threads} front threads`, () => starts.refusedPort(threads));
  }

  test('if its host is not an address', async () => {
    const { ended } = starts.start(['--host', '256.1.1.1']);
    assertRefused(await ended, /256\.1\.1\.1 is not an address of this machine/);
  });
});

describe('a node that starts obeys SIGTERM', () => {
  test('at any moment', async () => {
    for (const ms of [150, 500, 800]) {
      const node = starts.start();
      await sleep(ms);
      await endsBySignal(node);
    }
  });

  test('if a front thread never answers', async () => {
    const node = starts.start([], 'hangs');
    const token = `${starts.dataDir}/admin.token`;
    // From here on the node waits for its front thread.
    await eventually('it has made its tokens', async () => existsSync(token));
    await endsBySignal(node);
  });
});
