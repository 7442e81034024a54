// From 4 to 7 validators and back, live, each a process, under load with sealed transactions and under a follower: the group
// key stays the same. One of the seven begins with the state of a checkpoint and keeps its share encrypted, another is away
// for a whole epoch and votes again. The same in one process is in test/chain/epochs.test.ts.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatAddress } from '../../src/client/address-text.js';
import { ClientError, connect, devAccount, RpcCallError } from '../../src/client/client.js';
import { Passphrase } from '../../src/consensus/files/passphrase.js';
import { readShareFile } from '../../src/consensus/files/share-file.js';
import { validatorPaths } from '../../src/consensus/files/validator-directory.js';
import { loadBls } from '../../src/crypto/load-bls.js';
import type { ValidatorSet } from '../../src/generated/ledger.js';
import { FinalityProof, finalityFault } from '../outside/finality.js';
import { RpcClient } from '../outside/rpc.js';
import { eventually } from '../support/eventually.js';
import { hex } from '../support/hex.js';
import { type PreparedValidator, ValidatorNet } from '../support/networks/validator-net.js';
import { heddle } from '../support/nodes/command-line.js';
import type { NodeProcess } from '../support/nodes/node-process.js';
import { directClient, startFollower } from '../support/worlds/followed-chain.js';

const EPOCH = 18n;
/** The one of the first four that stays. */
const OBSERVER = 1;
const LEAVING = [0, 2, 3];
const PASSPHRASE = 'battery staple';
/** Caches the derived key, because deriving it is expensive. */
const LOCK = new Passphrase(PASSPHRASE);
/** Eight processes share the machine. */
const PATIENT = { readyMs: 180_000 };
const action = { type: 'transfer', value: { to: devAccount(9).address, amount: 1n } } as const;

const sharedBy = ({ validators: [first] }: ValidatorSet) => hex(first?.share_public_key ?? assert.fail());
const addressesOf = ({ validators }: ValidatorSet) => validators.map(({ address }) => hex(address));
const portOf = ({ admission: { endpoint } }: PreparedValidator) => endpoint.split(':')[1] ?? '';

describe('a chain of four validators', { timeout: 900_000 }, () => {
  let made: ValidatorNet | undefined;
  let follower: NodeProcess | undefined;
  let load: Load | undefined;
  const prepared: PreparedValidator[] = [];
  after(async () => {
    await follower?.dispose();
    await made?.dispose();
  });

  const net = (): ValidatorNet => made ?? assert.fail('it was not made');
  const newcomer = (number: number) => prepared[number] ?? assert.fail();
  const trust = () => ['--trust', hex(net().groupPublicKey)];
  const pathsOf = ({ index }: PreparedValidator) => validatorPaths(net().directory(index));
  const followed = () => follower ?? assert.fail();

  async function startNewcomer(each: PreparedValidator): Promise<void> {
    const flags = ['--p2p-port', portOf(each)];
    await net().start(
      [each.index],
      each === newcomer(0)
        ? { flags: [...flags, '--log-level', 'trace'], env: { HEDDLE_PASSPHRASE: PASSPHRASE } }
        : { flags },
    );
  }

  const setNow = async (index = OBSERVER): Promise<ValidatorSet> =>
    (await net().client(index).status()).validator_set;

  /** The validator set as the follower derives it from the chain, once it has a size. */
  async function setOf(size: number): Promise<ValidatorSet> {
    let found: ValidatorSet | undefined;
    await eventually(`there are ${size} validators`, async () => {
      ({ validator_set: found } = await directClient(followed()).status());
      return found.validators.length === size;
    });
    return found ?? assert.fail();
  }

  async function hasItsShare(index: number): Promise<void> {
    const bls = await loadBls('auto');
    const lock = index === newcomer(0).index ? LOCK : undefined;
    await eventually(`validator ${index} has its share`, async () => {
      const { validators } = await setNow(index);
      const share = await readShareFile(validatorPaths(net().directory(index)).share, lock);
      if (share === undefined) return false;
      const key = hex(bls.publicKey(share.share));
      return key === hex(validators[share.index]?.share_public_key ?? new Uint8Array(0));
    });
    await eventually('it may vote', async () => (await net().client(index).readiness()).epoch_key_available);
  }

  async function approve(by: readonly number[], change: readonly string[]): Promise<void> {
    for (const index of by) {
      const flags = ['--validator', net().directory(index), ...change];
      const { code, err } = await heddle(['validator', 'approve', ...flags]);
      assert.equal(code, 0, err);
    }
  }

  test('lets a newcomer begin with the state of a checkpoint in mid-epoch, which it fetches as a follower', async () => {
    made = await ValidatorNet.make({
      epochLength: Number(EPOCH),
      ceremony: true,
      flags: ['--block-time', '100', '--idle-block-time', '250', '--checkpoint-interval', '5'],
    });
    prepared.push(await made.prepare(LOCK), await made.prepare(), await made.prepare());
    await made.start([0, 1, 2, 3]);
    await eventually('there is a checkpoint', async () => {
      const { checkpoints } = await net().client(OBSERVER).get_checkpoint_list();
      return checkpoints.some(({ height }) => height % EPOCH !== 0n);
    });
    const urls = [made.node(OBSERVER).url];
    const first = await startFollower(urls, {
      ...PATIENT,
      dataDir: pathsOf(newcomer(0)).data,
      flags: trust(),
    });
    await isSynced(first);
    await first.stop();
    await startNewcomer(newcomer(0));
    await assert.rejects(made.client(newcomer(0).index).get_blocks({ from_height: 1n, to_height: 1n }), {
      kind: 'state_unavailable',
    });
    follower = await startFollower(urls, { ...PATIENT, flags: trust() });
    await isSynced(follower);
  });

  let received: LockedShare | undefined;

  test('grows to seven under load', async () => {
    for (const each of prepared.slice(1)) await startNewcomer(each);
    load = new Load(net());
    const four = await setOf(4);
    for (const { admission } of prepared) {
      const keys = `${hex(admission.identity_key)}:${hex(admission.encryption_key)}`;
      // If an epoch ends between two approvals, the next one has a larger quorum, which the newcomers help to reach.
      await approve(net().all, ['--add', `${keys}@${admission.endpoint}`]);
    }
    const seven = await setOf(7);
    assert.equal(seven.quorum, 5);
    assert.deepEqual(
      seven.validators.slice(4).map(({ identity_key }) => hex(identity_key)),
      prepared.map(({ admission }) => hex(admission.identity_key)),
    );
    assert.equal(hex(seven.group_public_key), hex(net().groupPublicKey));
    assert.notEqual(sharedBy(seven), sharedBy(four));
    for (const index of net().all) await hasItsShare(index);
    await eventually(
      'the newcomer proposes',
      async () => (await net().consensus(newcomer(0).index)).proposals > 0n,
    );
    received = await lockedShare(pathsOf(newcomer(0)).share);
    assert.deepEqual([received.index, received.epoch >= seven.epoch], [4, true]);
  });

  test('continues while one is away for an epoch, and gives it the share dealt in its absence', async () => {
    const { index: away } = newcomer(1);
    await net().kill(away);
    const gone = (await setNow()).epoch;
    // Away for at least one whole epoch, so that all its evaluations are sealed.
    await eventually('two epochs pass', async () => (await setNow()).epoch >= gone + 2n);
    await startNewcomer(newcomer(1));
    await eventually('it is back', async () => (await setNow(away)).epoch >= gone + 2n);
    await hasItsShare(away);
    assert.match(net().node(away).log, /read a share dealt while this node was away/);
  });

  test('shrinks to four, and keeps its key', async () => {
    const seven = await setOf(7);
    for (const index of LEAVING) {
      const { address } = seven.validators[index] ?? assert.fail();
      await approve(net().all, ['--remove', formatAddress(address)]);
    }
    const four = await setOf(4);
    assert.equal(hex(four.group_public_key), hex(net().groupPublicKey));
    assert.notEqual(sharedBy(four), sharedBy(seven));
    const left = LEAVING.map((index) => hex(seven.validators[index]?.address ?? assert.fail()));
    assert.deepEqual(
      addressesOf(four),
      addressesOf(seven).filter((address) => !left.includes(address)),
    );
    await net().kill(...LEAVING);
    for (const index of net().running) await hasItsShare(index);
    await net().grow(5n);
  });

  test('needs and gets the votes of a restarted validator with a share of a later epoch', async () => {
    const { share: path } = pathsOf(newcomer(0));
    const { index } = newcomer(0);
    assert.equal((await lockedShare(path)).index, 1);
    const { log } = net().node(index);
    await net().kill(index);
    const kept = await lockedShare(path);
    const before = received ?? assert.fail('it has received no share');
    assert.ok(kept.epoch > before.epoch);
    assert.notDeepEqual(kept.share, before.share);
    assert.ok(log.includes('got a new share of the group key'));
    for (const { share } of [before, kept]) assert.ok(!log.includes(hex(share)), 'no share is logged');
    await startNewcomer(newcomer(0));
    // One of three running, all needed for finality.
    await net().kill(newcomer(2).index);
    await net().grow(3n);
  });

  test('opened the sealed transactions, and is final under its one key everywhere', async () => {
    const opened = await (load ?? assert.fail()).stop();
    assert.ok(opened >= 10, `${opened} envelopes were opened`);
    const client = directClient(followed());
    const height = await net().height(newcomer(0).index);
    await eventually('the follower is there too', async () => {
      return (await client.status()).finalized_height >= height;
    });
    const ends = Array.from({ length: Number(height / EPOCH) }, (_, i) => (i + 1) * Number(EPOCH));
    await expectFinal(net().node(OBSERVER), [1, ...ends, Number(height)], net().groupPublicKey);
    await expectFinal(followed(), [Number(height)], net().groupPublicKey);
    await net().agree(height);
  });
});

/** Transfers and sealed transfers through validators that stay, until it is stopped. */
class Load {
  readonly #sent: { readonly hash: Uint8Array; readonly opensAt: bigint }[] = [];
  readonly #ended: Promise<void>;
  readonly #url: string;
  #isRunning = true;

  constructor(private readonly net: ValidatorNet) {
    this.#url = net.node(OBSERVER).url;
    this.#ended = this.#run();
  }

  /** @returns the number of sealed transfers that have taken place */
  async stop(): Promise<number> {
    this.#isRunning = false;
    await this.#ended;
    let opened = 0;
    for (const { hash, opensAt } of this.#sent) {
      await eventually('an envelope is opened or left out', async () => {
        const { status } = await this.net.client(OBSERVER).tx_by_hash({ tx_hash: hash });
        if (status.type !== 'included') return status.type === 'rejected';
        const { receipt } = await this.net.client(OBSERVER).tx_receipt({ tx_hash: hash });
        // The receipt of the inclusion gives way to that of the opening.
        if (receipt === undefined || receipt.height <= opensAt) return false;
        assert.equal(receipt.status.type, 'success');
        opened++;
        return true;
      });
    }
    return opened;
  }

  async #run(): Promise<void> {
    for (let count = 0; this.#isRunning && !this.net.isDisposed; count++) {
      await sleep(400);
      const client = connect(this.#url, { timeoutMs: 10_000, retry: { retries: 0 } });
      try {
        await client.sender(devAccount(2)).transfer(action.value);
        if (count % 3 > 0) continue;
        this.#sent.push(await client.seal(action, { signer: devAccount(1) }));
      } catch (error) {
        if (!(error instanceof ClientError || error instanceof RpcCallError)) throw error;
      }
    }
  }
}

async function isSynced(node: NodeProcess): Promise<void> {
  try {
    await eventually('the follower is synced', async () => (await directClient(node).readiness()).ready);
  } catch (error) {
    throw new Error(`the follower's log ends:\n${node.log.slice(-4_000)}`, { cause: error });
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
type LockedShare = Awaited<ReturnType<typeof lockedShare>>;

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
