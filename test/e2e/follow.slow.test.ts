// Followers that wait for a checkpoint, lose their source, or find another chain; see follow.test.ts.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Client, devAccount, RpcCallError } from '../../src/client/client.js';
import { TamperingSource } from '../support/forged/tampering-source.js';
import { heddle } from '../support/nodes/command-line.js';
import { type NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import {
  caughtUp,
  directClient,
  grow,
  startFollower,
  startSource,
  until,
} from '../support/worlds/followed-chain.js';

const DEV_KEY =
  '978b0f0afe1254ae38cd6d8caf521b518b55f7b448cbb8528144f69afd358e2ae274916eb241d13775cd255f29ee027f';
const alice = devAccount(0);
const bob = devAccount(1);

describe('a follower', () => {
  const dataDir = temporaryDirectory();
  let source: NodeProcess;
  let link: TamperingSource;
  let follower: NodeProcess;
  let client: Client;

  before(async () => {
    source = await startSource({ flags: ['--checkpoint-interval', '25'] });
    link = await TamperingSource.start(source.url);
  });
  after(async () => {
    await follower?.dispose();
    await link?.stop();
    await source?.dispose();
    removeDirectory(dataDir);
  });

  test('given only a key reports that it waits for the first checkpoint', async (t) => {
    const keyed = await startFollower([source.url], { flags: ['--trust', DEV_KEY] });
    t.after(() => keyed.dispose());
    const waiting = directClient(keyed);
    await until(
      () => waiting.readiness(),
      ({ reasons }) => reasons.some((reason) => /waiting for the first checkpoint/.test(reason)),
    );
    const probe = await fetch(`${keyed.url}/ready`);
    assert.equal(probe.status, 503);
    assert.equal((await fetch(`${keyed.url}/health`)).status, 200);
    for (const ask of [() => waiting.status(), () => waiting.account({ address: alice.address })]) {
      await assert.rejects(ask, (error) => error instanceof RpcCallError && error.kind === 'not_ready');
    }
    assert.equal((await waiting.validator_status()).role.type, 'follower');
    await grow(source, 25n);
    await caughtUp(keyed, source);
    await assert.rejects(
      waiting.get_blocks({ from_height: 1n, to_height: 2n }),
      (error) => error instanceof RpcCallError && error.kind === 'state_unavailable',
    );
  });

  test('without sources serves its data, reports a stall, and resumes when they return', async () => {
    follower = await startFollower([link.url], { dataDir, flags: ['--sync-from', 'genesis'] });
    client = directClient(follower);
    await caughtUp(follower, source);
    link.cut = true;
    const stalled = await until(
      () => client.readiness(),
      ({ sync }) => sync.state.type === 'stalled',
    );
    assert.equal(stalled.ready, false);
    assert.match(stalled.reasons.join('\n'), /no source has answered for \d+ s/);
    const { tip } = await client.status();
    assert.equal((await client.account({ address: alice.address })).balance, 10n ** 24n);
    await assert.rejects(
      client.sender(alice).transfer({ to: bob.address, amount: 1n, wait: 'none' }),
      (error) => error instanceof RpcCallError && error.kind === 'not_ready' && error.retryable,
    );
    link.cut = false;
    await until(
      () => client.readiness(),
      ({ ready, sync }) => ready && sync.tip_height > tip.height,
    );
    await caughtUp(follower, source);
  });

  test('whose source restarted with a new chain reports it, stops and mixes nothing', async (t) => {
    const { blocks } = await directClient(source).get_blocks({ from_height: 5n, to_height: 5n });
    link.cut = true;
    const anew = await startSource();
    t.after(() => anew.dispose());
    await directClient(anew).sender(alice).transfer({ to: bob.address, amount: 1n, wait: 'included' });
    link.honestUrl = anew.url;
    link.cut = false;
    const { code: exit } = await follower.exited;
    assert.equal(exit, 1);
    assert.match(follower.log, /another chain, certified by the same key/);
    assert.match(follower.log, /start this node with an empty --data-dir/);
    // The follower still has the complete old chain.
    link.honestUrl = source.url;
    follower = await startFollower([link.url], { dataDir, flags: ['--sync-from', 'genesis'] });
    await caughtUp(follower, source);
    const kept = await directClient(follower).get_blocks({ from_height: 5n, to_height: 5n });
    assert.deepEqual(kept.blocks, blocks);
  });

  test('has a chain that verifies from genesis', async () => {
    await follower.stop();
    const { code, out, err } = await heddle(['verify', '--data-dir', dataDir]);
    assert.equal(code, 0, `${out}${err}`);
  });
});
