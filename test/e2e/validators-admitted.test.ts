// A validator set of separate processes grows and shrinks under a follower: the group key stays the same. The
// change from 4 to 7 and back is in test/chain/epochs.test.ts, in one process.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { Passphrase } from '../../src/consensus/files/passphrase.js';
import { readShareFile } from '../../src/consensus/files/share-file.js';
import { validatorPaths } from '../../src/consensus/files/validator-directory.js';
import type { ValidatorSet } from '../../src/generated/ledger.js';
import { FinalityProof, finalityFault } from '../outside/finality.js';
import { RpcClient } from '../outside/rpc.js';
import { heddle } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { directClient, startFollower } from '../support/followed-chain.js';
import { hex } from '../support/hex.js';
import type { NodeProcess } from '../support/node-process.js';
import { ValidatorNet } from '../support/validator-net.js';

const EPOCH = 16n;
const PASSPHRASE = 'battery staple';
/** Caches the derived key, because deriving it is expensive. */
const LOCK = new Passphrase(PASSPHRASE);
const LEAVING = 1;
/** Six processes share the machine. */
const PATIENT = { readyMs: 180_000 };

describe('a validator that joins and one that leaves', () => {
  let net: ValidatorNet | undefined;
  let follower: NodeProcess | undefined;
  after(async () => {
    await follower?.dispose();
    await net?.dispose();
  });

  test('keep the group key, the only one that a follower has to know', { timeout: 600_000 }, async () => {
    const flags = ['--block-time', '100', '--idle-block-time', '300', '--checkpoint-interval', '5'];
    net = await ValidatorNet.make({ epochLength: Number(EPOCH), ceremony: true, flags });
    const each = net;
    const trust = ['--trust', hex(net.groupPublicKey)];
    const { index: added, admission } = await net.prepare(LOCK);
    const paths = validatorPaths(net.directory(added));
    const asNewcomer = {
      env: { HEDDLE_PASSPHRASE: PASSPHRASE },
      flags: ['--p2p-port', admission.endpoint.split(':')[1] ?? '', '--log-level', 'trace'],
    };
    await net.start([0, 1, 2, 3]);

    // The new validator starts from the state of a mid-epoch checkpoint that it fetched as a follower.
    await eventually('there is a checkpoint', async () => {
      const { checkpoints } = await each.client(0).get_checkpoint_list();
      return checkpoints.some(({ height }) => height % EPOCH !== 0n);
    });
    const first = await startFollower([net.node(0).url], { ...PATIENT, dataDir: paths.data, flags: trust });
    await isSynced(first);
    await first.stop();
    await net.start([added], asNewcomer);
    await assert.rejects(net.client(added).get_blocks({ from_height: 1n, to_height: 1n }), {
      kind: 'state_unavailable',
    });

    follower = await startFollower([net.node(0).url], { ...PATIENT, flags: trust });
    await isSynced(follower);
    const watcher = directClient(follower);
    /** The validator set as the follower derives it from the chain. */
    const setOf = async (size: number): Promise<ValidatorSet> => {
      let found: ValidatorSet | undefined;
      await eventually(`there are ${size} validators`, async () => {
        ({ validator_set: found } = await watcher.status());
        return found.validators.length === size;
      });
      return found ?? assert.fail();
    };
    const four = await setOf(4);

    await approve(
      net,
      [0, 2, 3],
      ['--add', `${hex(admission.identity_key)}:${hex(admission.encryption_key)}@${admission.endpoint}`],
    );
    const five = await setOf(5);
    assert.deepEqual(hex(five.validators[4]?.identity_key ?? assert.fail()), hex(admission.identity_key));
    await eventually('the newcomer proposes', async () => (await each.consensus(added)).proposals > 0n);
    const received = await lockedShare(paths.share);
    assert.deepEqual([received.index, received.epoch >= five.epoch], [4, true]);

    const leaving = five.validators[LEAVING] ?? assert.fail();
    await approve(net, [0, 2, 3, added], ['--remove', `0x${hex(leaving.address)}`]);
    const fewer = await setOf(4);
    assert.deepEqual(
      fewer.validators.map(({ address }) => hex(address)),
      five.validators.filter((member) => member !== leaving).map(({ address }) => hex(address)),
    );
    for (const set of [five, fewer]) {
      assert.equal(hex(set.group_public_key), hex(four.group_public_key));
      assert.notEqual(sharedBy(set), sharedBy(four));
    }
    await net.kill(LEAVING);

    // The restarted validator has a share from a later epoch; it is one of three running, all needed for finality.
    await eventually('its share is of the new set', async () => (await lockedShare(paths.share)).index === 3);
    const { log } = net.node(added);
    await net.kill(added);
    const kept = await lockedShare(paths.share);
    assert.ok(kept.epoch > received.epoch);
    assert.notDeepEqual(kept.share, received.share);
    assert.ok(log.includes('got a new share of the group key'));
    for (const { share } of [received, kept]) assert.ok(!log.includes(hex(share)), 'no share is logged');
    await net.start([added], asNewcomer);
    await net.kill(3);
    await net.grow(3n);
    await eventually('the follower is there too', async () => {
      return (await watcher.status()).finalized_height >= (await each.height(added));
    });

    const last = Number((await watcher.status()).finalized_height);
    const ends = Array.from({ length: Math.floor(last / Number(EPOCH)) }, (_, i) => (i + 1) * Number(EPOCH));
    await expectFinal(net.node(0), [1, ...ends, last], net.groupPublicKey);
    await expectFinal(follower, [last], net.groupPublicKey);
    for (const index of net.running) assert.equal((await net.consensus(index)).equivocations_seen, 0n);
  });
});

const sharedBy = ({ validators: [first] }: ValidatorSet) => hex(first?.share_public_key ?? assert.fail());

async function isSynced(node: NodeProcess): Promise<void> {
  try {
    await eventually('the follower is synced', async () => (await directClient(node).readiness()).ready);
  } catch (error) {
    throw new Error(`the follower's log ends:\n${node.log.slice(-4_000)}`, { cause: error });
  }
}

async function approve(net: ValidatorNet, by: readonly number[], change: readonly string[]): Promise<void> {
  for (const index of by) {
    const { code, err } = await heddle([
      'validator',
      'approve',
      '--validator',
      net.directory(index),
      ...change,
    ]);
    assert.equal(code, 0, err);
  }
}

/** Reads a validator's encrypted share file, and asserts that the file does not reveal the share. */
async function lockedShare(path: string) {
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const text = readFileSync(path, 'utf8');
  assert.match(text, /"cipher": "xchacha20-poly1305"/);
  assert.doesNotMatch(text, /"share"|journal_id/);
  return (await readShareFile(path, LOCK)) ?? assert.fail('there is no share');
}

/** Checks the finality proof of each height under the group key, with code written from the design page alone. */
async function expectFinal({ url }: NodeProcess, heights: readonly number[], key: Uint8Array): Promise<void> {
  const rpc = new RpcClient(url);
  try {
    for (const height of heights) {
      const proof = FinalityProof.fromJson(await rpc.call('finality_proof', { height }), 'finality_proof');
      assert.equal(proof.header.height, BigInt(height));
      assert.equal(finalityFault(proof, key), undefined, `block ${height}`);
    }
  } finally {
    rpc.close();
  }
}
