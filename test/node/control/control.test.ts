import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../../../src/config/config.js';
import { createLogger } from '../../../src/log.js';
import { CheckpointRequests } from '../../../src/node/control/checkpoint-requests.js';
import { ControlClient } from '../../../src/node/control/control-client.js';
import {
  ControlServer,
  type ControlServices,
  openControl,
} from '../../../src/node/control/control-server.js';
import { withTokens } from '../../../src/node/offline/with-token-admin.js';
import { QuotaError, type TokenRecord } from '../../../src/rpc/access/quota-store.js';
import type { TokenAdmin } from '../../../src/rpc/access/token-service.js';
import type { TokenDay } from '../../../src/rpc/access/usage/usage.js';
import { SnapshotError } from '../../../src/sync/snapshot-error.js';
import { defaultConfig } from '../../support/default-config.js';

const RECORD: TokenRecord = { id: 'one', subject: 'ann', tier: 'paid', units: 7, left: 5, expiresMs: 1 };

/** An office with one token. */
const office: TokenAdmin = {
  issue: ({ subject, tier, expiresAtMs }) =>
    Promise.resolve({
      token: 'a.b.c',
      id: 'new',
      subject,
      tier,
      expiresAtMs,
      issuedAtMs: 0,
    }),
  list: () => Promise.resolve([RECORD]),
  show: (id) => find(id),
  revoke: (id) => find(id),
  topUp: async (id, units) => ({ ...(await find(id)), left: units }),
};

const TOKEN_DAY: TokenDay = {
  day: '2026-11-29',
  token: 'a',
  subject: 'ann',
  methods: [{ method: 'status', calls: 2, units: 2 }],
};

const DESCRIPTOR = {
  block_hash: new Uint8Array(32),
  state_root: new Uint8Array(32).fill(1),
  history_root: new Uint8Array(32),
  entries: 5n,
  bytes: 9n,
  chunk_count: 2,
  chunks_root: new Uint8Array(32),
  created_ms: 1n,
};

/** A node with checkpoints up to height 9, which take two requests. */
const services: ControlServices = {
  tokens: office,
  usage: { usage: async ({ token = 'all' }) => [{ ...TOKEN_DAY, token }] },
  checkpoints: new CheckpointRequests(() => ({
    checkpoints: {
      cutAt: async (height) => {
        if (height > 9n) throw new SnapshotError('no_checkpoint', `no state at ${height}`);
        await sleep(1_100);
        return { ...DESCRIPTOR, height };
      },
    },
    tipHeight: () => 9n,
  })),
};

async function find(id: string): Promise<TokenRecord> {
  if (id === RECORD.id) return RECORD;
  throw new QuotaError('unknown_token', `there is no token ${id}`);
}

for (const [length, deeper] of [
  ['short', ''],
  ['long', join('x'.repeat(100), 'y'.repeat(100))],
] as const) {
  describe(`the control socket of a directory with a ${length} path`, () => {
    let root: string;
    let directory: string;
    let server: ControlServer;
    before(async () => {
      root = await mkdtemp(join(tmpdir(), 'heddle-control-'));
      directory = join(root, deeper);
      await mkdir(directory, { recursive: true });
      server = await ControlServer.open(directory, services, assert.fail);
    });
    after(async () => {
      await server.close();
      await rm(root, { recursive: true });
    });

    test('carries requests, results and errors', async () => {
      const client = new ControlClient(directory);
      assert.deepEqual(await client.list(), [RECORD]);
      assert.deepEqual(await client.topUp('one', 9), { ...RECORD, left: 9 });
      const query = { from: '2026-11-01', to: '2026-11-30', token: 'b', limit: 5 };
      assert.deepEqual(await client.usage(query), [{ ...TOKEN_DAY, token: 'b' }]);
      assert.equal((await client.issue({ subject: 'bob', tier: 'paid', expiresAtMs: 9 })).token, 'a.b.c');
      await assert.rejects(client.revoke('two'), { name: 'QuotaError', code: 'unknown_token' });
    });

    test('belongs to the owner of the directory alone', async () => {
      assert.equal((await stat(join(directory, 'control.sock'))).mode & 0o777, 0o600);
    });
  });
}

describe('a control socket', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'heddle-control-'));
  });
  after(() => rm(directory, { recursive: true }));

  const say = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = createConnection(join(directory, 'control.sock'));
      let answer = '';
      socket.on('data', (piece) => {
        answer += piece.toString();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(answer));
      socket.end(text);
    });

  test('answers malformed input with an error, and continues', async () => {
    const server = await ControlServer.open(directory, services, assert.fail);
    try {
      for (const text of ['no JSON\n', '{"kind":"stop"}\n', '[]\n', `${'x'.repeat(70_000)}\n`]) {
        assert.match(await say(text), /^\{"error":\{"message":/, text.slice(0, 20));
      }
      assert.deepEqual(await new ControlClient(directory).list(), [RECORD]);
    } finally {
      await server.close();
    }
  });

  test('cuts a checkpoint at a given height or the latest, however long that takes', async () => {
    const server = await ControlServer.open(directory, services, assert.fail);
    const { signal } = new AbortController();
    const client = new ControlClient(directory);
    try {
      const cut = { state: 'done', entries: '5', chunk_count: 2, state_root: '01'.repeat(32) };
      assert.deepEqual(await client.cutCheckpoint(undefined, signal), { ...cut, height: '9' });
      assert.deepEqual(await client.cutCheckpoint(4n, signal), { ...cut, height: '4' });
      await assert.rejects(client.cutCheckpoint(10n, signal), {
        code: 'refused',
        message: /no state at 10/,
      });
      await assert.rejects(client.cutCheckpoint(3n, AbortSignal.abort(new Error('enough'))), /enough/);
    } finally {
      await server.close();
    }
  });

  test('that closes without an answer is not sent the request again', async () => {
    const silent = createServer((socket) => socket.once('data', () => socket.destroy()));
    await new Promise<void>((resolve) => silent.listen(join(directory, 'control.sock'), resolve));
    await assert.rejects(new ControlClient(directory).topUp('one', 1), {
      name: 'ControlError',
      code: 'no_answer',
    });
    await new Promise((resolve) => silent.close(resolve));
    await assert.rejects(new ControlClient(directory).topUp('one', 1), {
      name: 'ControlError',
      code: 'not_listening',
    });
  });

  for (const [what, answer] of [
    ['truncated', '{"result":[{"id":"one","sub'],
    ['truncated before its line ends', '{"result":[]}'],
    ['without a result', '{}\n'],
    ['not JSON', 'yes\n'],
  ] as const) {
    test(`whose answer is ${what} causes an error that says so`, async () => {
      const faulty = createServer((socket) => socket.once('data', () => socket.end(answer)));
      await new Promise<void>((resolve) => faulty.listen(join(directory, 'control.sock'), resolve));
      await assert.rejects(new ControlClient(directory).list(), {
        name: 'ControlError',
        code: 'no_answer',
        message: /answer is invalid|in the middle of its answer/,
      });
      await new Promise((resolve) => faulty.close(resolve));
    });
  }

  test('takes commands from where its process is not visible, as in a container', async () => {
    const server = await ControlServer.open(directory, services, assert.fail);
    const config = defaultConfig({ dataDir: directory, native: 'off', cacheBytes: 1 });
    const quiet = () => undefined;
    const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
    try {
      assert.deepEqual(await withTokens(config, log, (tokens) => tokens.list()), [RECORD]);
      assert.deepEqual(await readdir(directory), ['control.sock'], 'nothing opens the store');
    } finally {
      await server.close();
    }
  });

  test('replaces the socket of a node that was killed', async () => {
    const killed = await ControlServer.open(directory, services, assert.fail);
    const server = await ControlServer.open(directory, services, assert.fail);
    assert.deepEqual(await new ControlClient(directory).list(), [RECORD]);
    await server.close();
    await killed.close();
  });

  test('that cannot be opened leaves the node running, with a warning', async () => {
    await mkdir(join(directory, 'control.sock', 'in the way'), { recursive: true });
    const config = loadConfig({
      flags: { 'data-dir': directory, 'log-level': 'silent' },
      environment: {},
      workingDirectory: directory,
    });
    const log = await createLogger(config);
    const warnings: string[] = [];
    log.warn = (_fields: unknown, message?: unknown): void => void warnings.push(String(message));
    const stop = await openControl({ config, log, faults: { report: assert.fail } }, services);
    await stop();
    assert.match(warnings.join('\n'), /work only while the node is stopped/);
  });
});
