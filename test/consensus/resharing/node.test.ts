import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { NODE_RUNTIME } from '../../../src/async/runtime.js';
import { ItemChecks } from '../../../src/chain/epochs/item-checks.js';
import {
  type EncryptionKey,
  readEncryptionFile,
  writeEncryptionFile,
} from '../../../src/consensus/files/encryption-file.js';
import { ResharingFile, resharingRecordFile } from '../../../src/consensus/files/record-file.js';
import { type ValidatorShare, writeShareFile } from '../../../src/consensus/files/share-file.js';
import { validatorPaths } from '../../../src/consensus/files/validator-directory.js';
import { EncryptionKeeper } from '../../../src/consensus/resharing/encryption-keeper.js';
import { Resharing, type ResharingOptions } from '../../../src/consensus/resharing/resharing.js';
import { ShareKeeper } from '../../../src/consensus/resharing/share-keeper.js';
import { ExecutionPool } from '../../../src/execution/pool/execution-pool.js';
import type { Complaint, Dealing } from '../../../src/generated/ledger.js';
import { BlockReader } from '../../../src/ledger/block-store.js';
import { commitmentsDigest } from '../../../src/ledger/validators/signed-messages.js';
import type { MeshPeer } from '../../../src/network/mesh.js';
import { Teardown } from '../../../src/node/teardown.js';
import { hex } from '../../support/hex.js';
import { EpochChain } from '../../support/worlds/epoch-chain.js';

const LENGTH = 8n;
const JOURNAL = new Uint8Array(32).fill(7);

/** A chain past the end of an epoch, and validator 0's files as a crash at that moment left them. */
async function crashed(
  t: TestContext,
  { dealers, isAway = false }: { readonly dealers: readonly number[]; readonly isAway?: boolean },
) {
  const chain = await EpochChain.open({ epochLength: LENGTH });
  t.after(() => chain.world.remove());
  await chain.advanceTo(2n);
  const dealt = dealers.map((dealer) => chain.deal(dealer, { silent: isAway ? [0] : [] }));
  for (const { dealing } of dealt) await chain.advance({ dealings: [dealing] });
  await chain.advanceTo(8n);
  chain.hand(dealt);
  await chain.advance();

  const { crypto } = chain.validators;
  const directory = await mkdtemp(join(tmpdir(), 'heddle-resharing-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const paths = validatorPaths(directory);
  const record = await ResharingFile.open(resharingRecordFile(paths.resharing), 0n);
  if (!isAway)
    await record.keep({
      received: dealt.map(({ dealing: { dealer, commitments }, dealt: sent }) => ({
        dealer,
        commitments_digest: commitmentsDigest(crypto, commitments),
        share: sent[0]?.share ?? assert.fail(),
      })),
    });
  const share = { epoch: 0n, index: 0, share: chain.shares[0]?.[0] ?? assert.fail(), journalId: JOURNAL };
  const shares = await ShareKeeper.open({
    share,
    journalId: JOURNAL,
    write: (next) => writeShareFile(paths.share, next),
  });
  return { chain, paths, shares };
}

/** Starts resharing with the blocks from a height on, and stops it once the files are in place. */
async function recovered({ chain, paths, shares }: Awaited<ReturnType<typeof crashed>>, from: bigint) {
  const { world, validators } = chain;
  const reader = new BlockReader(world.store);
  const workers = new ExecutionPool({
    setup: { native: world.native, store: world.store.handle },
    workers: 1,
  });
  const { identity_key: publicKey, address } = validators.identity(0);
  const seed = validators.crypto.sha256(new TextEncoder().encode('test identity 0'));
  const warnings: string[] = [];
  const resharing = await Resharing.open({
    chain: world.chain,
    store: world.store,
    blocks: { encodedItems: (height) => (height < from ? [] : reader.encodedItems(height)) },
    crypto: validators.crypto,
    curve: { bls: validators.bls, workers },
    checks: new ItemChecks(validators.crypto, workers),
    runtime: { ...NODE_RUNTIME, random: validators.random },
    encryption: new EncryptionKeeper([validators.identity(0).encryption], (keys) =>
      writeEncryptionFile(paths.encryption, keys),
    ),
    identity: { seed, publicKey, address },
    shares,
    mesh: {
      on: () => undefined,
      onConnected: () => undefined,
      send: () => true,
      broadcast: () => 0,
      drop: () => undefined,
    },
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: (_, message) => warnings.push(message),
      error: (fields, message) => assert.fail(`${message}: ${String('err' in fields ? fields.err : '')}`),
    },
    record: resharingRecordFile(paths.resharing),
    onWork: () => undefined,
  });
  await resharing.settled;
  await resharing.stop();
  await workers.stop();
  return { warnings, hasRecord: existsSync(paths.resharing) };
}

for (const [what, from] of [
  ['with all blocks', 0n],
  ['with a snapshot of the middle of the epoch in place of the blocks before', 7n],
] as const) {
  test(`a crash at the end of an epoch loses no share, ${what}`, async (t) => {
    const world = await crashed(t, { dealers: [0, 1, 3] });
    const { hasRecord } = await recovered(world, from);
    const { share } = world.shares;
    assert.deepEqual([share?.epoch, share?.index], [1n, 0]);
    assert.equal(
      hex(world.chain.validators.bls.publicKey(share?.share ?? assert.fail())),
      hex(world.chain.epochs.validators.validators[0]?.share_public_key ?? assert.fail()),
    );
    assert.ok(!hasRecord);
  });
}

test('a validator that was away, and crashed at the end of the epoch, reads its sealed shares after the restart', async (t) => {
  const world = await crashed(t, { dealers: [1, 2, 3], isAway: true });
  const { warnings } = await recovered(world, 0n);
  const { share } = world.shares;
  assert.deepEqual([share?.epoch, warnings], [1n, []]);
  assert.equal(
    hex(world.chain.validators.bls.publicKey(share?.share ?? assert.fail())),
    hex(world.chain.epochs.validators.validators[0]?.share_public_key ?? assert.fail()),
  );
});

test('after an epoch with too few dealings, the share stays', async (t) => {
  const world = await crashed(t, { dealers: [0, 1] });
  const { share } = world.shares;
  const { hasRecord } = await recovered(world, 0n);
  assert.deepEqual(world.shares.share, share);
  assert.ok(!hasRecord);
});

/** Resharing as validator 0, on a chain in the first half of an epoch; it receives others' frames. */
async function running(t: TestContext) {
  const failures: string[] = [];
  const teardown = new Teardown();
  t.after(() => teardown.run());
  teardown.add(() => assert.deepEqual(failures, []));
  const chain = await EpochChain.open({ epochLength: LENGTH });
  teardown.add(() => chain.world.remove());
  const { world, validators } = chain;
  const directory = await mkdtemp(join(tmpdir(), 'heddle-resharing-'));
  teardown.add(() => rm(directory, { recursive: true, force: true }));
  const paths = validatorPaths(directory);
  const share = { epoch: 0n, index: 0, share: chain.shares[0]?.[0] ?? assert.fail(), journalId: JOURNAL };
  const write = (next: ValidatorShare) => writeShareFile(paths.share, next);
  const shares = await ShareKeeper.open({ share, journalId: JOURNAL, write });
  const workers = new ExecutionPool({
    setup: { native: world.native, store: world.store.handle },
    workers: 1,
  });
  teardown.add(() => workers.stop());
  const { identity_key: publicKey, address } = validators.identity(0);
  const seed = validators.crypto.sha256(new TextEncoder().encode('test identity 0'));
  const dropped: string[] = [];
  const handlers = new Map<string, (peer: MeshPeer, value: never) => unknown>();
  let onWork: () => void = () => undefined;
  const options: ResharingOptions = {
    chain: world.chain,
    store: world.store,
    blocks: new BlockReader(world.store),
    crypto: validators.crypto,
    curve: { bls: validators.bls, workers },
    checks: new ItemChecks(validators.crypto, workers),
    runtime: { ...NODE_RUNTIME, random: validators.random },
    encryption: new EncryptionKeeper([validators.identity(0).encryption], (keys) =>
      writeEncryptionFile(paths.encryption, keys),
    ),
    identity: { seed, publicKey, address },
    shares,
    mesh: {
      on: (kind, handler) => handlers.set(kind, handler),
      onConnected: () => undefined,
      send: () => true,
      broadcast: () => 0,
      drop: (_, reason) => dropped.push(reason),
    },
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (fields, message) => failures.push(`${message}: ${String('err' in fields ? fields.err : '')}`),
    },
    record: resharingRecordFile(paths.resharing),
    onWork: () => onWork(),
  };
  const resharing = await Resharing.open(options);
  // Resharing stops first, because it uses everything else until then.
  teardown.add(() => resharing.stop());
  const receive = (from: number, dealing: Dealing) => {
    const { identity_key: identityKey } = validators.identity(from);
    const peer = { identity: hex(identityKey), identityKey, index: from };
    handlers.get('dealing')?.(peer, dealing as never);
  };
  const complain = (from: number, complaint: Complaint) => {
    const { identity_key: identityKey } = validators.identity(from);
    const peer = { identity: hex(identityKey), identityKey, index: from };
    handlers.get('complaint')?.(peer, complaint as never);
  };
  /** Waits until `count` complaints wait for a block. */
  const complaints = (count: number) =>
    new Promise<readonly number[]>((resolve) => {
      onWork = () => {
        const dealers = resharing.waiting.complaints.map(({ dealer }) => dealer);
        if (dealers.length >= count) resolve(dealers.sort());
      };
      onWork();
    });
  /** Waits until `count` dealings wait for a block. */
  const waiting = (count: number) =>
    new Promise<readonly number[]>((resolve) => {
      onWork = () => {
        const dealers = resharing.waiting.dealings.map(({ dealer }) => dealer);
        if (dealers.length >= count) resolve(dealers.sort());
      };
      onWork();
    });
  const storedKeys = () => readEncryptionFile(validators.bls, paths.encryption);
  /** Starts and stops resharing as another process of the validator. */
  const restart = async () => {
    const write = (keys: readonly EncryptionKey[]) => writeEncryptionFile(paths.encryption, keys);
    const encryption = new EncryptionKeeper(await storedKeys(), write);
    const again = await Resharing.open({ ...options, encryption });
    await again.settled;
    await again.stop();
  };
  return { chain, resharing, receive, waiting, complain, complaints, dropped, storedKeys, restart };
}

test('restarts in an epoch keep the keys of this epoch and of the next, which the dealing announces', async (t) => {
  const { chain, resharing, storedKeys, restart } = await running(t);
  await chain.advanceTo(2n);
  await resharing.settled;
  await resharing.stop();
  const keys = await storedKeys();
  assert.equal(keys.length, 2);
  for (let height = 2n; height < LENGTH; height++) {
    await restart();
    const kept = (await storedKeys()).map(({ publicKey }) => hex(publicKey));
    assert.deepEqual(
      kept,
      keys.map(({ publicKey }) => hex(publicKey)),
      `at height ${height}`,
    );
    await chain.advance();
  }
});

test('the dealings of a validator some blocks ahead wait until this node catches up', async (t) => {
  const { chain, resharing, receive, waiting, dropped } = await running(t);
  const dealings = [1, 2, 3].map((dealer) => chain.dealing(dealer));
  const [one = assert.fail(), two = assert.fail(), three = assert.fail()] = dealings;
  receive(1, one);
  receive(2, two);
  // Validator 3 sends the dealing of another validator, then one of a distant epoch, which is ignored.
  receive(3, one);
  receive(3, { ...three, epoch: 7n });
  assert.deepEqual(resharing.waiting.dealings, []);
  await chain.advanceTo(1n);
  const found = waiting(2);
  await chain.advance();
  assert.deepEqual(await found, [1, 2]);
  assert.deepEqual(dropped, ["another validator's dealing"]);
});

test('a valid complaint of its player waits for a block, also if it arrives before the dealing', async (t) => {
  const { chain, resharing, complain, complaints, dropped } = await running(t);
  await chain.advanceTo(2n);
  const [one, two] = [1, 2].map((dealer) => chain.garbage(chain.dealing(dealer, { silent: [3] }), dealer));
  assert.ok(one !== undefined && two !== undefined);
  const early = chain.complaint(two, 3);
  complain(3, early);
  await chain.advance({ dealings: [one] });
  assert.deepEqual(resharing.waiting.complaints, []);
  const complaint = chain.complaint(one, 3);
  complain(1, complaint);
  complain(3, { ...complaint, epoch: 5n });
  const first = complaints(1);
  complain(3, complaint);
  assert.deepEqual(await first, [1]);
  const both = complaints(2);
  await chain.advance({ dealings: [two] });
  assert.deepEqual(await both, [1, 2]);
  const block = await chain.advance({ complaints: resharing.waiting.complaints });
  assert.equal(block.complaints.length, 2);
  assert.deepEqual(resharing.waiting.complaints, []);
  assert.deepEqual(dropped, ["another validator's complaint"]);
});
