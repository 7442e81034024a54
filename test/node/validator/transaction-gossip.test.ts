import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { devAccount, signTransaction } from '../../../src/client/client.js';
import { loadCrypto } from '../../../src/crypto/load-crypto.js';
import type { GossipItem, Transactions } from '../../../src/generated/mesh.js';
import { ledger } from '../../../src/ledger/codecs.js';
import {
  isOpen,
  type TransactionEnvelope,
  transactionFromEncoded,
} from '../../../src/ledger/transaction-envelope.js';
import { type BundleEnvelope, bundleOf, type VerifiedBundle } from '../../../src/mempool/bundles/bundle.js';
import { type RejectionReason, TransactionError } from '../../../src/mempool/errors.js';
import type { MeshPeer } from '../../../src/network/mesh.js';
import { TransactionGossip } from '../../../src/node/validator/transaction-gossip.js';
import { asVerified } from '../../support/crypto/as-verified.js';

const crypto = await loadCrypto('auto');

async function transfer(nonce: bigint): Promise<TransactionEnvelope> {
  const { encoded } = await signTransaction(
    {
      chain_id: 1n,
      sender: devAccount(0).address,
      lane: 0,
      nonce,
      gas_limit: 20_000n,
      max_fee: 10n,
      priority_fee: 1n,
      action: { type: 'transfer', value: { to: devAccount(1).address, amount: 1n } },
    },
    devAccount(0),
  );
  return transactionFromEncoded(encoded, crypto);
}

/** A gossip with one peer, and a record of its actions. */
function world(refuse?: RejectionReason) {
  const sent: { to: string; items: readonly GossipItem[] }[] = [];
  const dropped: string[] = [];
  const submitted: string[] = [];
  const pool = new Map<string, unknown>();
  const bundles = new Map<string, unknown>();
  let receive: (peer: MeshPeer, value: Transactions) => unknown = () => undefined;
  let connect: (peer: MeshPeer) => void = () => undefined;
  const peer: MeshPeer = { identity: 'ab', identityKey: new Uint8Array(32), index: 1 };
  const gossip: TransactionGossip = new TransactionGossip({
    mesh: {
      on: (_kind: unknown, handler: unknown) => {
        receive = handler as typeof receive;
      },
      onConnected: (listener: typeof connect) => {
        connect = listener;
      },
      send: (to: string, _kind: string, value: Transactions) => {
        sent.push({ to: to, items: value.items });
        return true;
      },
      broadcast: (_kind: string, value: Transactions) => {
        sent.push({ to: 'all', items: value.items });
        return 1;
      },
      drop: (who: string) => {
        dropped.push(who);
      },
    },
    admission: {
      submit: async (transaction: TransactionEnvelope) => {
        submitted.push(transaction.hashHex);
        if (refuse !== undefined) throw new TransactionError(refuse, 'no');
        pool.set(transaction.hashHex, transaction);
        gossip.admitted([asVerified(transaction)]);
        return undefined;
      },
      submitBundle: async (bundle: BundleEnvelope) => {
        submitted.push(bundle.hashHex);
        if (refuse !== undefined) throw new TransactionError(refuse, 'no');
        bundles.set(bundle.hashHex, bundle);
        gossip.admitted(bundle.transactions.map(asVerified));
        gossip.bundleAdmitted(verifiedBundle(bundle));
      },
    },
    pool: {
      standalone: (hashHex: string) => pool.get(hashHex),
      bundle: (hashHex: string) => bundles.get(hashHex),
    },
    maxBundleTransactions: 64,
    crypto,
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  } as never);
  return {
    gossip,
    sent,
    dropped,
    submitted,
    pool,
    bundles,
    peer,
    receive: (...items: GossipItem[]) => receive(peer, { items }),
    connect: () => connect(peer),
  };
}

async function bundle(firstNonce: bigint, length = 2, maxHeight?: bigint): Promise<VerifiedBundle> {
  const transactions = await Promise.all(
    Array.from({ length }, (_, at) => transfer(firstNonce + BigInt(at))),
  );
  return verifiedBundle(bundleOf(transactions, maxHeight, crypto));
}

function verifiedBundle(given: BundleEnvelope): VerifiedBundle {
  return { ...given, transactions: given.transactions.map(asVerified) };
}

const bundleItem = ({ transactions, maxHeight }: BundleEnvelope): GossipItem => ({
  type: 'bundle',
  value: {
    transactions: transactions.map(({ encoded }) => encoded),
    ...(maxHeight === undefined ? {} : { max_height: maxHeight }),
  },
});

const item = ({ encoded }: TransactionEnvelope): GossipItem => ({ type: 'transaction', value: encoded });

describe('a validator that gossips transactions', () => {
  it('sends the transactions of a tick at once, and waiting ones to peers that connect later', async () => {
    const { gossip, sent, pool, connect } = world();
    const all = [await transfer(0n), await transfer(1n)];
    for (const one of all) {
      pool.set(one.hashHex, one);
      gossip.admitted([asVerified(one)]);
    }
    await nextTick();
    await nextTick();
    assert.deepEqual(sent, [{ to: 'all', items: all.map(item) }]);
    const [first, second] = all;
    pool.delete(first?.hashHex ?? '');
    connect();
    assert.deepEqual(sent.slice(1), [{ to: 'ab', items: second === undefined ? [] : [item(second)] }]);
  });

  it('sends a whole bundle with its last height: at once, when it is extended, and to peers that connect later', async () => {
    const { gossip, sent, bundles, connect } = world();
    const one = await bundle(0n, 2, 20n);
    bundles.set(one.hashHex, one);
    gossip.admitted(one.transactions);
    gossip.bundleAdmitted(one);
    await nextTick();
    await nextTick();
    assert.deepEqual(sent, [{ to: 'all', items: [bundleItem(one)] }]);
    const extended = { ...one, maxHeight: 40n };
    gossip.bundleAdmitted(extended);
    await new Promise((resolve) => setTimeout(resolve, 30));
    connect();
    assert.deepEqual(sent.slice(1), [
      { to: 'all', items: [bundleItem(extended)] },
      { to: 'ab', items: [bundleItem(extended)] },
    ]);
    bundles.delete(one.hashHex);
    connect();
    assert.equal(sent.length, 3);
  });

  it('admits bundles of a peer without forwarding them, and their transactions sent separately', async () => {
    const { sent, submitted, receive } = world();
    const one = await bundle(0n);
    const [first] = one.transactions;
    assert.ok(first !== undefined);
    await receive(bundleItem(one));
    await receive(item(first));
    await nextTick();
    await nextTick();
    assert.deepEqual(submitted, [one.hashHex, first.hashHex]);
    assert.deepEqual(sent, []);
  });

  it('counts a bundle as its transactions, and takes none with more than the limit', async (t) => {
    t.mock.method(performance, 'now', () => 1_000);
    const { submitted, dropped, receive } = world('nonce_too_low');
    const one = bundleItem(await bundle(0n, 64));
    const frame = Array.from({ length: 64 }, () => one);
    for (let frames = 0; frames < 8; frames++) await receive(...frame);
    assert.equal(submitted.length, 5);
    const tooLong = world();
    await tooLong.receive(bundleItem(await bundle(0n, 65)));
    assert.deepEqual([...tooLong.submitted, ...tooLong.dropped, ...dropped], []);
  });

  it('drops a peer that sends empty or malformed bundles, or inadmissible transactions in one', async () => {
    const value = { transactions: [Uint8Array.of(1, 2, 3)] };
    for (const bad of [{ transactions: [] }, value]) {
      const { dropped, receive } = world();
      await receive({ type: 'bundle', value: bad });
      assert.deepEqual(dropped, ['ab']);
    }
    const { dropped, receive } = world('bad_signature');
    await receive(bundleItem(await bundle(0n)));
    assert.deepEqual(dropped, ['ab']);
  });

  it('puts a bundle that is larger than a frame of transactions into one of its own', async () => {
    const { gossip, sent } = world();
    const one = await bundle(0n);
    const large = one.transactions.map((part) => ({ ...part, encoded: new Uint8Array(400_000) }));
    const between = [await bundle(2n), { ...one, transactions: large }, await bundle(4n)];
    for (const each of between) gossip.bundleAdmitted(each);
    await nextTick();
    await nextTick();
    assert.deepEqual(
      sent.map(({ items }) => items.length),
      [1, 1, 1],
    );
  });

  it('admits a peer’s transactions once, and does not forward them', async () => {
    const { sent, submitted, receive } = world();
    const one = await transfer(0n);
    await receive(item(one), item(one));
    await receive(item(one));
    await nextTick();
    await nextTick();
    assert.deepEqual(submitted, [one.hashHex]);
    assert.deepEqual(sent, []);
  });

  it('examines few items of a peer whose gossip is useless, and more of it later', async (t) => {
    t.mock.method(performance, 'now', () => nowMs);
    let nowMs = 1_000;
    const { submitted, dropped, receive } = world('nonce_too_low');
    const { signed } = await transfer(0n);
    assert.ok(isOpen(signed));
    const items = (frame: number) =>
      Array.from({ length: 4_096 }, (_, i) => {
        const transaction = { ...signed.transaction, nonce: BigInt(frame * 4_096 + i) };
        const value = ledger.SignedTransaction.encode({ ...signed, transaction });
        return { type: 'transaction', value } as const;
      });
    for (let frame = 0; frame < 8; frame++) await receive(...items(frame));
    assert.equal(submitted.length, 5 * 4_096);
    nowMs += 1_000;
    await receive(...items(9));
    assert.equal(submitted.length, 6 * 4_096);
    assert.deepEqual(dropped, []);
  });

  it('drops a peer that sends inadmissible transactions, and tolerates late ones', async () => {
    const bad = world('bad_signature');
    await bad.receive(item(await transfer(0n)));
    assert.deepEqual(bad.dropped, ['ab']);
    const none = world();
    await none.receive({ type: 'transaction', value: Uint8Array.of(1, 2, 3) });
    assert.deepEqual(none.dropped, ['ab']);
    const late = world('nonce_too_low');
    await late.receive(item(await transfer(0n)));
    assert.deepEqual(late.dropped, []);
  });
});
