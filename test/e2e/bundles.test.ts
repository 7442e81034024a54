// Atomic bundles on a real node, audited by code that shares nothing with it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect } from '../../src/client/client.js';
import { ascii, concat, hex, sha256, unhex } from '../outside/bytes.js';
import { ChainAuditor } from '../outside/chain-auditor.js';
import { RpcClient, RpcFailure } from '../outside/rpc.js';
import { TxByHashResult, TxpoolStats } from '../outside/rpc-shapes.js';
import { devAllocation, devWallets, drained, nodeStatus, submitEvery, Traffic } from '../outside/traffic.js';
import { type SentTransaction, transfer, type Wallet } from '../outside/wallet.js';
import { NODE_MODE } from '../support/native-modes.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';

/** A call to an address without a contract; it always fails. */
const FAILING = {
  type: 'call' as const,
  value: { contract: new Uint8Array(20).fill(0x55), input: Uint8Array.of(1, 2, 3, 4), value: 0n },
};

/** The greatest bundle that the node takes. */
const LIMIT = 64;
/** The greatest random bundle. */
const MOST = 6;

interface Sent {
  readonly members: readonly SentTransaction[];
  /** Whether every member can succeed. */
  readonly good: boolean;
}

const wallets = devWallets();

function walletAt(index: number): Wallet {
  return wallets[index] ?? assert.fail('no such account');
}

async function submitBundle(
  rpc: RpcClient,
  members: readonly SentTransaction[],
  maxHeight?: bigint,
): Promise<void> {
  const answer = (await rpc.call('tx_submit_bundle', {
    transactions: members.map(({ encoded }) => encoded),
    ...(maxHeight === undefined ? {} : { max_height: Number(maxHeight) }),
  })) as { readonly bundle_hash: string; readonly tx_hashes: readonly string[] };
  assert.deepEqual(
    answer.tx_hashes,
    members.map(({ hash }) => hash),
  );
  const preimage = concat(ascii('heddle/bundle/1'), ...members.map(({ hash }) => unhex(hash)));
  assert.equal(answer.bundle_hash, hex(sha256(preimage)));
}

async function statusOf(
  rpc: RpcClient,
  hash: string,
): Promise<ReturnType<typeof TxByHashResult.fromJson>['status']> {
  return TxByHashResult.fromJson(await rpc.call('tx_by_hash', { tx_hash: hash }), 'tx_by_hash').status;
}

/** Random bundles over several accounts and lanes, a fifth of them with a member that fails. */
function randomBundles(traffic: Traffic, count: number): Sent[] {
  const { random } = traffic;
  return Array.from({ length: count }, () => {
    const fails = random.below(5) === 0;
    const length = 1 + random.below(MOST);
    const failing = random.below(length);
    const before = new Map<string, () => void>();
    const members = Array.from({ length }, (_, index) => {
      const wallet = walletAt(random.below(5));
      const lane = 3 + random.below(3);
      const nonce = traffic.nonce(wallet, lane);
      const name = `${hex(wallet.address)}/${lane}`;
      if (!before.has(name)) before.set(name, () => traffic.resume(wallet, lane, nonce));
      return traffic.next(wallet, {
        lane,
        gasLimit: 60_000n,
        maxFee: 10_000_000n,
        priorityFee: BigInt(random.below(2_000)),
        action: fails && index === failing ? FAILING : transfer(walletAt(random.below(10)).address, 7n),
      });
    });
    // A failing bundle uses no nonces: the next bundle on these lanes starts at the same ones.
    if (fails) for (const undo of before.values()) undo();
    return { members, good: !fails };
  });
}

describe(`bundles on a node, --native ${NODE_MODE}`, () => {
  let node: NodeProcess;
  let rpc: RpcClient;
  let chainId: bigint;
  before(async () => {
    node = await NodeProcess.start({
      flags: ['--native', NODE_MODE, '--block-time', '50', '--idle-block-time', '0'],
    });
    rpc = new RpcClient(node.url);
    ({ chain_id: chainId } = await nodeStatus(rpc));
  });
  after(async () => {
    rpc?.close();
    await node?.dispose();
  });

  test('bundles among other traffic are included whole, in order and contiguous, or not at all', async () => {
    const auditor = new ChainAuditor({ allocation: await devAllocation(rpc), proofs: 'some' });
    const traffic = new Traffic(chainId, 23);
    const bundles = randomBundles(traffic, 60);
    const alone = Array.from({ length: 300 }, () =>
      traffic.mixed(walletAt(traffic.random.below(10)), wallets, 3),
    );
    const sendBundles = async () => {
      for (const { members } of bundles) await submitBundle(rpc, members);
    };
    await Promise.all([submitEvery(rpc, alone), sendBundles()]);
    await drained(rpc);
    await auditor.advance(rpc);

    for (const { members, good } of bundles) {
      const places = members.map(({ hash }) => auditor.transactions.get(hash));
      if (!good) {
        assert.ok(
          places.every((place) => place === undefined),
          'a member of a failing bundle is in the chain',
        );
        for (const { hash } of members) {
          const status = await statusOf(rpc, hash);
          assert.equal(status.type, 'rejected');
          assert.match(String(status.value), /^(bundle_failed|nonce_too_low): transaction \d of the bundle/);
        }
        continue;
      }
      const [first] = places;
      assert.ok(first !== undefined, 'a bundle is missing');
      for (const [offset, place] of places.entries()) {
        assert.equal(place?.height, first.height, 'a bundle is in two blocks');
        assert.equal(place.index, first.index + offset, 'a bundle is torn apart');
        assert.equal(place.receipt.status.type, 'success');
      }
    }
    const good = bundles.filter((bundle) => bundle.good).flatMap(({ members }) => members);
    assert.ok(good.length > 100 && good.length < bundles.flatMap(({ members }) => members).length);
    assert.deepEqual(
      [...auditor.transactions.keys()].sort(),
      [...alone, ...good].map(({ hash }) => hash).sort(),
    );
    await auditor.compareAccounts(rpc);
    assert.equal(TxpoolStats.fromJson(await rpc.call('txpool_stats'), 'txpool_stats').bundles, 0);
  });

  test('a bundle error names the index of the transaction', async () => {
    const traffic = new Traffic(chainId, 4);
    const one = () => traffic.next(walletAt(0), { lane: 9, action: transfer(walletAt(1).address, 1n) });
    const failure = async (transactions: readonly string[], maxHeight?: number) => {
      const params = { transactions, ...(maxHeight === undefined ? {} : { max_height: maxHeight }) };
      try {
        await rpc.call('tx_submit_bundle', params);
      } catch (error) {
        if (error instanceof RpcFailure) return error;
      }
      return assert.fail('the bundle was taken');
    };
    const transactions = Array.from({ length: LIMIT + 1 }, () => one().encoded);
    const [first = '', second = '', third = ''] = transactions;
    assert.equal((await failure([])).code, -32602);
    assert.equal((await failure([first, '0x1234'])).data['path'], 'params.transactions[1]');
    const many = await failure(transactions);
    assert.deepEqual([many.data['kind'], many.data['subject']], ['limit_exceeded', 'bundle_transactions']);
    const gap = await failure([first, third]);
    assert.deepEqual([gap.data['reason'], gap.data['index']], ['nonce_gap_too_large', 1]);
    const forged = await failure([first, `${second.slice(0, -2)}${second.endsWith('00') ? '01' : '00'}`]);
    assert.deepEqual([forged.data['reason'], forged.data['index']], ['bad_signature', 1]);
    assert.equal((await failure([first], 0)).data['reason'], 'expired');
    const answer = await fetch(new URL('/rpc/manifest', node.url));
    if (answer.ok) assert.match(await answer.text(), /"bundle_transactions":\s*64/);
  });
});

test('pending bundles survive kill -9 with their last height', async () => {
  const dataDir = temporaryDirectory();
  const flags = ['--idle-block-time', '0'];
  let node = await NodeProcess.start({ dataDir, flags: [...flags, '--block-time', '3600000'] });
  let rpc = new RpcClient(node.url);
  try {
    const { chain_id: chainId } = await nodeStatus(rpc);
    const traffic = new Traffic(chainId, 4);
    const pair = (from: number, failing = false) => [
      traffic.next(walletAt(from), { gasLimit: 60_000n, action: transfer(walletAt(9).address, 5n) }),
      traffic.next(walletAt(from), {
        gasLimit: 60_000n,
        action: failing ? FAILING : transfer(walletAt(8).address, 5n),
      }),
    ];
    // The first block is due as soon as a transaction is there, and may leave out one sent with it. The next is not due
    // within this process's lifetime.
    await submitEvery(rpc, [traffic.next(walletAt(0), { action: transfer(walletAt(9).address, 5n) })]);
    await drained(rpc);
    const [waiting, failing, limited] = [pair(1), pair(2, true), pair(3)];
    await submitBundle(rpc, waiting);
    await submitBundle(rpc, failing);
    await submitBundle(rpc, limited, 2n);
    await assert.rejects(submitBundle(rpc, waiting), (error: unknown) => {
      assert.ok(error instanceof RpcFailure);
      return error.data['reason'] === 'already_known';
    });
    const before = TxpoolStats.fromJson(await rpc.call('txpool_stats'), 'txpool_stats');
    assert.deepEqual([before.bundles, before.size, before.ready], [3, 6, 6]);
    await node.kill();
    rpc.close();

    node = await NodeProcess.start({ dataDir, flags: [...flags, '--block-time', '3600000'] });
    rpc = new RpcClient(node.url);
    const { bundles, size } = TxpoolStats.fromJson(await rpc.call('txpool_stats'), 'txpool_stats');
    assert.deepEqual([bundles, size], [3, 6], node.log);
    assert.equal((await statusOf(rpc, waiting[1]?.hash ?? '')).type, 'pending');
    const token = readFileSync(join(dataDir, 'admin.token'), 'utf8').trim();
    await connect(node.url, { token }).dev.mine({ count: 3 });
    await drained(rpc);
    const statuses = await Promise.all(
      [...waiting, ...failing, ...limited].map(({ hash }) => statusOf(rpc, hash)),
    );
    assert.deepEqual(
      statuses.map(({ type }) => type),
      ['included', 'included', 'rejected', 'rejected', 'included', 'included'],
    );
    // A bundle that was being tried at the kill is first tried alone, so its failure may come a block later.
    assert.match(
      String(statuses[2]?.value),
      /^bundle_failed: transaction 1 of the bundle failed in block [23]/,
    );
  } finally {
    rpc.close();
    await node.dispose();
    removeDirectory(dataDir);
  }
});
