import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlockReader } from '../../../src/ledger/block-store.js';
import { storedCertificate } from '../../../src/ledger/certificate-store.js';
import { ValidatorsWorld } from '../../support/networks/validators-world.js';

const LENGTH = 4;
const VIEWS = 12;

test('a last block notarized but not final for many views is proposed in each, across restarts', async (t) => {
  const world = await ValidatorsWorld.open({
    startNone: true,
    genesis: { epoch_length: BigInt(LENGTH) },
    config: { deltaMs: 300, blockTimeMs: 20, idleBlockTimeMs: 20 },
  });
  t.after(() => world.remove());
  const notarized: { readonly view: number; readonly hash: string }[] = [];
  world.network.tamper = (message) => {
    if (message.type !== 'vote' && message.type !== 'proposal') return [message];
    if (message.vote.kind === 'notarize') notarized.push(message.vote);
    return message.vote.kind === 'finalize' ? [] : [message];
  };
  await Promise.all([0, 1, 2, 3].map((index) => world.start(index)));
  const waitForView = (view: number) =>
    world.until(
      () => world.running.every(({ shell }) => shell.metrics().view >= view),
      () => `view ${view}`,
    );
  await waitForView(LENGTH + VIEWS / 2);
  await world.restart(1);
  await Promise.all([0, 2, 3].map((index) => world.restart(index)));
  await waitForView(LENGTH + VIEWS);
  assert.deepEqual(
    world.running.map(({ index, shell }) => [world.height(index), shell.metrics().epoch]),
    world.running.map(() => [0, 0n]),
  );

  world.network.tamper = (message) => [message];
  await world.reach(LENGTH + 2);
  world.expectOneChain();
  const { store } = world.at(0).world;
  const certificate = storedCertificate(store, BigInt(LENGTH));
  const { header } = new BlockReader(store).header(BigInt(LENGTH)) ?? assert.fail('no last block');
  assert.equal(certificate?.epoch, 0n);
  // Some votes of earlier views are repeated.
  assert.ok(
    (certificate?.view ?? 0n) > header.view + BigInt(VIEWS / 2),
    `final at view ${certificate?.view}`,
  );
  const behind = notarized.filter(({ view }) => view > header.view);
  assert.ok(new Set(behind.map(({ view }) => view)).size > VIEWS / 2);
  assert.deepEqual(new Set(behind.map(({ hash }) => hash)), new Set([world.hashAt(0, LENGTH)]));
});
