import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  type Client,
  connect,
  devAccount,
  ed25519Signer,
  RpcCallError,
  signTransaction,
} from '../../src/client/client.js';
import type { Crypto } from '../../src/crypto/crypto.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { devV1Manifest } from '../../src/generated/dev-v1.js';
import type { Action } from '../../src/generated/ledger.js';
import { devControllerSeed } from '../../src/ledger/dev-controls.js';
import { RpcClient, RpcFailure } from '../outside/rpc.js';
import type { NodeProcess } from '../support/nodes/node-process.js';
import { issueToken } from '../support/tokens/issue-token.js';
import { controlAction } from '../support/worlds/dev-control.js';
import { directClient, startFollower, startSource } from '../support/worlds/followed-chain.js';

/** The methods, each with parameters that decode. */
const METHODS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  dev_mine: {},
  dev_setTime: { timestamp_ms: 4_000_000_000_000 },
  dev_increaseTime: { ms: 1 },
  dev_setBalance: { address: `0x${'11'.repeat(20)}`, amount: 1 },
  dev_setStorage: { contract: `0x${'11'.repeat(20)}`, slot: `0x${'00'.repeat(32)}` },
  dev_setCode: { address: `0x${'11'.repeat(20)}` },
  dev_impersonate: {
    sender: `0x${'11'.repeat(20)}`,
    action: { type: 'transfer', value: { to: `0x${'22'.repeat(20)}`, amount: 1 } },
  },
  dev_snapshot: {},
  dev_revert: { id: 1 },
  dev_dumpState: {},
  dev_loadState: { accounts: [] },
};

describe('attacks on the controls of a development chain', () => {
  let crypto: Crypto;
  let source: NodeProcess;
  let follower: NodeProcess;
  let client: Client;
  let admin: Client;

  before(async () => {
    crypto = await loadCrypto('auto');
    source = await startSource();
    follower = await startFollower([source.url], { flags: ['--sync-from', 'genesis'] });
    client = directClient(source);
    admin = connect(source.url, { token: adminToken(source), retry: { retries: 0 } });
  });

  after(async () => {
    await follower.dispose();
    await source.dispose();
  });

  function adminToken(node: NodeProcess): string {
    return readFileSync(join(node.dataDir, 'admin.token'), 'utf8').trim();
  }

  /** A transaction that everybody can sign: it would make the attacker rich. */
  function forged(action: Action, nonce = 0n) {
    const signer = ed25519Signer(devControllerSeed(crypto));
    return signTransaction(
      {
        chain_id: 9545n,
        sender: signer.address,
        lane: 0,
        nonce,
        gas_limit: 1_000_000n,
        max_fee: 100n,
        priority_fee: 0n,
        action,
      },
      signer,
    );
  }

  const riches = () =>
    controlAction([{ type: 'balance', value: { address: devAccount(6).address, amount: 2n ** 90n } }]);

  test('every method is listed here', () => {
    const declared = devV1Manifest.interfaces.flatMap(({ methods }) => methods.map(({ name }) => name));
    assert.deepEqual(Object.keys(METHODS), declared);
  });

  test('strangers and payers are refused, by plain and by qualified name', async () => {
    const height = (await client.status()).tip.height;
    const { token: paid } = await issueToken(source.dataDir);
    for (const [token, kind] of [
      [undefined, 'unauthorized'],
      [paid, 'forbidden'],
    ] as const) {
      const rpc = new RpcClient(source.url, token);
      for (const [name, params] of Object.entries(METHODS)) {
        for (const method of [name, `DevV1.${name}`]) {
          await assert.rejects(rpc.call(method, params), ofKind(kind), `${method} with ${kind}`);
        }
      }
      rpc.close();
    }
    assert.ok((await client.status()).tip.height <= height + 20n, 'no block was sealed for them');
  });

  test("a transaction signed with the controller's key is refused, alone, in a bundle, and through a follower", async () => {
    const before = (await client.account({ address: devAccount(6).address })).balance;
    const transfer: Action = { type: 'transfer', value: { to: devAccount(6).address, amount: 0n } };
    for (const action of [riches(), transfer]) {
      const { encoded } = await forged(action);
      for (const target of [client, directClient(follower)]) {
        await assert.rejects(target.tx_submit({ encoded }), isRefusal);
        await assert.rejects(target.tx_submit_bundle({ transactions: [encoded] }), isRefusal);
      }
    }
    assert.equal((await client.account({ address: devAccount(6).address })).balance, before);
    assert.equal((await client.txpool_stats()).size, 0);
  });

  test('a sealed transaction of the controller is refused', async () => {
    const sender = client.sender(ed25519Signer(devControllerSeed(crypto)));
    await assert.rejects(sender.seal(riches(), {}), isRefusal);
  });

  test('the same call of another account finds no contract', async () => {
    const sent = await client.sender(devAccount(6)).send(riches(), { wait: 'included' });
    assert.equal(sent.receipt.status.type, 'invalid');
    assert.ok(sent.receipt.fee > 0n);
  });

  test('every other node refuses every method, and does not publish the interface', async () => {
    const rpc = new RpcClient(follower.url, adminToken(follower));
    for (const [name, params] of Object.entries(METHODS)) {
      await assert.rejects(rpc.call(name, params), ofKind('forbidden'), name);
    }
    rpc.close();
    for (const path of ['idl/dev_v1', 'manifest/dev_v1']) {
      assert.equal((await fetch(`${follower.url}/v2/rpc/${path}`)).status, 404);
      assert.equal((await fetch(`${source.url}/v2/rpc/${path}`)).status, 200);
    }
  });

  test('a flood of controls is bounded, and others get their transactions into blocks meanwhile', async () => {
    const flood = Array.from({ length: 300 }, () => admin.dev.mine());
    const settled = Promise.allSettled(flood);
    const sent = await client
      .sender(devAccount(2))
      .transfer({ to: devAccount(3).address, amount: 1n, wait: 'included' });
    assert.equal(sent.receipt.status.type, 'success');
    const results = await settled;
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    assert.ok(refused.length > 0 && refused.length < 300, `${refused.length} of 300 were refused`);
    for (const error of refused) assert.ok(error instanceof RpcCallError && error.kind === 'overloaded');
    assert.equal((await admin.dev.mine()).count, 1);
  });

  test('too much at once is refused before any work', async () => {
    const limits = ofKind('limit_exceeded');
    await assert.rejects(admin.dev.mine({ count: 1_001 }), limits);
    const action: Action = { type: 'transfer', value: { to: devAccount(1).address, amount: 0n } };
    await assert.rejects(
      admin.dev.impersonate(devAccount(0).address, action, { gasLimit: 2n ** 60n }),
      limits,
    );
    await assert.rejects(admin.dev.increaseTime(Number.MAX_SAFE_INTEGER), ofKind('invalid_params'));
    await assert.rejects(admin.dev.setCode(devAccount(0).address, { code: Buffer.from('no code') }), {
      kind: 'invalid_params',
    });
    const rpc = new RpcClient(source.url, adminToken(source));
    for (const cursor of ['', '5', '99999999-00', '1-zz', `1-${'00'.repeat(53)}`]) {
      await assert.rejects(rpc.call('dev_dumpState', { cursor }), ofKind('invalid_params'), cursor);
    }
    rpc.close();
  });
});

function ofKind(kind: string): (error: unknown) => boolean {
  return (error) => (error instanceof RpcFailure ? error.data.kind : (error as RpcCallError).kind) === kind;
}

function isRefusal(error: unknown): boolean {
  assert.ok(error instanceof RpcCallError, String(error));
  assert.equal(error.kind, 'transaction_rejected');
  assert.equal(error.reason, 'bad_signature');
  assert.match(error.message, /the development controller's key is public/);
  return true;
}
