import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { ClientError, connect, devAccount, RpcCallError } from '../../src/client/client.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import type { Action } from '../../src/generated/ledger.js';
import type { BlockSummary } from '../../src/generated/node-rpc-v1.js';
import { ledger } from '../../src/ledger/codecs.js';
import { devGenesis } from '../../src/ledger/dev-genesis.js';
import { FakeNode, FakeRpcError, rejected } from '../support/nodes/fake-node.js';
import { FakeChain } from '../support/worlds/fake-chain.js';

const alice = devAccount(0);
const action: Action = { type: 'transfer', value: { to: devAccount(1).address, amount: 5n } };

/** The number of blocks by which a node lags behind the one that receives envelopes. */
const LAG = 40n;
const TIP = 10n;

const BLOCK: BlockSummary = {
  height: TIP,
  timestamp_ms: 1n,
  proposer: 0,
  epoch: 0n,
  view: TIP,
  tx_count: 0,
  gas_used: 0n,
  hash: new Uint8Array(32),
  parent_hash: new Uint8Array(32),
  state_root: new Uint8Array(32),
  gas_limit: 500_000_000n,
  base_fee: 1n,
  finalized: true,
};

describe('the height that an envelope opens at', () => {
  let node: FakeNode;
  let offered: bigint[];
  let fees: bigint[];
  let lag: bigint;
  /** Free slots of heights that have fewer than 16. */
  let free: Map<bigint, number>;
  /** Heights whose slots are taken by envelopes in the pool, which the free slots do not show. */
  let contended: (opensAt: bigint) => boolean;

  beforeEach(async () => {
    const crypto = await loadCrypto('off');
    const chain = new FakeChain(crypto);
    chain.height = TIP;
    chain.baseFee = 1n;
    offered = [];
    fees = [];
    lag = LAG;
    free = new Map();
    contended = () => false;
    // The first of the heights among which the client chooses.
    mock.method(Math, 'random', () => 0);
    node = await FakeNode.start({
      ...chain.handlers(),
      get_epoch_key: () => ({
        epoch: 0n,
        scheme: 'bls12381-ibe-1',
        public_key: devGenesis(crypto).validator_set.group_public_key,
        quorum: 1,
        first_height: 1n,
        last_height: 10_000n,
        next_open_height: TIP + 3n,
        slot_price: 2_000_000n,
        free_slots: Array.from({ length: 64 }, (_, ahead) => free.get(TIP + 3n + BigInt(ahead)) ?? 16),
      }),
      list_blocks: () => ({ blocks: [BLOCK] }),
      tx_by_hash: () => ({ status: { type: 'rejected', value: 'expired' } }),
      tx_receipt: () => ({}),
      tx_submit_sealed: ({ envelope }) => {
        const { opens_at: opensAt, max_seal_fee: maxSealFee } =
          ledger.SignedEnvelope.decode(envelope).envelope.header;
        offered.push(opensAt);
        fees.push(maxSealFee);
        const next = TIP + lag + 1n;
        if (contended(opensAt)) {
          const more = { opens_at: Number(opensAt), slots: 1, free: 0, next_height: Number(next) };
          throw new FakeRpcError(-32010, 'transaction_rejected', { reason: 'pool_full', ...more });
        }
        if (opensAt >= next + 2n) return { envelope_hash: new Uint8Array(32), opens_at: opensAt };
        const data = { reason: 'expired', next_height: Number(next), needed: Number(next + 2n) };
        throw new FakeRpcError(-32010, 'transaction_rejected', data);
      },
    });
  });
  afterEach(() => {
    mock.restoreAll();
    return node.stop();
  });

  it('is never raised after a refusal, because the refused envelope becomes readable at that height', async () => {
    const isExpired = (error: unknown) => error instanceof RpcCallError && error.reason === 'expired';
    await assert.rejects(connect(node.url).seal(action, { signer: alice }), isExpired);
    assert.deepEqual(offered, [TIP + 9n]);
  });

  it('stays the same when the action is sealed again with another nonce', async () => {
    lag = 0n;
    const take = node.handlers.tx_submit_sealed;
    assert.ok(take);
    node.handlers.tx_submit_sealed = (params) => {
      const answer = take(params);
      if (offered.length < 3) throw rejected('nonce_too_low');
      mock.method(Math, 'random', () => 0.999);
      return answer;
    };
    await connect(node.url).seal(action, { signer: alice });
    assert.deepEqual(offered, [19n, 19n, 19n]);
  });

  it('is chosen at random among the first 16 with enough free slots', async () => {
    lag = 0n;
    for (const height of [20n, 21n, 30n]) free.set(height, 0);
    const choices = Array.from({ length: 16 }, (_, place) => place);
    const heights = [];
    for (const place of choices) {
      mock.method(Math, 'random', () => (place + 0.5) / 16);
      heights.push((await connect(node.url).seal(action, { signer: alice })).opensAt);
    }
    const all = Array.from({ length: 19 }, (_, ahead) => TIP + 9n + BigInt(ahead));
    assert.deepEqual(
      heights,
      all.filter((height) => !free.has(height)),
    );
  });

  it('is lowered if pending envelopes have taken its slots', async () => {
    lag = 0n;
    contended = (opensAt) => opensAt > TIP + 19n;
    mock.method(Math, 'random', () => 0.999);
    const { opensAt, nonce } = await connect(node.url).seal(action, { signer: alice });
    assert.deepEqual(offered, [34n, 33n, 32n, 31n, 30n, 29n]);
    assert.deepEqual([opensAt, nonce], [29n, 0n]);
  });

  it('is sought a limited number of times, and only if the caller did not choose it', async () => {
    lag = 0n;
    contended = () => true;
    const isFull = (error: unknown) => error instanceof RpcCallError && error.reason === 'pool_full';
    // The first of the heights has no lower one.
    await assert.rejects(connect(node.url).seal(action, { signer: alice }), isFull);
    assert.deepEqual(offered.splice(0), [19n]);
    await assert.rejects(connect(node.url).seal(action, { signer: alice, opensAt: 30n }), isFull);
    assert.deepEqual(offered.splice(0), [30n]);
    mock.method(Math, 'random', () => 0.999);
    await assert.rejects(connect(node.url).seal(action, { signer: alice }), isFull);
    assert.deepEqual(offered, [34n, 33n, 32n, 31n, 30n, 29n]);
  });

  it('has enough free slots', async () => {
    lag = 0n;
    for (const height of [19n, 20n]) free.set(height, 0);
    free.set(21n, 1);
    const client = connect(node.url);
    const { opensAt } = await client.seal(action, { signer: alice });
    const larger = await client.seal(action, { signer: alice, gasLimit: 2_100_000n + 500_000_000n / 64n });
    assert.deepEqual([opensAt, larger.opensAt], [21n, 22n]);
    for (let height = 13n; height < 77n; height++) free.set(height, 0);
    assert.equal((await client.seal(action, { signer: alice })).opensAt, 77n);
  });

  it('determines the default max_seal_fee with the price and the slots', async () => {
    lag = 0n;
    const client = connect(node.url);
    await client.seal(action, { signer: alice });
    await client.seal(action, { signer: alice, opensAt: 13n });
    await client.seal(action, { signer: alice, gasLimit: 2_100_000n + 500_000_000n / 64n });
    await client.seal(action, { signer: alice, maxSealFee: 5n });
    const [usual = 0n, soon = 0n, twice = 0n, given] = fees;
    // Twice the price, 9/8 more in each of the 8 and 2 blocks before the height, and a base fee of 9 and 3 instead of 1.
    assert.equal(usual / 1_000n, 92_368n);
    assert.equal(soon / 1_000n, 15_187n);
    assert.deepEqual([twice, given], [2n * usual, 5n]);
  });

  it('is named in the error if no block included the envelope', async () => {
    lag = 0n;
    const sealed = connect(node.url).seal(action, { signer: alice, wait: 'opened' });
    await assert.rejects(sealed, (error) => {
      assert.ok(error instanceof ClientError && error.code === 'left_out');
      assert.match(
        error.message,
        /once the key of height 19 is known, everyone who has the envelope can read it/,
      );
      return true;
    });
  });

  it('is kept if the caller chose it', async () => {
    const sealed = connect(node.url).seal(action, { signer: alice, opensAt: 20n });
    await assert.rejects(sealed, (error) => error instanceof RpcCallError && error.reason === 'expired');
    assert.deepEqual(offered, [20n]);
  });
});
