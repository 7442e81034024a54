import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it, mock } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ClientError,
  connect,
  devAccount,
  RpcCallError,
  type SignedDetails,
  secp256k1Signer,
  type TransferOptions,
} from '../../src/client/client.js';
import type { Crypto } from '../../src/crypto/crypto.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { FakeNode, rejected } from '../support/nodes/fake-node.js';
import { FAKE_CHAIN_ID, FakeChain } from '../support/worlds/fake-chain.js';

const alice = devAccount(0);
const bob = devAccount(1).address;

describe('a sender', () => {
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

  function sender(signer = alice, lane = 0) {
    return connection().sender(signer, { lane });
  }

  function connection() {
    return connect(node.url, { retry: { retries: 3, baseDelayMs: 1, maxDelayMs: 2 } });
  }

  function takenNonces(): bigint[] {
    return chain.taken.map(({ signed }) => signed.transaction.nonce);
  }

  function ascending(values: readonly bigint[]): bigint[] {
    return [...values].sort((a, b) => (a < b ? -1 : 1));
  }

  function numbers(from: number, to: number): bigint[] {
    return Array.from({ length: to - from }, (_, index) => BigInt(from + index));
  }

  async function reasonOf(work: Promise<unknown>): Promise<string | undefined> {
    try {
      await work;
    } catch (error) {
      return error instanceof RpcCallError ? error.reason : String(error);
    }
    return assert.fail('expected a rejection');
  }

  describe('a transfer', () => {
    it('is signed by its sender, for this chain, with fees filled in from it', async () => {
      const sent = await sender().transfer({ to: bob, amount: 5n });
      const [taken] = chain.taken;
      assert.ok(taken);
      const { transaction } = taken.signed;
      assert.equal(sent.hashHex, taken.hashHex);
      assert.equal(sent.nonce, 0n);
      assert.equal(sent.status.type, 'pending');
      assert.equal(transaction.chain_id, FAKE_CHAIN_ID);
      assert.equal(transaction.max_fee, 2n * chain.baseFee);
      assert.deepEqual(transaction.action, { type: 'transfer', value: { to: bob, amount: 5n } });
    });

    it('accepts the address as text, and any member set by the caller', async () => {
      await sender().transfer({
        to: `0x${'Ab'.repeat(20)}`,
        amount: 1n,
        gasLimit: 32_345n,
        maxFee: 99n,
        priorityFee: 3n,
        validUntil: 1_000n,
        nonce: 4n,
      });
      const transaction = chain.taken[0]?.signed.transaction;
      assert.equal(transaction?.gas_limit, 32_345n);
      assert.equal(transaction?.max_fee, 99n);
      assert.equal(transaction?.priority_fee, 3n);
      assert.equal(transaction?.valid_until, 1_000n);
      assert.equal(transaction?.nonce, 4n);
      assert.deepEqual(transaction?.action.value, { to: new Uint8Array(20).fill(0xab), amount: 1n });
    });

    it('can be signed with secp256k1', async () => {
      await sender(secp256k1Signer(new Uint8Array(32).fill(7))).transfer({ to: bob, amount: 1n });
      assert.equal(chain.taken[0]?.signed.signature.type, 'secp256k1');
    });

    it('pays the minimum fee of the pool if that exceeds the usual one', async () => {
      chain.minFee = 1_000n;
      await sender().transfer({ to: bob, amount: 1n });
      assert.equal(chain.taken[0]?.signed.transaction.max_fee, 1_000n);
    });
  });

  describe('nonces', () => {
    it('of concurrent sends are consecutive, in the order of the calls', async () => {
      const from = sender();
      const sent = await Promise.all(numbers(0, 100).map((amount) => from.transfer({ to: bob, amount })));
      assert.deepEqual(
        sent.map(({ nonce }) => nonce),
        numbers(0, 100),
      );
      assert.deepEqual(ascending(takenNonces()), numbers(0, 100));
    });

    it('are shared by one signer and lane; other lanes have their own', async () => {
      const client = connection();
      await client.sender(alice).transfer({ to: bob, amount: 1n });
      await client.sender(devAccount(0)).transfer({ to: bob, amount: 1n });
      await client.sender(alice, { lane: 1 }).transfer({ to: bob, amount: 1n });
      assert.deepEqual(
        chain.taken.map(({ signed }) => [signed.transaction.lane, signed.transaction.nonce]),
        [
          [0, 0n],
          [0, 1n],
          [1, 0n],
        ],
      );
    });

    it('continue after waiting transactions, page after page, and fill a gap first', async () => {
      chain.lane(alice.address).nextNonce = 10n;
      const earlier = sender();
      await earlier.transfer({ to: bob, amount: 1n, nonce: 10n });
      for (const nonce of [12n, 13n, 14n, 16n]) await earlier.transfer({ to: bob, amount: 1n, nonce });
      const from = sender();
      const sent = await Promise.all([1n, 2n, 3n].map((amount) => from.transfer({ to: bob, amount })));
      assert.deepEqual(
        sent.map(({ nonce }) => nonce),
        [11n, 15n, 17n],
      );
    });

    it('of a refused transaction are reused by the next one', async () => {
      chain.admission = ({ transaction }) => {
        if (transaction.action.type === 'transfer' && transaction.action.value.amount === 666n) {
          throw rejected('insufficient_balance');
        }
      };
      const from = sender();
      const outcomes = await Promise.allSettled(
        [1n, 666n, 3n].map((amount) => from.transfer({ to: bob, amount })),
      );
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
      assert.equal((await from.transfer({ to: bob, amount: 4n })).nonce, 1n);
      assert.equal((await from.transfer({ to: bob, amount: 5n })).nonce, 3n);
    });

    describe('of a transaction that the node refuses', () => {
      const good = () => ({ to: bob, amount: 1n });
      const bad: Record<string, TransferOptions> = {
        'too large an amount': { to: bob, amount: 10n ** 30n },
        'too low a fee': { ...good(), maxFee: 0n },
        'too little gas': { ...good(), gasLimit: 10n },
        'too large a priority fee': { ...good(), maxFee: 50n, priorityFee: 51n },
        'too early an end': { ...good(), validUntil: 0n },
      };

      beforeEach(() => {
        chain.admission = ({ transaction }) => {
          if (transaction.priority_fee > transaction.max_fee) throw rejected('fee_too_low');
          if (transaction.valid_until === 0n) throw rejected('expired');
        };
      });

      for (const [name, options] of Object.entries(bad)) {
        it(`for ${name} go to the next of the calls made at once`, async () => {
          const from = sender();
          const calls = [good(), options, good(), options, good()];
          const outcomes = await Promise.allSettled(calls.map((call) => from.transfer(call)));
          const nonces = outcomes.map((one) => (one.status === 'fulfilled' ? one.value.nonce : 'refused'));
          assert.deepEqual(nonces, [0n, 'refused', 1n, 'refused', 2n]);
          assert.deepEqual(ascending(takenNonces()), [0n, 1n, 2n]);
        });
      }

      it('go to the next one if the balance does not suffice for both', async () => {
        chain.balance = 10_000_000n;
        const from = sender();
        const transfer = (amount: bigint) => from.transfer({ to: bob, amount });
        // The fees of each may reach 700,000.
        const amounts = [3_000_000n, 3_000_000n, 3_000_000n, 1n, 3_000_000n, 1n];
        const outcomes = await Promise.allSettled(amounts.map(transfer));
        assert.deepEqual(
          outcomes.map(({ status }) => status),
          ['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'],
        );
        assert.deepEqual(ascending(takenNonces()), [0n, 1n, 2n, 3n]);
        chain.seal();
        chain.balance = 4_000_000n;
        const later = await Promise.allSettled([3_000_000n, 3_000_000n, 1n].map(transfer));
        assert.deepEqual(
          later.map(({ status }) => status),
          ['fulfilled', 'rejected', 'rejected'],
        );
        assert.equal((await sender().transfer({ to: bob, amount: 1n, maxFee: 1n })).nonce, 5n);
      });

      it('go to the next one if it cannot be signed', async () => {
        const from = sender();
        const onSigned = () => {
          throw new Error('stop');
        };
        const outcomes = await Promise.allSettled(
          [good(), { ...good(), onSigned }, good()].map((call) => from.transfer(call)),
        );
        assert.deepEqual(
          outcomes.map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled'],
        );
        assert.deepEqual(ascending(takenNonces()), [0n, 1n]);
      });

      it('delay later ones only until the answer, not until the block', async () => {
        const from = sender();
        const submit = node.handlers.tx_submit;
        assert.ok(submit);
        // No block comes until the second one is in the pool.
        node.handlers.tx_submit = async (params) => {
          assert.equal(params.wait, undefined);
          const answer = await submit(params);
          if (chain.taken.length === 2) setTimeout(() => chain.seal(), 5);
          return answer;
        };
        const options = { ...good(), validUntil: 9n, wait: 'included', waitMs: 30_000 } as const;
        const sent = await Promise.all([from.transfer(options), from.transfer(options)]);
        assert.deepEqual(
          sent.map(({ receipt }) => receipt.nonce),
          [0n, 1n],
        );
      });
    });

    it('follow the order of the calls although a later answer overtakes an earlier one', async () => {
      const from = sender();
      const stats = node.handlers.txpool_stats;
      assert.ok(stats);
      let asked = 0;
      node.handlers.txpool_stats = async (params) => {
        if (asked++ === 0) await pause(40);
        return stats(params);
      };
      const first = from.transfer({ to: bob, amount: 1n });
      await pause(10);
      // The fees that the first call waits for are out of date for the second one.
      mock.timers.enable({ apis: ['Date'], now: Date.now() + 2_000 });
      try {
        const second = from.transfer({ to: bob, amount: 2n });
        assert.deepEqual([(await first).nonce, (await second).nonce], [0n, 1n]);
      } finally {
        mock.timers.reset();
      }
    });

    it('are corrected and the transaction signed again when another program uses the account', async () => {
      const from = sender();
      await from.transfer({ to: bob, amount: 1n });
      chain.seal();
      chain.lane(alice.address).nextNonce = 5n;
      const sent = await Promise.all([
        from.transfer({ to: bob, amount: 2n }),
        from.transfer({ to: bob, amount: 3n }),
      ]);
      assert.deepEqual(ascending(sent.map(({ nonce }) => nonce)), [5n, 6n]);
    });

    it('are used by both of two programs that send identical transfers', async () => {
      const [one, other] = [sender(), sender()];
      const sent = await Promise.all([
        one.transfer({ to: bob, amount: 1n }),
        other.transfer({ to: bob, amount: 1n }),
      ]);
      assert.deepEqual(ascending(sent.map(({ nonce }) => nonce)), [0n, 1n]);
      assert.equal(chain.taken.length, 2);
    });

    it('begin again with a restarted chain', async () => {
      chain.lane(alice.address).nextNonce = 500n;
      const from = sender();
      await from.transfer({ to: bob, amount: 1n });
      chain.lane(alice.address).waiting.clear();
      chain.lane(alice.address).nextNonce = 0n;
      chain.admission = ({ transaction }) => {
        if (transaction.nonce > 64n) throw rejected('nonce_gap_too_large', true);
      };
      assert.equal((await from.transfer({ to: bob, amount: 2n })).nonce, 0n);
    });

    it('set by the caller are never changed', async () => {
      chain.lane(alice.address).nextNonce = 5n;
      assert.equal(await reasonOf(sender().transfer({ to: bob, amount: 1n, nonce: 2n })), 'nonce_too_low');
      assert.deepEqual(takenNonces(), []);
    });

    it('of an evicted transaction go to the next one', async () => {
      const from = sender();
      await from.transfer({ to: bob, amount: 1n });
      chain.admission = () => chain.drop(alice.address, 0n, 'pool_full');
      // The node cannot include this transaction, because its predecessor has just left the pool.
      const stuck = from.transfer({ to: bob, amount: 2n, wait: 'included', waitMs: 150 });
      const waits =
        /in no block in the time waited: nonce 1 of lane 0 waits for nonce 0, which no transaction has;/;
      assert.match(String(await reasonOf(stuck)), waits);
      chain.admission = () => undefined;
      assert.equal((await from.transfer({ to: bob, amount: 3n })).nonce, 0n);
    });
  });

  describe('a transaction without an answer', () => {
    it('counts as sent if the node accepted it', async () => {
      let lost = false;
      node.interfere = ({ body }) => {
        if (lost || (body as { method: string }).method !== 'tx_submit') return undefined;
        lost = true;
        return { kind: 'lose answer' };
      };
      const sent = await sender().transfer({ to: bob, amount: 1n });
      assert.ok(lost);
      assert.equal(chain.taken.length, 1);
      assert.equal(sent.status.type, 'pending');
    });

    it('counts as sent if it was included before the retry', async () => {
      let lost = false;
      node.interfere = ({ body }) => {
        if (lost || (body as { method: string }).method !== 'tx_submit') return undefined;
        lost = true;
        return { kind: 'lose answer' };
      };
      const { receipt } = await sender().transfer({ to: bob, amount: 1n, wait: 'included' });
      assert.equal(chain.taken.length, 1);
      assert.equal(receipt.height, 1n);
    });
  });

  describe('a signed transaction', () => {
    it('is reported before the node sees it, and again if it is signed anew', async () => {
      const seen: (readonly [hashHex: string, maxFee: bigint, taken: number])[] = [];
      const from = sender();
      const onSigned = ({ hashHex, maxFee }: SignedDetails) =>
        void seen.push([hashHex, maxFee, chain.taken.length]);
      const first = await from.transfer({ to: bob, amount: 1n, gasLimit: 70_000n, onSigned });
      assert.deepEqual(seen.splice(0), [[first.hashHex, 2n * chain.baseFee, 0]]);
      chain.minFee = 500n;
      const second = await from.transfer({ to: bob, amount: 2n, onSigned });
      assert.deepEqual(
        seen.map(([, maxFee, taken]) => [maxFee, taken]),
        [
          [2n * chain.baseFee, 1],
          [500n, 1],
        ],
      );
      assert.equal(seen[1]?.[0], second.hashHex);
    });

    it('keeps its hash although no answer ever comes', async () => {
      node.interfere = ({ body }) =>
        (body as { method: string }).method === 'tx_submit' ? { kind: 'lose answer' } : undefined;
      let reported: SignedDetails | undefined;
      const onSigned = (details: SignedDetails) => {
        reported = details;
      };
      await assert.rejects(sender().transfer({ to: bob, amount: 1n, wait: 'included', onSigned }));
      assert.equal(reported?.hashHex, chain.taken[0]?.hashHex);
      assert.equal(reported?.nonce, 0n);
    });

    it('is not submitted if the report fails, and its nonce goes to the next one', async () => {
      const from = sender();
      const onSigned = () => {
        throw new Error('the disk is full');
      };
      await assert.rejects(from.transfer({ to: bob, amount: 1n, onSigned }), /the disk is full/);
      assert.equal(chain.taken.length, 0);
      assert.equal((await from.transfer({ to: bob, amount: 1n })).nonce, 0n);
    });
  });

  describe('fees', () => {
    it('are fetched again when stale', async () => {
      const from = sender();
      await from.transfer({ to: bob, amount: 1n });
      chain.minFee = 500n;
      await from.transfer({ to: bob, amount: 2n });
      assert.equal(chain.taken.at(-1)?.signed.transaction.max_fee, 500n);
      assert.deepEqual(takenNonces(), [0n, 1n]);
    });

    it('are never raised if set by the caller', async () => {
      chain.minFee = 500n;
      assert.equal(await reasonOf(sender().transfer({ to: bob, amount: 1n, maxFee: 400n })), 'fee_too_low');
    });
  });

  describe('waiting for a transaction', () => {
    it('returns the receipt', async () => {
      const { receipt, status } = await sender().transfer({ to: bob, amount: 1n, wait: 'included' });
      assert.equal(receipt.height, 1n);
      assert.equal(receipt.status.type, 'success');
      assert.equal(status.type, 'included');
    });

    it('resumes after the node stops waiting', async () => {
      const submit = node.handlers.tx_submit;
      node.handlers.tx_submit = ({ wait: _wait, ...params }) => {
        assert.ok(submit);
        setTimeout(() => chain.seal(), 30);
        return submit(params);
      };
      const { receipt } = await sender().transfer({ to: bob, amount: 1n, wait: 'finalized' });
      assert.equal(receipt.height, 1n);
    });

    it('ends with the reason when the pool drops the transaction', async () => {
      const submit = node.handlers.tx_submit;
      node.handlers.tx_submit = ({ wait: _wait, ...params }) => {
        assert.ok(submit);
        setTimeout(() => chain.drop(alice.address, 0n, 'expired: too late'), 20);
        return submit(params);
      };
      const work = sender().transfer({ to: bob, amount: 1n, wait: 'included' });
      await assert.rejects(work, (error: unknown) => {
        assert.ok(error instanceof ClientError);
        assert.equal(error.code, 'dropped');
        assert.match(error.message, /expired: too late/);
        assert.equal(error.txHash, chain.taken[0]?.hashHex);
        return true;
      });
    });

    it('asks for many transactions together, in a few batches', async () => {
      const sealing = setInterval(() => chain.seal(), 40);
      const submit = node.handlers.tx_submit;
      node.handlers.tx_submit = async ({ wait, ...params }) => {
        assert.ok(submit);
        const answer = await submit(params);
        if (wait !== undefined) await pause(60);
        return answer;
      };
      const from = sender();
      const sent = await Promise.all(
        Array.from({ length: 120 }, () => from.transfer({ to: bob, amount: 1n, wait: 'included' })),
      );
      clearInterval(sealing);
      assert.deepEqual(
        sent.map(({ receipt }) => receipt.nonce),
        numbers(0, 120),
      );
      const bodies = node.requests.map(({ body }) => JSON.stringify(body));
      const looks = bodies.filter((body) => body.includes('"tx_receipt"'));
      assert.ok(looks.length > 0 && looks.length < 60, `${looks.length} requests for receipts`);
    });

    it('sends each wait alone, so that it delays no batch', async () => {
      node.handlers.tx_submit = () => ({ tx_hash: new Uint8Array(32), status: { type: 'not_found' } });
      const client = connect(node.url, { batch: true });
      const submission = (byte: number) => ({ encoded: Uint8Array.of(byte) });
      // Calls made in one tick would form one batch.
      await Promise.all([
        client.tx_submit(submission(1)),
        client.tx_submit({ ...submission(2), wait: { type: 'included' } }),
        client.tx_submit(submission(3)),
      ]);
      const sent = node.requests.map(({ body }) =>
        JSON.stringify(body, ['encoded', 'wait', 'type', 'params']),
      );
      assert.deepEqual(sent.sort(), [
        '[{"params":{"encoded":"0x01"}},{"params":{"encoded":"0x03"}}]',
        '{"params":{"encoded":"0x02","wait":{"type":"included"}}}',
      ]);
    });
  });
});
