import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  connect,
  devAccount,
  devPrivateKey,
  formatAddress,
  type IncludedTransaction,
  RpcCallError,
} from '../../src/client/client.js';
import { outdatedNode } from '../../src/config/outdated-node.js';
import { heddle } from '../support/nodes/command-line.js';
import { NodeProcess, runHeddle } from '../support/nodes/node-process.js';
import { removeDirectory, temporaryDirectory } from '../support/temporary-directory.js';

const TO = `0x${'5f'.repeat(20)}`;

interface LogRecord {
  readonly level: string;
  readonly msg: string;
  readonly [member: string]: unknown;
}

function records(log: string): LogRecord[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogRecord);
}

async function until<T>(look: () => T | undefined, what: string): Promise<T> {
  for (let tries = 0; tries < 200; tries++) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return assert.fail(`waited too long for ${what}`);
}

/** A node that takes this long to stop hangs. The benchmark of floods checks that it takes at most two seconds. */
const HANGING_MS = 20_000;

describe('a development node', () => {
  const dataDir = temporaryDirectory();
  let node: NodeProcess;
  before(async () => {
    node = await NodeProcess.start({ dataDir, flags: ['--block-time', '50'] });
  });
  after(async () => {
    await node.dispose();
    removeDirectory(dataDir);
  });

  it('reports its address in one machine-readable record', () => {
    const ready = records(node.log).filter(({ msg }) => msg.startsWith('listening on '));
    assert.equal(ready.length, 1);
    assert.equal(ready[0]?.msg, `listening on ${node.url}`);
    assert.equal(ready[0]?.['url'], node.url);
    assert.equal(ready[0]?.['chain_id'], '9545');
    assert.match(String(ready[0]?.['genesis_hash']), /^[0-9a-f]{64}$/);
  });

  it('warns once on a Node version past its end of life, and never on others', () => {
    const warnings = records(node.log).filter(({ msg }) => msg.startsWith('Node '));
    const outdated = outdatedNode();
    assert.deepEqual(
      warnings.map(({ level, msg }) => [level, msg]),
      outdated === undefined ? [] : [['warn', outdated]],
    );
  });

  it('shows the ten accounts with key and balance, and the path of the admin token', async () => {
    const token = await until(
      () => records(node.log).find(({ msg }) => msg === 'the admin token'),
      'the token',
    );
    assert.equal(token['path'], join(dataDir, 'admin.token'));
    const accounts = records(node.log).filter(({ msg }) => msg.startsWith('development account'));
    assert.deepEqual(
      accounts.map((record) => [
        record['index'],
        record['address'],
        record['dev_private_key'],
        record['balance'],
      ]),
      Array.from({ length: 10 }, (_, index) => [
        index,
        formatAddress(devAccount(index).address),
        `0x${Buffer.from(devPrivateKey(index)).toString('hex')}`,
        (10n ** 24n).toString(),
      ]),
    );
  });

  it('accepts a transfer by heddle send, and shows it in heddle status', async () => {
    const sent = await heddle(['send', '--url', node.url, '--from-dev', '3', '--to', TO, '--amount', '1e18']);
    assert.equal(sent.code, 0, sent.err);
    assert.match(sent.out, /^status +success, final$/m);
    const status = await heddle(['status', '--once', '--json', '--url', node.url]);
    assert.equal(status.code, 0, status.err);
    const { status: seen } = JSON.parse(status.out) as { status: { tip: { height: number } } };
    assert.ok(seen.tip.height >= 1);
    const screen = await heddle(['status', '--once', '--url', node.url]);
    assert.match(screen.out, /^validator +dev, synced/m);
  });

  it('ends with the exit code of the command', async () => {
    const args = ['send', '--url', node.url, '--from-dev', '4', '--to', '0x12', '--amount', '1'];
    const { code, stdout, stderr } = await runHeddle(args);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /^heddle: --to: expected an address/);
  });

  it('gives heddle send the reason of a rejection, and exit code 1', async () => {
    const args = ['send', '--url', node.url, '--from-dev', '4', '--to', TO, '--amount', '1e30'];
    const refused = await heddle(args);
    assert.deepEqual([refused.code, refused.out], [1, '']);
    assert.match(refused.err, /^heddle: it would fail: .*insufficient balance: .*; nothing was sent/);
    const { code, out, err } = await heddle([...args, '--force']);
    assert.equal(code, 1);
    assert.equal(out, '');
    assert.match(err, /^heddle: rejected \(insufficient_balance\): /);
  });

  it('takes many concurrent transfers of one account through the client', async () => {
    const client = connect(node.url);
    const from = client.sender(devAccount(5));
    const sent = await Promise.all(
      Array.from({ length: 200 }, () => from.transfer({ to: TO, amount: 1n, wait: 'included' })),
    );
    assert.deepEqual(
      sent.map(({ nonce }) => nonce),
      Array.from({ length: 200 }, (_, nonce) => BigInt(nonce)),
    );
    assert.ok(sent.every(({ receipt }) => receipt.status.type === 'success'));
  });

  it('accepts them in batches, on several lanes', async () => {
    const client = connect(node.url, { batch: true });
    const lanes = [0, 1, 2].map((lane) => client.sender(devAccount(6), { lane }));
    const sent = await Promise.all(
      lanes.flatMap((from) => Array.from({ length: 60 }, () => from.transfer({ to: TO, amount: 1n }))),
    );
    const receipts = await Promise.all(
      sent.map(({ hash }) => client.waitForReceipt(hash, { finalized: true })),
    );
    assert.ok(receipts.every(({ status }) => status.type === 'success'));
    const { lanes: after } = await client.account({ address: devAccount(6).address });
    assert.deepEqual(
      after.map(({ lane, next_nonce }) => [lane, next_nonce]),
      [
        [0, 60n],
        [1, 60n],
        [2, 60n],
      ],
    );
  });

  it('serves two programs that share an account', async () => {
    const [one, other] = [connect(node.url), connect(node.url)].map((client) => client.sender(devAccount(7)));
    assert.ok(one !== undefined && other !== undefined);
    for (let round = 0; round < 5; round++) {
      const pair: Promise<IncludedTransaction>[] = [one, other].map((from) =>
        from.transfer({ to: TO, amount: 1n, wait: 'included' }),
      );
      const nonces = (await Promise.all(pair)).map(({ receipt }) => receipt.nonce);
      assert.deepEqual(
        [...nonces].sort((a, b) => Number(a - b)),
        [BigInt(round * 2), BigInt(round * 2 + 1)],
      );
    }
  });

  it('takes a transfer that a secp256k1 key file signs', async () => {
    const key = join(dataDir, 'my-key.json');
    await heddle(['keys', 'new', '--scheme', 'secp256k1', '--out', key]);
    const address = (await heddle(['keys', 'address', key])).out.trim();
    const fund = ['send', '--url', node.url, '--from-dev', '0', '--to', address, '--amount', '1e12'];
    assert.equal((await heddle(fund)).code, 0);
    const sent = await heddle(['send', '--url', node.url, '--key', key, '--to', TO, '--amount', '7']);
    assert.equal(sent.code, 0, sent.err);
  });

  it('tells the client why it may not call an admin method', async () => {
    const build = connect(node.url).tx_build({
      sender: devAccount(0).address,
      action: { type: 'transfer', value: { to: devAccount(1).address, amount: 1n } },
    });
    await assert.rejects(
      build,
      (error: unknown) => error instanceof RpcCallError && error.kind === 'unauthorized',
    );
  });

  it('protects its directory from verification while it runs', async () => {
    const { code, err } = await heddle(['verify', '--data-dir', dataDir]);
    assert.equal(code, 1);
    assert.match(err, /is in use by process \d+/);
  });

  it('ends on SIGTERM by that signal, and its chain verifies', async () => {
    const { signal, ms } = await node.stop('SIGTERM');
    assert.equal(signal, 'SIGTERM', node.log);
    assert.ok(ms < HANGING_MS, `took ${ms} ms`);
    assert.ok(records(node.log).some(({ msg }) => msg === 'stopped'));
    const { code: verdict, out, err } = await heddle(['verify', '--data-dir', dataDir]);
    assert.equal(verdict, 0, err);
    assert.match(
      out,
      /^verified \d+ blocks with \d+ transactions: every signature, receipt, root and hash agrees\n$/,
    );
    const beyond = await heddle(['verify', '--data-dir', dataDir, '--to', '99999']);
    assert.equal(beyond.code, 1, beyond.out);
    assert.match(beyond.err, /block 99999 does not exist: the chain ends at height \d+/);
  });
});
