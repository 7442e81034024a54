import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'node:test';
import {
  CallFailedError,
  connect,
  devAccount,
  RpcCallError,
  type SendOptions,
} from '../../src/client/client.js';
import type { Crypto } from '../../src/crypto/crypto.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import type { Action } from '../../src/generated/ledger.js';
import type { BlockSummary } from '../../src/generated/node-rpc-v1.js';
import { defaultGasLimit } from '../../src/ledger/gas.js';
import { FakeNode, FakeRpcError } from '../support/nodes/fake-node.js';
import { FakeChain } from '../support/worlds/fake-chain.js';

const alice = devAccount(0);
const CALL: Action = {
  type: 'call',
  value: { contract: new Uint8Array(20).fill(7), input: new Uint8Array(4), value: 0n },
};
const TRANSFER: Action = { type: 'transfer', value: { to: devAccount(1).address, amount: 1n } };
const CHECKED: SendOptions = { preflight: true };

describe('a sender with preflight', () => {
  let crypto: Crypto;
  let chain: FakeChain;
  let node: FakeNode;

  before(async () => {
    crypto = await loadCrypto('off');
  });
  beforeEach(async () => {
    chain = new FakeChain(crypto);
    node = await FakeNode.start(chain.handlers());
  });
  afterEach(() => node.stop());

  const sender = () => connect(node.url, { retry: { retries: 0 } }).sender(alice);
  const revert = () => {
    chain.simulatedStatus = { type: 'reverted', value: { message: 'closed', data: new Uint8Array(0) } };
  };
  const gasLimits = () => chain.taken.map(({ signed }) => signed.transaction.gas_limit);
  const takenTypes = () => chain.taken.map(({ signed }) => signed.transaction.action.type);

  describe('a preflight', () => {
    it('sets the gas limit a quarter above the estimate, unless the caller sets it', async () => {
      await sender().send(CALL, CHECKED);
      await sender().send(CALL, { ...CHECKED, gasLimit: 77_000n });
      await sender().send(CALL);
      await sender().send(TRANSFER, CHECKED);
      assert.equal(chain.simulated, 3);
      assert.deepEqual(gasLimits(), [50_000n, 77_000n, defaultGasLimit(CALL), defaultGasLimit(TRANSFER)]);
    });

    describe('of a call that needs much of a block', () => {
      const estimate = (gas: bigint) => {
        const simulate = node.handlers.tx_simulate ?? assert.fail();
        node.handlers.tx_simulate = async (params) => ({ ...(await simulate(params)), gas_estimate: gas });
      };
      const hash = new Uint8Array(32);
      const block: BlockSummary = {
        height: 1n,
        hash,
        parent_hash: hash,
        timestamp_ms: 1n,
        proposer: 0,
        epoch: 0n,
        view: 1n,
        tx_count: 0,
        gas_used: 0n,
        gas_limit: 500_000_000n,
        base_fee: 1n,
        state_root: hash,
        finalized: true,
      };

      it('sets at most the gas of a block, which it asks for once', async () => {
        let asked = 0;
        node.handlers.list_blocks = () => {
          asked++;
          return { blocks: [block] };
        };
        const sending = sender();
        for (const gas of [40_000n, 390_000_000n, 416_000_000n, 500_000_000n]) {
          estimate(gas);
          await sending.send(CALL, CHECKED);
        }
        assert.deepEqual(gasLimits(), [50_000n, 487_500_000n, 500_000_000n, 500_000_000n]);
        assert.equal(asked, 1);
      });

      it('sets a quarter more where the node does not tell the gas of a block', async () => {
        node.handlers.list_blocks = () => {
          throw new FakeRpcError(-32000, 'forbidden');
        };
        estimate(40_000_000n);
        await sender().send(CALL, CHECKED);
        assert.deepEqual(gasLimits(), [50_000_000n]);
      });
    });

    it('throws the decoded reason of a call that would fail, and sends nothing', async () => {
      revert();
      await assert.rejects(sender().send(CALL, CHECKED), (error) => {
        assert.ok(error instanceof CallFailedError);
        assert.equal(error.message, 'the call: reverted: closed (in a simulation; nothing was sent)');
        assert.deepEqual(
          [error.status.type, error.simulation?.gas_used, error.sent],
          ['reverted', 20_000n, undefined],
        );
        return true;
      });
      assert.equal(chain.taken.length, 0);
    });

    it('does not use up a nonce when it refuses', async () => {
      const sending = sender();
      revert();
      await assert.rejects(sending.send(CALL, CHECKED), CallFailedError);
      chain.simulatedStatus = { type: 'success' };
      assert.equal((await sending.send(CALL, CHECKED)).nonce, 0n);
    });

    it('sends a failing call while the account has pending transactions', async () => {
      const sending = sender();
      await sending.send(TRANSFER);
      revert();
      await sending.send(CALL, CHECKED);
      assert.deepEqual(takenTypes(), ['transfer', 'call']);
      assert.equal(gasLimits()[1], defaultGasLimit(CALL));
    });

    it('sends a failing call that was made beside another one', async () => {
      revert();
      const sending = sender();
      await Promise.all([sending.send(TRANSFER), sending.send(CALL, CHECKED)]);
      assert.deepEqual(takenTypes(), ['transfer', 'call']);
    });

    it('keeps the order of nonces, however long each simulation takes', async () => {
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const simulate = node.handlers.tx_simulate;
      let simulations = 0;
      node.handlers.tx_simulate = async (params) => {
        if (simulations++ === 0) await held;
        assert.ok(simulate !== undefined);
        return simulate(params);
      };
      const sending = sender();
      const sent = [sending.send(CALL, CHECKED), sending.send(TRANSFER), sending.send(CALL, CHECKED)];
      await sending.simulate(CALL);
      assert.equal(chain.taken.length, 0, 'the later ones wait');
      release();
      assert.deepEqual(
        (await Promise.all(sent)).map(({ nonce }) => nonce),
        [0n, 1n, 2n],
      );
    });

    it('of a refused call does not hold up those after it', async () => {
      const sending = sender();
      node.handlers.tx_simulate = () => {
        throw new FakeRpcError(-32602, 'invalid_params');
      };
      const refused = sending.send(CALL, CHECKED);
      const sent = sending.send(TRANSFER);
      await assert.rejects(refused, RpcCallError);
      assert.equal((await sent).nonce, 0n);
    });

    for (const kind of ['payment_required', 'rate_limited', 'forbidden', 'overloaded', 'timeout']) {
      it(`is left out where the node answers ${kind}`, async () => {
        node.handlers.tx_simulate = () => {
          throw new FakeRpcError(-32000, kind);
        };
        await sender().send(CALL, CHECKED);
        assert.deepEqual(gasLimits(), [defaultGasLimit(CALL)]);
      });
    }
  });
});
