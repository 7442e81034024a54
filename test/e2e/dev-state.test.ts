import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { unhex } from '../outside/bytes.js';
import { RpcClient } from '../outside/rpc.js';
import { AccountsResult } from '../outside/rpc-shapes.js';
import { nodeStatus, submitEvery, Traffic } from '../outside/traffic.js';
import { devWallet, transfer } from '../outside/wallet.js';
import { eventually } from '../support/eventually.js';
import { heddle } from '../support/nodes/command-line.js';
import {
  NodeProcess,
  removeDirectory,
  runHeddle,
  startHeddle,
  temporaryDirectory,
} from '../support/nodes/node-process.js';
import { perTier } from '../support/sweep.js';

const IS_LONG = perTier(false, true);

const LAST = 1_999;
const SLOW = { timeoutMs: 60_000 };

function devState(...args: string[]) {
  return heddle(['dev-state', ...args]);
}

function verify(dataDir: string) {
  return heddle(['verify', '--data-dir', dataDir]);
}

describe('a chain of heddle dev-state', () => {
  const directory = temporaryDirectory();
  const place = (name: string) => join(directory, name);
  after(() => removeDirectory(directory));

  test('with accounts and blocks is verified, and a node starts on it without rebuilding its tree', async () => {
    const dataDir = place('both');
    const sizes = ['--accounts', '2000', '--blocks', '40', '--transactions-per-block', '3'];
    const made = await runHeddle(['dev-state', '--data-dir', dataDir, ...sizes, '--json'], SLOW);
    assert.equal(made.code, 0, made.stderr);
    const answer = JSON.parse(made.stdout) as Record<string, unknown>;
    assert.equal(answer['height'], 41);
    assert.match(`${answer['hash']} ${answer['state_root']}`, /^[0-9a-f]{64} [0-9a-f]{64}$/);
    assert.match(made.stderr, /deriving accounts[^\n]* 100%/);
    const verified = await verify(dataDir);
    assert.equal(verified.code, 0, verified.err);
    assert.match(
      verified.out,
      /^verified 40 blocks with 120 transactions after the snapshot of block 1: every/,
    );

    const node = await NodeProcess.start({ dataDir, flags: ['--block-time', '20'] });
    const rpc = new RpcClient(node.url);
    try {
      assert.doesNotMatch(node.log, /rebuilding|bringing the state tree/);
      const { tip, chain_id: chainId } = await nodeStatus(rpc);
      assert.ok(tip.height >= 41n);
      const wallet = devWallet(LAST);
      const balance = async () => {
        const params = { addresses: [`0x${Buffer.from(wallet.address).toString('hex')}`] };
        const { accounts } = AccountsResult.fromJson(await rpc.call('accounts', params), 'accounts');
        return accounts[0]?.balance;
      };
      assert.equal(await balance(), 10n ** 24n);
      const sent = new Traffic(chainId, 1).next(wallet, { action: transfer(unhex('5f'.repeat(20)), 7n) });
      await submitEvery(rpc, [sent]);
      await eventually('the payment is sealed', async () => ((await balance()) ?? 0n) < 10n ** 24n);
    } finally {
      rpc.close();
      await node.dispose();
    }
  });

  if (IS_LONG) {
    test('is identical each time', async () => {
      const tips: string[] = [];
      for (const name of ['first', 'second']) {
        const { code, out, err } = await devState(
          ...['--data-dir', place(name), '--accounts', '500', '--blocks', '5'],
        );
        assert.equal(code, 0, err);
        tips.push(out.slice(out.indexOf('tip at height')));
      }
      assert.equal(tips[0], tips[1]);
    });

    test('drops old state, without which it cannot be verified', async () => {
      const dataDir = place('pruned');
      const made = await devState(
        ...['--data-dir', dataDir, '--accounts', '100', '--blocks', '1200', '--state-retention', '1000'],
      );
      assert.equal(made.code, 0, made.err);
      const { code, err } = await verify(dataDir);
      assert.equal(code, 1);
      assert.match(
        err,
        /began with the snapshot of block 1, and the state before block \d+ has been dropped/,
      );
    });
  }

  test('with blocks alone is verified from its genesis', async () => {
    const dataDir = place('blocks');
    const made = await devState('--data-dir', dataDir, '--blocks', '300', '--transactions-per-block', '0');
    assert.equal(made.code, 0, made.err);
    const verified = await verify(dataDir);
    assert.match(verified.out, /^verified 301 blocks with 0 transactions: every/, verified.err);
  });

  test('is not made in a directory that holds a chain', async () => {
    const dataDir = place('blocks');
    const { code, err } = await devState('--data-dir', dataDir, '--accounts', '100');
    assert.equal(code, 1);
    assert.match(err, /blocks holds a chain already: name an empty --data-dir/);
    assert.match((await verify(dataDir)).out, /^verified 301 blocks/);
  });

  if (IS_LONG) {
    test('is not created by an interrupted run, but by the next one', async () => {
      const dataDir = place('interrupted');
      const run = startHeddle(['dev-state', '--data-dir', dataDir, '--accounts', '1000000'], SLOW);
      await run.said(/deriving accounts/);
      run.child.kill('SIGINT');
      const { code, stderr } = await run.ended;
      assert.equal(code, 1);
      assert.match(stderr, /interrupted; no chain was made/);
      assert.equal(existsSync(join(dataDir, 'store')), false);
      assert.equal(existsSync(join(dataDir, 'store.unfinished')), false);
      const again = await devState('--data-dir', dataDir, '--accounts', '100');
      assert.equal(again.code, 0, again.err);
    });

    test('is not left behind by a run that is killed halfway', async () => {
      const dataDir = place('killed');
      const run = startHeddle(['dev-state', '--data-dir', dataDir, '--accounts', '1000000'], SLOW);
      await run.said(/deriving accounts/);
      run.child.kill('SIGKILL');
      await run.ended;
      assert.equal(existsSync(join(dataDir, 'store')), false);
      const again = await devState('--data-dir', dataDir, '--blocks', '2');
      assert.equal(again.code, 0, again.err);
      assert.equal(existsSync(join(dataDir, 'store.unfinished')), false);
      assert.match((await verify(dataDir)).out, /^verified 3 blocks/);
    });
  }
});

test('wrong usage of heddle dev-state is reported with what was expected', async () => {
  const nothing = await heddle(['dev-state']);
  assert.equal(nothing.code, 2);
  assert.equal(nothing.err, 'heddle: expected --accounts, --blocks or both, got neither\n');
  const few = await heddle(['dev-state', '--accounts', '9']);
  assert.equal(few.code, 2);
  assert.match(few.err, /--accounts <COUNT>.*expected an integer from 10 to 100000000, got "9"/);
});
