import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Client, connect, devAccount, formatAddress } from '../../src/client/client.js';
import type { DevAccount } from '../../src/generated/dev-v1.js';
import { toHex } from '../../src/idl/hex.js';
import { probeCode } from '../support/contracts/assembled-contracts.js';
import { heddle } from '../support/nodes/command-line.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { CONTRACTS, contractCode } from '../support/worlds/contract-world.js';
import { followerFlags, SOURCE_FLAGS, until } from '../support/worlds/followed-chain.js';

const idl = readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8');
const code = Uint8Array.from(contractCode('token'));
const STRANGER = `0x${'5a'.repeat(20)}`;
const DAY_MS = 86_400_000;

function admin(node: NodeProcess): Client {
  const token = readFileSync(join(node.dataDir, 'admin.token'), 'utf8').trim();
  return connect(node.url, { token });
}

async function dumped(client: Client): Promise<readonly DevAccount[]> {
  const entries: DevAccount[] = [];
  for await (const entry of client.dev.dumpState()) entries.push(entry);
  return entries;
}

describe('the controls of a development chain', () => {
  const directory = temporaryDirectory();
  let source: NodeProcess;
  let follower: NodeProcess;
  let client: Client;
  let token: Uint8Array;

  before(async () => {
    source = await NodeProcess.start({ dataDir: join(directory, 'source'), flags: SOURCE_FLAGS });
    follower = await NodeProcess.start({
      dataDir: join(directory, 'follower'),
      flags: followerFlags([source.url], ['--sync-from', 'genesis']),
    });
    client = admin(source);
    const sender = client.sender(devAccount(0));
    const owner = sender.signer.address;
    const init = { name: 'Thread', symbol: 'THR', decimals: 2, supply: 1_000n, owner, minter: owner };
    token = (await sender.deploy({ code, idl, init })).contract.address;
  });

  after(async () => {
    await follower.dispose();
    await source.dispose();
    removeDirectory(directory);
  });

  /** Runs a command against the source with its token; the answer as JSON. */
  async function dev(...args: readonly string[]): Promise<{ readonly [member: string]: unknown }> {
    const flags = ['--url', source.url, '--token-file', join(source.dataDir, 'admin.token'), '--json'];
    const { code: exit, out, err } = await heddle(['dev', ...args, ...flags], {}, directory);
    assert.equal(exit, 0, err);
    return JSON.parse(out);
  }

  /** Checks the node's clock on a chain whose last block may be ten minutes old at most. */
  async function countsAgesByTheChain(node: Client, fromMs: number): Promise<void> {
    const { now_ms } = await node.status();
    assert.ok(now_ms >= BigInt(fromMs) && now_ms < BigInt(fromMs + 600_000), `${now_ms}, ${fromMs}`);
    const { sync } = await node.readiness();
    assert.ok(sync.tip_age_ms < 600_000n, `${sync.tip_age_ms}`);
  }

  async function balanceOf(holder: string | Uint8Array): Promise<number> {
    return Number(await client.contract(token).view('balance_of', [holder]));
  }

  test('seal blocks at once, at given intervals', async () => {
    const before = (await client.status()).tip;
    const { count, last } = await client.dev.mine({ count: 5, intervalMs: 60_000 });
    assert.equal(count, 5);
    assert.ok(last.height >= before.height + 5n);
    assert.ok(last.timestamp_ms >= before.timestamp_ms + 240_000n);
    assert.equal((await dev('mine', '2'))['count'], 2);
  });

  test('set the clock, which goes on from there', async () => {
    const { timestamp_ms: start } = await client.dev.mine().then(({ last }) => last);
    const later = await client.dev.increaseTime(DAY_MS);
    assert.ok(later.timestamp_ms >= start + BigInt(DAY_MS));
    const target = Number(later.timestamp_ms) + DAY_MS;
    assert.equal((await dev('set-time', new Date(target).toISOString()))['timestamp_ms'], target);
    const { last } = await client.dev.mine();
    assert.ok(Number(last.timestamp_ms) >= target && Number(last.timestamp_ms) < target + 600_000);
    // A view call on the latest state runs at the time of the next block; this code comes with the call.
    const contract = new Uint8Array(20).fill(9);
    const overrides = [{ address: contract, code: probeCode }];
    const { output } = await client.view_call({ contract, input: Uint8Array.of(1), overrides });
    const seen = littleEndian(output);
    assert.ok(
      seen > last.timestamp_ms && seen < last.timestamp_ms + 600_000n,
      `${seen}, ${last.timestamp_ms}`,
    );
    await countsAgesByTheChain(client, target);
    await assert.rejects(
      client.dev.setTime(target - 1),
      /params.timestamp_ms: expected more than the last block's/,
    );
  });

  test('set balances', async () => {
    await client.dev.setBalance(STRANGER, 77n);
    assert.equal((await client.account({ address: Buffer.from('5a'.repeat(20), 'hex') })).balance, 77n);
    await dev('set-balance', STRANGER, '1e18');
    const { balance } = await client.account({ address: Buffer.from('5a'.repeat(20), 'hex') });
    assert.equal(balance, 10n ** 18n);
    await assert.rejects(client.dev.setBalance(STRANGER, 2n ** 97n), /params.amount: expected at most/);
  });

  test('act as another account, with the result, the events and a trace of its action', async () => {
    const to = devAccount(1).address;
    const sent = await client.dev.impersonateCall({
      sender: devAccount(0).address,
      contract: token,
      method: 'transfer',
      args: { to, amount: 250n },
    });
    assert.equal(sent.outcome.type, 'success');
    assert.equal(await balanceOf(to), 250);
    const { receipt } = await client.tx_receipt({ tx_hash: sent.tx_hash });
    assert.equal(receipt?.fee, 0n);
    assert.equal(receipt?.logs[0]?.event?.name, 'Transfer');
    const { trace } = await client.chain_traceTransaction({
      tx_hash: sent.tx_hash,
      tracers: [{ type: 'call_tree' }, { type: 'state_diff' }],
    });
    const [call] = trace.call_tree?.calls ?? [];
    assert.equal(call?.method, 'transfer');
    assert.equal(formatAddress(call?.from ?? new Uint8Array(20)), formatAddress(devAccount(0).address));
    assert.ok((trace.state_diff?.length ?? 0) > 0);
    await dev(
      'impersonate',
      'dev:1',
      '--contract',
      formatAddress(token),
      'transfer',
      'to=dev:2',
      'amount=50',
    );
    assert.equal(await balanceOf(devAccount(2).address), 50);
    const flags = ['--url', source.url, '--token-file', join(source.dataDir, 'admin.token')];
    const spend = ['--contract', formatAddress(token), 'transfer', 'to=dev:2', 'amount=1'];
    const refused = await heddle(['dev', 'impersonate', STRANGER, ...spend, ...flags], {}, directory);
    assert.equal(refused.code, 1);
    assert.match(refused.out, /^status +reverted: InsufficientBalance\(.*\)$/m);
    assert.match(refused.err, /it was included but did not succeed: reverted: InsufficientBalance\(/);
    const poor = await client.dev.impersonateCall({
      sender: STRANGER,
      contract: token,
      method: 'transfer',
      args: { to, amount: 1n },
    });
    assert.equal(poor.outcome.type, 'reverted');
    assert.ok(poor.output.length > 0);
  });

  test('set and remove slots and code', async () => {
    const slots = (await dumped(client)).flatMap(({ slots: own = [] }) => own);
    const slot = slots.find(({ value }) => value !== undefined && littleEndian(value) === 200n);
    assert.ok(slot?.value !== undefined, 'the balance of account 1 is in a slot');
    const richer = Buffer.alloc(slot.value.length);
    richer.writeUInt16LE(9_000);
    await client.dev.setStorage(token, slot.slot, richer);
    assert.equal(await balanceOf(devAccount(1).address), 9_000);
    await dev('set-storage', formatAddress(token), toHex(slot.slot), toHex(slot.value));
    assert.equal(await balanceOf(devAccount(1).address), 200);
    await client.dev.setCode(STRANGER, { code, idl });
    assert.equal(Number(await client.contract(STRANGER).view('total_supply', [])), 0);
    await dev('set-code', STRANGER, '--remove');
    await assert.rejects(
      client.contract_metadata({ address: Buffer.from('5a'.repeat(20), 'hex') }),
      /no contract/,
    );
    await assert.rejects(client.dev.setStorage(STRANGER, slot.slot, richer), /there is no contract at/);
  });

  test('restore a snapshot, also of removed and new contracts', async () => {
    const before = await dumped(client);
    const { id } = await client.dev.snapshot();
    const sender = client.sender(devAccount(3));
    const { contract } = await sender.deploy({ code, idl, init: tokenOf(sender.signer.address) });
    await sender.transfer({ to: Buffer.from(STRANGER.slice(2), 'hex'), amount: 5n, wait: 'included' });
    await client.dev.setCode(token, {});
    await client.dev.setBalance(devAccount(4).address, 1n);
    const nonces = await client.account({ address: devAccount(3).address });
    const { last, changes } = await client.dev.revert(id);
    assert.ok(changes > 4);
    assert.ok(last.height > id);
    const settled = (entries: readonly DevAccount[]) => entries.filter((entry) => !isEmpty(entry));
    assert.deepEqual(settled(await dumped(client)), settled(before));
    assert.deepEqual((await client.account({ address: devAccount(3).address })).lanes, nonces.lanes);
    await assert.rejects(client.dev.revert(id), /there is no snapshot/);
    const again = await sender.deploy({ code, idl, init: tokenOf(sender.signer.address) });
    assert.equal(formatAddress(again.contract.address), formatAddress(contract.address));
  });

  test('give two snapshots of one block separate ids, so that reverting the inner one keeps the outer one', async () => {
    const { id: outer } = await client.dev.snapshot();
    const { id: inner } = await client.dev.snapshot();
    await client.dev.setBalance(STRANGER, 3n);
    await client.dev.revert(inner);
    await client.dev.revert(outer);
    await assert.rejects(client.dev.revert(inner), /there is no snapshot/);
  });

  test('refuse a 65th snapshot until a revert drops some', async () => {
    const { id } = await client.dev.snapshot();
    const takeMore = async () => {
      for (let more = 0; more < 64; more++) {
        await client.dev.mine();
        await client.dev.snapshot();
      }
    };
    await assert.rejects(takeMore(), { kind: 'limit_exceeded' });
    await client.dev.revert(id);
    await client.dev.snapshot();
  });

  test('write the state to a file and load it again', async () => {
    const file = join(directory, 'state.jsonl');
    const entries = (await dumped(client)).length;
    assert.equal((await dev('dump-state', file))['entries'], entries);
    const exists = await heddle([
      'dev',
      'dump-state',
      file,
      '--url',
      source.url,
      '--token-file',
      join(source.dataDir, 'admin.token'),
    ]);
    assert.match(exists.err, /it exists already: --force overwrites it/);
    await client.dev.setBalance(devAccount(5).address, 3n);
    await client.dev.setCode(token, {});
    // As if the file came from a chain that is a day ahead.
    const [first = '', ...lines] = readFileSync(file, 'utf8').split('\n');
    const time = BigInt(JSON.parse(first).timestamp_ms) + BigInt(DAY_MS);
    writeFileSync(file, [`{"timestamp_ms":${time}}`, ...lines].join('\n'));
    const loaded = await dev('load-state', file);
    assert.equal(loaded['entries'], entries);
    const { tip } = await client.status();
    assert.ok(tip.timestamp_ms >= time && tip.timestamp_ms < time + 600_000n, `${tip.timestamp_ms}, ${time}`);
    const { last } = await client.dev.loadState([], Number(time) - DAY_MS);
    assert.ok(last.timestamp_ms >= time, 'an earlier time is ignored');
    assert.ok((await client.dev.mine()).last.timestamp_ms < time + 600_000n);
    assert.equal(await balanceOf(devAccount(1).address), 200);
    assert.equal((await client.account({ address: devAccount(5).address })).balance, 10n ** 24n);
  });

  test('make blocks that a follower accepts', async () => {
    const { tip } = await client.status();
    const following = connect(follower.url);
    const same = await until(
      () =>
        following
          .get_block_summaries({ from_height: tip.height, to_height: tip.height })
          .catch(() => undefined),
      (answer) => answer?.blocks[0] !== undefined,
    );
    assert.equal(toHex(same?.blocks[0]?.state_root ?? new Uint8Array(0)), toHex(tip.state_root));
    // The last block has told it how far the chain's clock leads.
    await countsAgesByTheChain(following, Number(tip.timestamp_ms));
    const refused = admin(follower).dev.mine();
    await assert.rejects(refused, /development controls exist only on development chains/);
  });

  test('keep clock, snapshots and chain across a restart', async () => {
    const { id } = await client.dev.snapshot();
    const { timestamp_ms: time } = (await client.status()).tip;
    await client.dev.setBalance(STRANGER, 1n);
    await source.stop();
    source = await NodeProcess.start({ dataDir: join(directory, 'source'), flags: SOURCE_FLAGS });
    client = admin(source);
    const { last } = await client.dev.mine();
    assert.ok(last.timestamp_ms >= time && last.timestamp_ms < time + 600_000n);
    await client.dev.revert(id);
    assert.notEqual((await client.account({ address: Buffer.from(STRANGER.slice(2), 'hex') })).balance, 1n);
  });

  test('make blocks that heddle verify accepts', async () => {
    await source.stop();
    const verified = await heddle(['verify', '--data-dir', source.dataDir]);
    assert.equal(verified.code, 0, verified.err);
  });

  function tokenOf(owner: Uint8Array) {
    return { name: 'Other', symbol: 'OTH', decimals: 0, supply: 7n, owner, minter: owner };
  }
});

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => value * 256n + BigInt(byte), 0n);
}

/** An account that only used nonces stays in the state. */
function isEmpty(entry: DevAccount): boolean {
  return entry.contract === undefined && entry.balance === 0n && entry.slots === undefined;
}
