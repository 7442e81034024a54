// Followers of a real node: identical blocks, forwarded transactions, correct lag.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Client, devAccount, RpcCallError } from '../../src/client/client.js';
import { packageRoot } from '../../src/config/package-info.js';
import { compileContract } from '../../src/idl/abi/contract-abi.js';
import { compileIdl } from '../../src/idl/compiler/compile.js';
import { ledger } from '../../src/ledger/codecs.js';
import {
  caughtUp,
  directClient,
  grow,
  startFollower,
  startSource,
  until,
} from '../support/followed-chain.js';
import { text } from '../support/hex.js';
import { type NodeProcess, removeDirectory, runHeddle, temporaryDirectory } from '../support/node-process.js';
import { TamperingSource } from '../support/tampering-source.js';

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

function supplyArguments(): readonly (string | number)[] {
  return ['Thread', 'THR', 0, '1000000', text(alice.address), text(alice.address)];
}

describe('a source and its followers', () => {
  let source: NodeProcess;
  let whole: NodeProcess;
  let second: NodeProcess;
  let clients: readonly [Client, Client, Client];
  let token: Uint8Array;

  before(async () => {
    source = await startSource();
    const sender = directClient(source).sender(alice);
    const { contract } = await sender.deploy({
      code,
      idl,
      init: supplyArguments(),
    });
    token = contract.address;
    for (let i = 1; i <= 20; i++) {
      await sender.transfer({ to: bob.address, amount: BigInt(i), wait: 'none' });
      const input = abi.function('transfer').encodeCall([text(bob.address), String(i)]);
      await sender.send({ type: 'call', value: { contract: token, input, value: 0n } }, { wait: 'none' });
    }
    // The first follower syncs from block 0, the second follows the first from a checkpoint.
    whole = await startFollower([source.url], { flags: ['--sync-from', 'genesis'] });
    await grow(source, 31n);
    await caughtUp(whole, source);
    await until(
      () => directClient(whole).status(),
      ({ latest_checkpoint: { height } }) => height >= 20n,
    );
    second = await startFollower([whole.url], { flags: ['--trust', DEV_KEY] });
    await caughtUp(second, whole);
    // The tests compare its last three blocks, all above its checkpoint.
    await grow(source, (await directClient(second).status()).tip.height + 3n);
    await caughtUp(second, source);
    clients = [directClient(source), directClient(whole), directClient(second)];
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

  test('the chain of the follower verifies from genesis', async () => {
    const copy = await startFollower([source.url], {
      dataDir: temporaryDirectory(),
      flags: ['--sync-from', 'genesis'],
    });
    try {
      await caughtUp(copy, source);
      await copy.stop();
      const {
        code: exit,
        stdout,
        stderr,
      } = await runHeddle(['verify', '--data-dir', copy.dataDir], { timeoutMs: 60_000 });
      assert.equal(exit, 0, `${stdout}${stderr}`);
    } finally {
      await copy.dispose();
      removeDirectory(copy.dataDir);
    }
  });
});

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

test('a follower given only a key reports that it waits for the first checkpoint', async () => {
  const source = await startSource({ flags: ['--checkpoint-interval', '25'] });
  let follower: NodeProcess | undefined;
  try {
    follower = await startFollower([source.url], { flags: ['--trust', DEV_KEY] });
    const client = directClient(follower);
    await until(
      () => client.readiness(),
      ({ reasons }) => reasons.some((reason) => /waiting for the first checkpoint/.test(reason)),
    );
    const probe = await fetch(`${follower.url}/ready`);
    assert.equal(probe.status, 503);
    assert.equal((await fetch(`${follower.url}/health`)).status, 200);
    for (const ask of [() => client.status(), () => client.account({ address: alice.address })]) {
      await assert.rejects(ask, (error) => error instanceof RpcCallError && error.kind === 'not_ready');
    }
    assert.equal((await client.validator_status()).role.type, 'follower');
    await grow(source, 25n);
    await caughtUp(follower, source);
    await assert.rejects(
      client.get_blocks({ from_height: 1n, to_height: 2n }),
      (error) => error instanceof RpcCallError && error.kind === 'state_unavailable',
    );
  } finally {
    await follower?.dispose();
    await source.dispose();
  }
});

test('a follower without sources serves its data, reports a stall, and resumes when they return', async () => {
  const source = await startSource();
  const link = await TamperingSource.start(source.url);
  let follower: NodeProcess | undefined;
  try {
    follower = await startFollower([link.url], { flags: ['--sync-from', 'genesis'] });
    const client = directClient(follower);
    await caughtUp(follower, source);
    link.cut = true;
    const stalled = await until(
      () => client.readiness(),
      ({ sync }) => sync.state.type === 'stalled',
    );
    assert.equal(stalled.ready, false);
    assert.match(stalled.reasons.join('\n'), /no source has answered for \d+ s/);
    const { tip } = await client.status();
    assert.equal((await client.account({ address: alice.address })).balance, 10n ** 24n);
    await assert.rejects(
      client.sender(alice).transfer({ to: bob.address, amount: 1n, wait: 'none' }),
      (error) => error instanceof RpcCallError && error.kind === 'not_ready' && error.retryable,
    );
    link.cut = false;
    await until(
      () => client.readiness(),
      ({ ready, sync }) => ready && sync.tip_height > tip.height,
    );
    await caughtUp(follower, source);
  } finally {
    await follower?.dispose();
    await link.stop();
    await source.dispose();
  }
});

test('a follower whose source restarted with a new chain reports it, stops and mixes nothing', async () => {
  const old = await startSource();
  const link = await TamperingSource.start(old.url);
  const dataDir = temporaryDirectory();
  let follower: NodeProcess | undefined;
  let anew: NodeProcess | undefined;
  try {
    follower = await startFollower([link.url], { dataDir, flags: ['--sync-from', 'genesis'] });
    await grow(old, 11n);
    await caughtUp(follower, old);
    const { blocks } = await directClient(old).get_blocks({ from_height: 5n, to_height: 5n });
    link.cut = true;
    anew = await startSource();
    await directClient(anew).sender(alice).transfer({ to: bob.address, amount: 1n, wait: 'included' });
    link.honestUrl = anew.url;
    link.cut = false;
    const { code: exit } = await follower.exited;
    assert.equal(exit, 1);
    assert.match(follower.log, /another chain, certified by the same key/);
    assert.match(follower.log, /start this node with an empty --data-dir/);
    // The follower still has the complete old chain.
    link.honestUrl = old.url;
    follower = await startFollower([link.url], { dataDir, flags: ['--sync-from', 'genesis'] });
    await caughtUp(follower, old);
    const kept = await directClient(follower).get_blocks({ from_height: 5n, to_height: 5n });
    assert.deepEqual(kept.blocks, blocks);
  } finally {
    for (const node of [follower, anew, old]) await node?.dispose();
    await link.stop();
    removeDirectory(dataDir);
  }
});

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
    const {
      code: exit,
      stderr,
      stdout,
    } = await runHeddle(['start', '--port', '0', ...flags, '--data-dir', dataDir]);
    removeDirectory(dataDir);
    assert.notEqual(exit, 0);
    assert.match(`${stderr}${stdout}`, expected);
  }
});
