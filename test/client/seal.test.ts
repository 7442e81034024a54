import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { connect, devAccount, RpcCallError } from '../../src/client/client.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import type { Action } from '../../src/generated/ledger.js';
import { ledger } from '../../src/ledger/codecs.js';
import { devGenesis } from '../../src/ledger/dev-genesis.js';
import { FakeChain } from '../support/fake-chain.js';
import { FakeNode, FakeRpcError } from '../support/fake-node.js';

const alice = devAccount(0);
const action: Action = { type: 'transfer', value: { to: devAccount(1).address, amount: 5n } };

/** The number of blocks by which a node lags behind the one that receives envelopes. */
const LAG = 40n;
const TIP = 10n;

describe('the height that an envelope opens at', () => {
  let node: FakeNode;
  let offered: bigint[];

  beforeEach(async () => {
    const crypto = await loadCrypto('off');
    const chain = new FakeChain(crypto);
    chain.height = TIP;
    offered = [];
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
        free_slots: Array.from({ length: 64 }, () => 16),
      }),
      tx_submit_sealed: ({ envelope }) => {
        const { opens_at: opensAt } = ledger.SignedEnvelope.decode(envelope).envelope.header;
        offered.push(opensAt);
        const next = TIP + LAG + 1n;
        if (opensAt >= next + 2n) return { envelope_hash: new Uint8Array(32), opens_at: opensAt };
        const data = { reason: 'expired', next_height: Number(next), needed: Number(next + 2n) };
        throw new FakeRpcError(-32010, 'transaction_rejected', data);
      },
    });
  });
  afterEach(() => node.stop());

  it('is counted from the height in a refusal if the node that was asked lags behind', async () => {
    const { opensAt } = await connect(node.url).seal(action, { signer: alice });
    assert.deepEqual(offered, [TIP + 9n, TIP + LAG + 9n]);
    assert.equal(opensAt, TIP + LAG + 9n);
  });

  it('is kept if the caller chose it', async () => {
    const sealed = connect(node.url).seal(action, { signer: alice, opensAt: 20n });
    await assert.rejects(sealed, (error) => error instanceof RpcCallError && error.reason === 'expired');
    assert.deepEqual(offered, [20n]);
  });
});
