// Nodes that cannot start, and nodes that get a signal while starting.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.js';
import {
  type CommandResult,
  type RunningCommand,
  removeDirectory,
  startHeddle,
  temporaryDirectory,
} from '../support/node-process.js';

const FAULT = fileURLToPath(new URL('../support/failing-front-thread.js', import.meta.url));
/** Time within which a node must obey a signal. */
const OBEYS_MS = 2_000;

const scratch = temporaryDirectory();
after(() => removeDirectory(scratch));
let made = 0;

function start(flags: readonly string[] = [], fault?: string): RunningCommand {
  made++;
  const args = ['start', '--port', '0', '--data-dir', `${scratch}/${made}`, ...flags];
  const env = fault === undefined ? {} : { FRONT_FAULT: fault, NODE_OPTIONS: `--import ${FAULT}` };
  return startHeddle(args, { env, timeoutMs: 30_000 });
}

function assertRefused({ code, signal, stdout, stderr }: CommandResult, says: RegExp): void {
  assert.equal(signal, null, stderr);
  assert.equal(code, 1, stderr);
  assert.match(stdout + stderr, says);
}

describe('a node ends with exit code 1 and says why', () => {
  test('if its front thread throws at startup', async () => {
    assertRefused(await start([], 'throws').ended, /thread front-0 cannot serve: a part of it does not load/);
  });

  test('if its front thread exits at startup', async () => {
    assertRefused(await start([], 'ends').ended, /thread front-0 cannot serve: a front thread ended with 3/);
  });

  test('if one of two front threads cannot serve', async () => {
    assertRefused(await start(['--front-threads', '2'], 'throws').ended, /thread front-. cannot serve/);
  });

  for (const threads of ['0', '1', '2']) {
    test(`if its port is in use, with ${threads} front threads`, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const node = start(['--front-threads', threads, '--port', `${port}`]);
      assertRefused(await node.ended, /is in use already/);
      server.close();
    });
  }

  test('if its host is not an address', async () => {
    assertRefused(await start(['--host', '256.1.1.1']).ended, /256\.1\.1\.1 is no address of this machine/);
  });
});

describe('a node that starts obeys SIGTERM', () => {
  async function endsBySignal(node: RunningCommand): Promise<void> {
    const sentAt = performance.now();
    node.child.kill('SIGTERM');
    const { signal, stderr } = await node.ended;
    const ms = performance.now() - sentAt;
    assert.equal(signal, 'SIGTERM', stderr);
    assert.ok(ms < OBEYS_MS, `it took ${Math.round(ms)} ms`);
  }

  test('at any moment', async () => {
    for (const ms of [20, 150, 300, 500, 800]) {
      const node = start();
      await sleep(ms);
      await endsBySignal(node);
    }
  });

  test('if a front thread never answers', async () => {
    const node = start([], 'hangs');
    const token = `${scratch}/${made}/admin.token`;
    // From here on the node waits for its front thread.
    await eventually('it has made its tokens', async () => existsSync(token));
    await endsBySignal(node);
  });
});
