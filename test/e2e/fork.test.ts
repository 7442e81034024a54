import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Client,
  ClientError,
  connect,
  devAccount,
  formatAddress,
  RpcCallError,
} from '../../src/client/client.js';
import type { Account } from '../../src/generated/node-rpc-v1.js';
import { fromHex } from '../../src/idl/hex.js';
import { verifyAccount, verifySlot } from '../../src/proofs/verify.js';
import { freePorts } from '../support/free-ports.js';
import { heddle } from '../support/nodes/command-line.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { CONTRACTS, contractCode } from '../support/worlds/contract-world.js';

const HOLDER = `0x${'a1'.repeat(20)}`;
const STRANGER = `0x${'b2'.repeat(20)}`;
const SPENDER = `0x${'d4'.repeat(20)}`;
const SUPPLY = 1_000_000n;

function admin(node: NodeProcess): Client {
  const token = readFileSync(join(node.dataDir, 'admin.token'), 'utf8').trim();
  return connect(node.url, { token, retry: { retries: 0 } });
}

describe('a fork of another chain', () => {
  const directory = temporaryDirectory();
  let origin: NodeProcess;
  let fork: NodeProcess;
  let parent: Client;
  let client: Client;
  let token: Uint8Array;
  let owner: Uint8Array;
  let height: bigint;
  /** The owner's account as the fork has shown it first. */
  let seenFirst: Account;

  function flags(): string[] {
    return ['--fork', `${origin.url}@${height}`, '--seal', 'instant', '--idle-block-time', '0'];
  }

  async function balanceOf(of: Client, holder: string | Uint8Array, at?: bigint): Promise<bigint> {
    const options = at === undefined ? {} : { at: { type: 'height', value: at } as const };
    return BigInt(String(await of.contract(token).view('balance_of', [holder], options)));
  }

  before(async () => {
    origin = await NodeProcess.start({ dataDir: join(directory, 'origin'), flags: ['--workers', '1'] });
    parent = admin(origin);
    const sender = parent.sender(devAccount(0));
    owner = sender.signer.address;
    const init = { name: 'Thread', symbol: 'THR', decimals: 2, supply: SUPPLY, owner, minter: owner };
    const idl = readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8');
    const code = Uint8Array.from(contractCode('token'));
    token = (await sender.deploy({ code, idl, init })).contract.address;
    await parent.contract(token, { sender }).call('transfer', [HOLDER, 700n]);
    await sender.transfer({ to: HOLDER, amount: 5n, wait: 'included' });
    await sender.transfer({ to: SPENDER, amount: 5n, wait: 'included' });
    height = (await parent.status()).tip.height;
    // After the fork's block, so that the fork must not see it.
    await sender.transfer({ to: HOLDER, amount: 1_000n, wait: 'included' });
    const [port] = await freePorts(1);
    const flagsWithPort = [...flags(), '--port', String(port)];
    const starting = NodeProcess.start({ dataDir: join(directory, 'fork'), flags: flagsWithPort });
    [fork, seenFirst] = await Promise.all([starting, firstAnswer(`http://127.0.0.1:${port}`, owner)]);
    client = admin(fork);
  });

  after(async () => {
    await fork.dispose();
    await origin.dispose();
    removeDirectory(directory);
  });

  test('shows the state of that block, with nonces, code and interfaces', async () => {
    assert.equal(await balanceOf(client, HOLDER), 700n);
    assert.equal((await client.account({ address: HOLDER })).balance, 5n);
    const { accounts } = await client.accounts({ addresses: [HOLDER, STRANGER] });
    assert.deepEqual(
      accounts.map(({ balance }) => balance),
      [5n, 0n],
    );
    const [now, then] = [await client.account({ address: owner }), await parent.account({ address: owner })];
    assert.equal(now.lanes[0]?.next_nonce, (then.lanes[0]?.next_nonce ?? 0n) - 1n);
    assert.deepEqual(seenFirst, now);
    assert.equal(now.balance, 10n ** 24n, 'a development account has at least its balance');
    const metadata = await client.contract_metadata({ address: token });
    assert.deepEqual(metadata.code_hash, (await parent.contract_metadata({ address: token })).code_hash);
    assert.equal((await client.status()).chain_id, (await parent.status()).chain_id);
  });

  test('executes transactions on that state, and leaves the other chain as it is', async () => {
    const sender = client.sender(devAccount(0));
    await client.contract(token, { sender }).call('transfer', [STRANGER, 300n]);
    await sender.transfer({ to: HOLDER, amount: 2n, wait: 'included' });
    assert.equal(await balanceOf(client, owner), SUPPLY - 1_000n);
    assert.equal(await balanceOf(client, STRANGER), 300n);
    assert.equal((await client.account({ address: HOLDER })).balance, 7n);
    assert.equal(await balanceOf(parent, STRANGER), 0n);
    assert.equal((await parent.account({ address: HOLDER })).balance, 1_005n);
    assert.equal(await balanceOf(client, STRANGER, 0n), 0n, 'the state before');
    assert.equal(await balanceOf(client, owner, 0n), SUPPLY - 700n, 'the state before the copy');
  });

  test('shows an account as empty once a block has copied and emptied it', async () => {
    const balance = async () => (await client.account({ address: SPENDER })).balance;
    assert.equal(await balance(), 5n);
    const to = devAccount(8).address;
    await client.dev.impersonate(SPENDER, { type: 'transfer', value: { to, amount: 5n } });
    assert.equal(await balance(), 0n);
  });

  test('proves accounts and slots that only the other chain has written', async () => {
    const slot = fromHex('00'.repeat(32), 0) ?? new Uint8Array(0);
    const { group_public_key: key } = (await client.light_client_context({})).validator_set;
    const raw = await rawProof(client, formatAddress(token), slot);
    const trust = { groupPublicKey: key };
    const account = verifyAccount(raw, token, trust);
    assert.ok(account.record?.contract !== undefined);
    verifySlot(raw, { contract: token, slot }, trust);
    const { state_root } = (await client.status()).tip;
    assert.deepEqual(account.block.header.state_root, state_root);
  });

  test('returns to a snapshot across copies', async () => {
    const sender = client.sender(devAccount(1));
    const other = devAccount(7).address;
    const { id } = await client.dev.snapshot();
    const { outcome } = await client.dev.impersonate(HOLDER, {
      type: 'transfer',
      value: { to: other, amount: 3n },
    });
    assert.equal(outcome.type, 'success');
    await sender.transfer({ to: HOLDER, amount: 40n, wait: 'included' });
    await client.dev.setStorage(token, new Uint8Array(32).fill(7), Uint8Array.of(1));
    assert.equal((await client.account({ address: HOLDER })).balance, 44n);
    await client.dev.revert(id);
    assert.equal((await client.account({ address: HOLDER })).balance, 7n);
    assert.equal(await balanceOf(client, HOLDER), 700n);
    assert.equal(await balanceOf(client, owner), SUPPLY - 1_000n);
  });

  test('takes no sealed transactions, whose reads are known too late', async () => {
    const sender = client.sender(devAccount(2));
    await assert.rejects(
      sender.seal({ type: 'transfer', value: { to: HOLDER, amount: 1n } }),
      (error) => error instanceof RpcCallError && error.kind === 'not_ready' && /fork/.test(error.message),
    );
  });

  test('cannot be forked itself', async () => {
    const flags = ['--data-dir', join(directory, 'second'), '--port', '0', '--fork', fork.url];
    const { code, out, err } = await heddle(['start', ...flags, '--log-level', 'fatal']);
    assert.notEqual(code, 0);
    assert.match(out + err, /is itself a fork/);
  });

  test('continues without the other chain as far as it has read', async () => {
    await fork.stop();
    const verified = await heddle(['verify', '--data-dir', fork.dataDir]);
    assert.equal(verified.code, 0, verified.err);
    await origin.stop();
    fork = await NodeProcess.start({ dataDir: fork.dataDir, flags: ['--idle-block-time', '0'] });
    client = admin(fork);
    assert.equal(await balanceOf(client, HOLDER), 700n);
    const isAway = (error: unknown) =>
      error instanceof RpcCallError && error.kind === 'not_ready' && /forked chain/.test(error.message);
    await assert.rejects(client.account({ address: `0x${'c3'.repeat(20)}` }), isAway);
    await assert.rejects(balanceOf(client, `0x${'c3'.repeat(20)}`), isAway);
    const unread = { to: `0x${'c3'.repeat(20)}`, amount: 1n };
    await client.sender(devAccount(0)).transfer(unread);
    await client.sender(devAccount(1)).transfer({ to: HOLDER, amount: 1n, wait: 'included' });
    assert.equal((await client.account({ address: HOLDER })).balance, 8n);
  });

  test('refuses another block, another chain, and a directory with a chain of its own', async () => {
    await fork.stop();
    origin = await NodeProcess.start({ dataDir: origin.dataDir, flags: ['--workers', '1'] });
    for (const [dataDir, source, message] of [
      [fork.dataDir, `${origin.url}@1`, /holds a fork of that block/],
      [origin.dataDir, origin.url, /holds another chain|in use/],
      [join(directory, 'new'), `${origin.url}@999999`, /there is no block 999999 yet/],
      [join(directory, 'new'), 'http://127.0.0.1:1', /no node answers/],
      [join(directory, 'new'), 'ftp://127.0.0.1', /expected a node such as/],
    ] as const) {
      const flags = ['--data-dir', dataDir, '--port', '0', '--fork', source];
      const { code, out, err } = await heddle(['start', ...flags, '--log-level', 'fatal']);
      assert.notEqual(code, 0);
      assert.match(out + err, message);
    }
  });
});

/** Asks a node that is starting for an account until it answers. */
async function firstAnswer(url: string, address: Uint8Array): Promise<Account> {
  const client = connect(url, { retry: { retries: 0 } });
  for (;;) {
    try {
      return await client.account({ address });
    } catch (error) {
      const isUnready = error instanceof RpcCallError && error.kind === 'not_ready';
      if (!isUnready && !(error instanceof ClientError)) throw error;
      await pause(2, undefined, { ref: false });
    }
  }
}

async function rawProof(client: Client, contract: string, slot: Uint8Array): Promise<unknown> {
  const response = await fetch(client.endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'state_proof',
      params: { contract, slot: `0x${Buffer.from(slot).toString('hex')}` },
    }),
  });
  const { result } = (await response.json()) as { readonly result: unknown };
  return result;
}
