// Followers with sources that lie, fail or stall, and followers that are killed.
// HEDDLE_FOLLOW_KILLS sets how often one is killed, HEDDLE_FOLLOW_SEED replays when.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { devAccount } from '../../src/client/client.js';
import { Random } from '../outside/traffic.js';
import { amongLiars, BLOCK_LIES, CHUNK_LIES } from '../support/forged/source-lies.js';
import { TamperingSource } from '../support/forged/tampering-source.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import {
  bigGenesis,
  caughtUp,
  directClient,
  followerFlags,
  grow,
  startFollower,
  startSource,
  until,
} from '../support/worlds/followed-chain.js';

const KILLS = Number(process.env['HEDDLE_FOLLOW_KILLS'] ?? 4);
const SEED = Number(process.env['HEDDLE_FOLLOW_SEED'] ?? Date.now() % 1_000_000);

describe('a follower of a chain whose snapshot has several chunks', () => {
  const directory = temporaryDirectory();
  let source: NodeProcess;
  let trust: readonly string[];

  before(async () => {
    const { genesis, key } = await bigGenesis(directory, 25_000);
    trust = ['--trust', genesis];
    const chain = ['--genesis', genesis, '--validator-key', key];
    source = await startSource({
      flags: [...chain, '--checkpoint-interval', '30', '--checkpoints-kept', '50'],
    });
    const sender = directClient(source).sender(devAccount(0));
    for (let i = 0; i < 30; i++) {
      await sender.transfer({ to: devAccount(1).address, amount: BigInt(i), wait: 'none' });
    }
    await grow(source, 30n);
    await until(
      () => directClient(source).status(),
      ({ latest_checkpoint: { height } }) => height >= 30n,
    );
  });
  after(async () => {
    await source?.dispose();
    removeDirectory(directory);
  });

  test('drops and names sources that lie about blocks, and syncs from the honest one', async () => {
    await amongLiars(source, BLOCK_LIES, [...trust, '--sync-from', 'genesis']);
  });

  test('drops and names sources that lie about a snapshot, and keeps nothing of it', async () => {
    await amongLiars(source, CHUNK_LIES, trust);
  });

  test(`ends with the right root after it was killed ${KILLS} times while it synced and followed`, async () => {
    const dataDir = temporaryDirectory();
    const link = await TamperingSource.start(source.url);
    let follower: NodeProcess | undefined;
    try {
      const sender = directClient(source).sender(devAccount(0));
      link.delayMs = 60;
      const random = new Random(SEED);
      const flags = followerFlags([link.url], trust);
      for (let kill = 0; kill < KILLS; kill++) {
        await sender.transfer({ to: devAccount(1).address, amount: 1n, wait: 'none' });
        await NodeProcess.startAndKill(dataDir, flags, 500 + random.below(1_600));
      }
      follower = await startFollower([link.url], { dataDir, flags: trust });
      await caughtUp(follower, source);
      const client = directClient(follower);
      const { tip } = await client.status();
      const range = { from_height: tip.height, to_height: tip.height };
      assert.deepEqual(await client.get_blocks(range), await directClient(source).get_blocks(range));
      const addresses = [devAccount(0).address, devAccount(1).address];
      const theirs = await directClient(source).accounts({ addresses });
      assert.deepEqual((await client.accounts({ addresses })).accounts, theirs.accounts);
    } catch (error) {
      throw new Error(`HEDDLE_FOLLOW_SEED=${SEED}: ${String(error)}\n${follower?.log.slice(-2_000)}`, {
        cause: error,
      });
    } finally {
      await follower?.dispose();
      await link.stop();
      removeDirectory(dataDir);
    }
  });
});
