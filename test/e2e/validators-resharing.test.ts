// From 4 to 7 validators and back, live, each a process, under load with sealed transactions. One of the seven is away for a
// whole epoch and votes again.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatAddress } from '../../src/client/address-text.js';
import { ClientError, connect, devAccount, RpcCallError } from '../../src/client/client.js';
import { readShareFile } from '../../src/consensus/files/share-file.js';
import { validatorPaths } from '../../src/consensus/files/validator-directory.js';
import { loadBls } from '../../src/crypto/load-bls.js';
import type { ValidatorSet } from '../../src/generated/ledger.js';
import { heddle } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { hex } from '../support/hex.js';
import { ValidatorNet } from '../support/validator-net.js';

const EPOCH = 30;
const OBSERVER = 1;
const action = { type: 'transfer', value: { to: devAccount(9).address, amount: 1n } } as const;

describe('a chain of four validators', () => {
  let net: ValidatorNet | undefined;
  after(() => net?.dispose());

  test('grows to seven and shrinks to four under load, and keeps its key', { timeout: 900_000 }, async () => {
    const flags = ['--block-time', '150', '--idle-block-time', '300'];
    net = await ValidatorNet.make({ epochLength: EPOCH, ceremony: true, flags });
    const each = net;
    const bls = await loadBls('auto');
    const prepared = [await net.prepare(), await net.prepare(), await net.prepare()];
    await net.start([0, 1, 2, 3]);
    for (const { index, admission } of prepared) {
      await net.start([index], { flags: ['--p2p-port', admission.endpoint.split(':')[1] ?? ''] });
    }
    const load = new Load(net);
    const setNow = async (index = OBSERVER): Promise<ValidatorSet> =>
      (await each.client(index).status()).validator_set;
    const grownTo = async (size: number): Promise<ValidatorSet> => {
      await eventually(
        `there are ${size} validators`,
        async () => (await setNow()).validators.length === size,
      );
      return setNow();
    };
    const hasItsShare = async (index: number): Promise<void> => {
      await eventually(`validator ${index} has its share`, async () => {
        const { validators } = await setNow(index);
        const share = await readShareFile(validatorPaths(each.directory(index)).share);
        if (share === undefined) return false;
        const key = hex(bls.publicKey(share.share));
        return key === hex(validators[share.index]?.share_public_key ?? new Uint8Array(0));
      });
      await eventually('it may vote', async () => (await each.client(index).readiness()).epoch_key_available);
    };

    for (const { admission } of prepared) {
      const keys = `${hex(admission.identity_key)}:${hex(admission.encryption_key)}`;
      await approve(net, [0, 1, 2], ['--add', `${keys}@${admission.endpoint}`]);
    }
    const seven = await grownTo(7);
    assert.equal(seven.quorum, 5);
    for (const index of net.all) await hasItsShare(index);

    // Away for at least one whole epoch, so that all its evaluations are sealed.
    const [{ index: away } = assert.fail()] = prepared;
    await net.kill(away);
    const gone = (await setNow()).epoch;
    await eventually('two epochs pass', async () => (await setNow()).epoch >= gone + 2n);
    await net.start([away], { flags: ['--p2p-port', `${net.port(away)}`] });
    await eventually('it is back', async () => (await setNow(away)).epoch >= gone + 2n);
    await hasItsShare(away);
    assert.match(net.node(away).log, /read a share dealt in absence/);

    const leaving = [0, 2, 3];
    for (const index of leaving) {
      const { address } = seven.validators[index] ?? assert.fail();
      await approve(net, net.all, ['--remove', formatAddress(address)]);
    }
    const four = await grownTo(4);
    assert.equal(hex(four.group_public_key), hex(net.groupPublicKey));
    await net.kill(...leaving);
    for (const index of net.running) await hasItsShare(index);
    await net.grow(5n);
    const opened = await load.stop();
    assert.ok(opened >= 10, `${opened} envelopes were opened`);
    await net.agree();
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

async function approve(net: ValidatorNet, by: readonly number[], change: readonly string[]): Promise<void> {
  for (const index of by) {
    const flags = ['--validator', net.directory(index), ...change];
    const { code, err } = await heddle(['validator', 'approve', ...flags]);
    assert.equal(code, 0, err);
  }
}
