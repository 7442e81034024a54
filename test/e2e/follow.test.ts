// Followers of a real node: identical blocks, forwarded transactions, correct lag. One has followed since block 0; another
// began with a checkpoint, and reports that earlier history is missing instead of returning empty results.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Client, ClientError, devAccount, RpcCallError } from '../../src/client/client.js';
import { packageRoot } from '../../src/config/package-info.js';
import { compileContract } from '../../src/idl/abi/contract-abi.js';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import { ledger } from '../../src/ledger/codecs.js';
import { amongLiars, BLOCK_LIES } from '../support/forged/source-lies.js';
import { text } from '../support/hex.js';
import { heddle } from '../support/nodes/command-line.js';
import { type NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import {
  caughtUp,
  directClient,
  grow,
  startFollower,
  startSource,
  until,
} from '../support/worlds/followed-chain.js';

const DEV_KEY =
  '978b0f0afe1254ae38cd6d8caf521b518b55f7b448cbb8528144f69afd358e2ae274916eb241d13775cd255f29ee027f';
const TOKEN = join(packageRoot(), 'contracts', 'token');
const idl = readFileSync(join(TOKEN, 'token.idl'), 'utf8');
const code = Uint8Array.from(readFileSync(join(TOKEN, 'token.wasm')));
const abi = compileContract(
  compileIdl([{ name: 'token.idl', text: idl }]).manifest,
  (data) => createHash('sha256').update(data).digest(),
  'Token',
);
const alice = devAccount(0);
const bob = devAccount(1);
/** Transactions that call the token, or deploy it. */
const TOKEN_TRANSACTIONS = 22;

function supplyArguments(): readonly (string | number)[] {
  return ['Thread', 'THR', 0, '1000000', text(alice.address), text(alice.address)];
}

describe('a source and its followers', () => {
  let source: NodeProcess;
  let whole: NodeProcess;
  let second: NodeProcess;
  let clients: readonly [Client, Client, Client];
  let token: Uint8Array;
  let early: Uint8Array;
  let earlyBlock: Uint8Array;
  let oldest: bigint;

  before(async () => {
    source = await startSource();
    const sender = directClient(source).sender(alice);
    const { contract } = await sender.deploy({
      code,
      idl,
      init: supplyArguments(),
    });
    token = contract.address;
    const sent = await contract.call('transfer', { to: text(alice.address), amount: '1' });
    early = sent.hash;
    earlyBlock = sent.receipt.block_hash;
    for (let i = 1; i <= 20; i++) {
      await sender.transfer({ to: bob.address, amount: BigInt(i), wait: 'none' });
      const input = abi.function('transfer').encodeCall([text(bob.address), String(i)]);
      await sender.send({ type: 'call', value: { contract: token, input, value: 0n } }, { wait: 'none' });
    }
    // To herself, and after all others of her lane.
    const { receipt: last } = await sender.transfer({ to: alice.address, amount: 1n, wait: 'included' });
    // The first follower syncs from block 0, the second follows the first from a checkpoint.
    whole = await startFollower([source.url], { flags: ['--sync-from', 'genesis'] });
    await grow(source, last.height + 20n > 31n ? last.height + 20n : 31n);
    await caughtUp(whole, source);
    await until(
      () => directClient(whole).status(),
      ({ latest_checkpoint: { height } }) => height >= 20n && height > last.height,
    );
    second = await startFollower([whole.url], { flags: ['--trust', DEV_KEY] });
    await caughtUp(second, whole);
    // The tests compare its last three blocks, all above its checkpoint.
    await grow(source, (await directClient(second).status()).tip.height + 3n);
    await caughtUp(second, source);
    clients = [directClient(source), directClient(whole), directClient(second)];
    // What the second one has from a checkpoint on lies above what is asked of it.
    const refused = await refusal(clients[2].get_blocks({ from_height: 1n, to_height: 2n }));
    oldest = BigInt(Number(refused.data['oldest']));
    assert.ok(oldest > sent.receipt.height, 'it began above what is asked for here');
  });
  after(async () => {
    for (const node of [second, whole, source]) await node?.dispose();
  });

  test('blocks, events and listings are the same from the first height on', async () => {
    const [origin, first, other] = clients;
    const { tip } = await other.status();
    const to_height = tip.height;
    const range = { from_height: 0n, to_height };
    const blocks = await origin.get_blocks(range);
    assert.deepEqual(await first.get_blocks(range), blocks);
    assert.deepEqual(await first.get_txs_in_range(range), await origin.get_txs_in_range(range));
    const events = { contract: token, to_height };
    const logs = await origin.get_logs(events);
    assert.ok(logs.logs.length > 20);
    assert.deepEqual(await first.get_logs(events), logs);
    const late = { from_height: tip.height - 2n, to_height: tip.height };
    assert.deepEqual(await other.get_blocks(late), await origin.get_blocks(late));
  });

  test('state, calls and proofs are the same', async () => {
    const call = { contract: token, method: 'balance_of', args: [text(bob.address)] };
    for (const client of clients) {
      const { decoded } = await client.view_call(call);
      assert.equal(decoded, '210', client.endpoint);
      const { accounts } = await client.accounts({ addresses: [alice.address, bob.address] });
      assert.equal(accounts[1]?.balance, 10n ** 24n + 210n);
      const { header, certificate } = await client.state_proof({ contract: token });
      assert.ok(certificate !== undefined, 'the tip of a follower has the certificate of its source');
      assert.deepEqual(
        certificate.block_hash,
        (await clients[0].get_blocks({ from_height: header.height, to_height: header.height })).blocks[0]
          ?.hash,
      );
    }
  });

  test('a transaction sent to a follower of a follower is forwarded, and the wait ends on the chain of that follower', async () => {
    const [origin, first, other] = clients;
    const before = await origin.account({ address: bob.address });
    const { receipt } = await other.sender(alice).transfer({ to: bob.address, amount: 7n, wait: 'included' });
    assert.equal(receipt.status.type, 'success');
    const after = await until(
      () => Promise.all(clients.map((client) => client.account({ address: bob.address }))),
      (accounts) => accounts.every(({ balance }) => balance === before.balance + 7n),
    );
    assert.deepEqual(after[1], after[0]);
    const { status } = await first.tx_by_hash({ tx_hash: receipt.tx_hash });
    assert.equal(status.type, 'included');
  });

  test('transactions pending at the source are pending on every follower, and refusals are returned unchanged', async () => {
    const [origin, first, other] = clients;
    const { lanes } = await origin.account({ address: bob.address });
    const next = lanes.find(({ lane }) => lane === 0)?.next_nonce ?? 0n;
    // The nonce gap keeps the transaction pending.
    const gapped = await other.sender(bob, { lane: 0 }).transfer({
      to: alice.address,
      amount: 1n,
      nonce: next + 2n,
      wait: 'none',
    });
    assert.equal((await other.account({ address: bob.address })).lanes[0]?.pending, 1);
    for (const client of clients) {
      const { status, transaction } = await client.tx_by_hash({ tx_hash: gapped.hash });
      assert.equal(status.type, 'pending', client.endpoint);
      assert.equal(transaction?.transaction.nonce, next + 2n);
    }
    const poor = directClient(second).sender(devAccount(2));
    await assert.rejects(
      poor.transfer({ to: alice.address, amount: 10n ** 30n, wait: 'none' }),
      (error) => error instanceof RpcCallError && error.data['reason'] === 'insufficient_balance',
    );
    await assert.rejects(
      first.tx_submit({ encoded: forged(await origin.tx_by_hash({ tx_hash: gapped.hash })) }),
      (error) => error instanceof RpcCallError && error.data['reason'] === 'bad_signature',
    );
  });

  test('a follower reports its role, its source and its sync status', async () => {
    const [, first] = clients;
    const { role, index, peers } = await first.validator_status();
    assert.equal(role.type, 'follower');
    assert.equal(index, undefined);
    assert.equal(peers.length, 1);
    assert.equal(peers[0]?.address, new URL(source.url).host);
    assert.equal(peers[0]?.connected, true);
    const { ready, sync, reasons } = await until(
      () => first.readiness(),
      (answer) => answer.ready,
    );
    assert.deepEqual([ready, sync.state.type, reasons], [true, 'synced', []]);
    const metrics = await (await fetch(`${whole.url}/metrics`)).text();
    assert.match(metrics, /^heddle_follow_lag_blocks \d+$/m);
    assert.match(metrics, /^heddle_follow_best_known_height \d+$/m);
  });

  describe('the follower that began with a checkpoint', () => {
    let client: Client;
    before(() => {
      client = clients[2];
    });

    async function unavailable(answer: Promise<unknown>): Promise<void> {
      const { kind, data } = await refusal(answer);
      assert.equal(kind, 'state_unavailable');
      assert.equal(data['oldest'], Number(oldest));
      assert.equal(typeof data['newest'], 'number');
    }

    test('finds no earlier transaction and names its first height', async () => {
      const found = await client.tx_by_hash({ tx_hash: early });
      assert.deepEqual(found, { status: { type: 'not_found' }, oldest_height: oldest });
      assert.deepEqual(await client.tx_receipt({ tx_hash: early }), { oldest_height: oldest });
      assert.deepEqual(await client.tx_receipt({ tx_hash: early, with_proof: true }), {
        oldest_height: oldest,
      });
      const never = new Uint8Array(32).fill(7);
      assert.deepEqual(await client.tx_by_hash({ tx_hash: never }), {
        status: { type: 'not_found' },
        oldest_height: oldest,
      });
      const whole = await clients[0].tx_by_hash({ tx_hash: never });
      assert.deepEqual(whole, { status: { type: 'not_found' } });
    });

    test('does not wait for an unknown transaction', async () => {
      const waiting = client.waitForReceipt(early, { unknownMs: 600 });
      await assert.rejects(waiting, (error) => {
        assert.ok(error instanceof ClientError);
        assert.equal(error.code, 'unknown_transaction');
        assert.match(error.message, new RegExp(`knows no transaction .* from height ${oldest} on`));
        return true;
      });
    });

    test('refuses traces and calls that name an earlier block or transaction', async () => {
      const call = { contract: token, method: 'total_supply' };
      for (const ask of [
        () => client.chain_traceTransaction({ tx_hash: early }),
        () => client.view_call({ ...call, at: { type: 'after_tx', value: early } }),
        () => client.view_call({ ...call, at: { type: 'hash', value: earlyBlock } }),
      ]) {
        const { kind, data, message } = await refusal(ask());
        assert.equal(kind, 'not_found');
        assert.equal(data['oldest'], Number(oldest));
        assert.match(message, new RegExp(`from height ${oldest} on`));
      }
    });

    test('refuses ranges that reach below its first block, also by default', async () => {
      const tip = (await client.status()).tip.height;
      await unavailable(client.get_logs({ contract: token }));
      await unavailable(client.get_logs({}));
      await unavailable(client.get_logs({ from_height: oldest - 1n }));
      await unavailable(client.get_logs({ contract: token, from_height: 0n, to_height: tip }));
      for (const range of [
        { from_height: 0n, to_height: tip },
        { from_height: oldest - 1n, to_height: oldest },
      ]) {
        await unavailable(client.get_blocks(range));
        await unavailable(client.get_block_summaries(range));
        await unavailable(client.get_txs_in_range(range));
      }
      assert.deepEqual((await client.get_logs({ from_height: oldest, contract: token })).logs, []);
      await client.get_blocks({ from_height: oldest, to_height: tip });
    });

    test('ends listings with that error instead of an empty page', async () => {
      const pages = (cursor: string | undefined) => ({ limit: 500, ...(cursor !== undefined && { cursor }) });
      for (const list of [
        (cursor?: string) => client.list_txs_by_contract({ contract: token, ...pages(cursor) }),
        (cursor?: string) => client.list_txs_by_sender({ sender: alice.address, ...pages(cursor) }),
        (cursor?: string) => client.list_blocks(pages(cursor)),
        (cursor?: string) => client.list_txs(pages(cursor)),
      ]) {
        await unavailable(toEnd(list));
      }
      const whole = await clients[0].list_txs_by_contract({ contract: token, limit: 500 });
      assert.equal(whole.transactions.length, TOKEN_TRANSACTIONS);
      assert.equal(whole.next_cursor, undefined);
    });
  });

  test('a follower drops and names sources that lie about blocks, and syncs from the honest one', async () => {
    const { 'another state root': root } = BLOCK_LIES;
    assert.ok(root !== undefined);
    await amongLiars(source, { root }, ['--sync-from', 'genesis']);
  });

  test('a follower forwards envelopes, and reports their outcome and refusals, until its source is gone', async () => {
    const [origin, client] = clients;
    const action = { type: 'transfer', value: { to: bob.address, amount: 3n } } as const;
    const sealing = { signer: alice };
    const sent = await client.seal(action, sealing);
    assert.ok(['pending', 'included'].includes(sent.status.type), sent.status.type);
    await grow(source, sent.opensAt + 1n);
    const receipt = await client.waitForReceipt(sent.hash, { above: sent.opensAt });
    assert.equal(receipt.status.type, 'success');
    assert.deepEqual((await origin.tx_receipt({ tx_hash: sent.hash })).receipt, receipt);
    const { status } = await client.tx_by_hash({ tx_hash: sent.hash });
    assert.ok(status.type === 'included' && status.value.height < sent.opensAt);
    // The follower refuses invalid envelopes itself where it can, and forwards the source's refusals.
    await assert.rejects(client.seal(action, { ...sealing, opensAt: 1n }), { reason: 'expired' });
    const maxFee = 2n ** 100n;
    await assert.rejects(client.seal(action, { ...sealing, maxFee }), { reason: 'insufficient_balance' });
    await source.stop();
    await assert.rejects(client.seal(action, { ...sealing, opensAt: sent.opensAt + 100n }), {
      kind: 'not_ready',
    });
  });
});

/** Reads a listing page by page. */
async function toEnd(list: (cursor?: string) => Promise<{ readonly next_cursor?: string }>): Promise<void> {
  let cursor: string | undefined;
  do ({ next_cursor: cursor } = await list(cursor));
  while (cursor !== undefined);
}

async function refusal(answer: Promise<unknown>): Promise<RpcCallError> {
  try {
    await answer;
  } catch (error) {
    assert.ok(error instanceof RpcCallError, String(error));
    return error;
  }
  throw new Error('it was answered');
}

/** The same transaction with an invalid signature. */
function forged({ transaction }: Awaited<ReturnType<Client['tx_by_hash']>>): Uint8Array {
  assert.ok(transaction !== undefined);
  const { value } = transaction.signature;
  const signature = value.signature.map((byte, place) => (place === 40 ? byte ^ 1 : byte));
  return ledger.SignedTransaction.encode({
    transaction: { ...transaction.transaction, nonce: transaction.transaction.nonce + 1n },
    signature: { ...transaction.signature, value: { ...value, signature } } as typeof transaction.signature,
  });
}

test('a follower requires a trust anchor and the genesis of its chain', async () => {
  const follow = ['--follow', 'http://127.0.0.1:1'];
  for (const [flags, expected] of [
    [['--trust', 'dev'], /--follow is missing: --trust is what a follower believes/],
    [follow, /--trust is missing: --follow believes no node/],
    [
      [...follow, '--trust', DEV_KEY, '--sync-from', 'genesis'],
      /--genesis is missing: --sync-from genesis begins with block 0/,
    ],
    [[...follow, '--trust', '/nowhere/genesis.json'], /nowhere\/genesis\.json/],
  ] as const) {
    const dataDir = temporaryDirectory();
    const args = ['start', '--port', '0', ...flags, '--data-dir', dataDir];
    const { code: exit, out, err } = await heddle(args);
    removeDirectory(dataDir);
    assert.notEqual(exit, 0);
    assert.match(`${err}${out}`, expected);
  }
});
