import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcClient } from '../../../outside/rpc.js';
import { eventually } from '../../eventually.js';
import { heddle } from '../../nodes/command-line.js';
import { type NodeProcess, removeDirectory, temporaryDirectory } from '../../nodes/node-process.js';
import { callAccount, PRICE, refusedToAll } from '../fleet.js';
import { allLosses, type FleetWorld } from './world.js';

/** Pause of a client that was refused. */
const REFUSED_MS = 10;

async function metric(node: NodeProcess, name: string): Promise<number | undefined> {
  const page = await (await fetch(`${node.url}/metrics`)).text();
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(page)?.[1];
  return value === undefined ? undefined : Number(value);
}

/**
 * Rates and revocations on three nodes, one of which goes on alone while Redis is away.
 * @param rateMs duration of the load that shows the shared rate
 */
export function testSharedLimits(world: () => FleetWorld, rateMs: number): void {
  const clients: RpcClient[] = [];
  after(() => {
    for (const client of clients) client.close();
  });

  const clientOf = (node: NodeProcess | undefined, token: string): RpcClient => {
    const client = new RpcClient(node?.url ?? '', token);
    clients.push(client);
    return client;
  };
  const issue = async (...flags: readonly string[]) =>
    world().fleet.token(world().denying[0]?.dataDir ?? '', 'issue', '--tier', 'paid', ...flags);

  test('hold a rate together', async () => {
    const { token } = await issue('--rate', '400');
    const lostBefore = allLosses(world());
    const begin = performance.now();
    let served = 0;
    let refused = 0;
    let away = 0;
    await Promise.all(
      Array.from({ length: 24 }, async (_, at) => {
        const rpc = clientOf(world().nodes[at % 3], token);
        while (performance.now() - begin < rateMs) {
          const status = await callAccount(rpc);
          if (status === 200) served++;
          else if (status === 503) away++;
          else refused++;
          assert.ok([200, 429, 503].includes(status), `${status}`);
          if (status !== 200) await sleep(REFUSED_MS);
        }
      }),
    );
    const seconds = (performance.now() - begin) / 1_000;
    const units = served * PRICE;
    assert.ok(units <= 400 * seconds + 400, `${units} units in ${seconds} s`);
    // Three nodes with a rate each would let through three times as much.
    assert.ok(units >= 400, `${units} units in ${seconds} s`);
    assert.ok(refused > 0);
    if (away > 0) {
      await eventually('a node says that it has lost Redis', async () => allLosses(world()) > lostBefore);
    }
  });

  test('tell a caller the state of its shared rate', async () => {
    const { token } = await issue('--rate', '100');
    const { status, headers } = await clientOf(world().denying[0], token).post(
      '{"jsonrpc":"2.0","id":1,"method":"health"}',
    );
    assert.equal(status, 200);
    assert.equal(headers['ratelimit-limit'], '100');
    assert.ok(Number(headers['ratelimit-remaining']) <= 100);
  });

  test('say whether the store is up', async () => {
    const { local } = world();
    await eventually('the store is up', async () => (await metric(local, 'heddle_quota_store_up')) === 1);
    assert.equal(await metric(local, 'heddle_quota_store_refusals_total'), 0);
  });

  test('refuse or go on alone while Redis is away, and recover', async () => {
    const [prepaid, rated, free] = [
      await issue('--units', '100000'),
      await issue('--rate', '1000'),
      await issue(),
    ];
    const { local } = world();
    const [first] = world().denying;
    assert.ok(first !== undefined);
    const statusOf = (node: NodeProcess, { token }: { token: string }) => callAccount(clientOf(node, token));
    for (const node of [first, local]) {
      for (const token of [prepaid, rated, free]) {
        await eventually('the token is served', async () => (await statusOf(node, token)) === 200);
      }
    }
    await world().server.stop('SIGKILL');
    for (const node of [first, local]) {
      await eventually('the loss shows', async () => (await metric(node, 'heddle_quota_store_up')) === 0);
    }
    // Units on hand are spent first.
    const spendOnHand = async (node: NodeProcess, token: { token: string }): Promise<number> => {
      const rpc = clientOf(node, token.token);
      for (let served = 0; ; served++) {
        const status = await callAccount(rpc);
        if (status === 200) continue;
        assert.equal(status, 503);
        return served;
      }
    };
    assert.ok((await spendOnHand(first, prepaid)) * PRICE < 1_000);
    assert.ok((await spendOnHand(local, prepaid)) * PRICE < 1_000);
    assert.ok((await spendOnHand(first, rated)) * PRICE < 1_000);
    assert.equal(await statusOf(local, rated), 200, 'its rate holds for the node alone');
    assert.equal(await statusOf(first, free), 200, 'a token without limits needs no store');
    assert.ok(((await metric(first, 'heddle_quota_store_refusals_total')) ?? 0) >= 2);
    const { body, headers } = await clientOf(first, prepaid.token).post(
      '{"jsonrpc":"2.0","id":1,"method":"account","params":{"address":"0x0000000000000000000000000000000000000000"}}',
    );
    const { error } = JSON.parse(body.toString()) as { error: { code: number; data: object } };
    assert.equal(error.code, -32013);
    assert.deepEqual(error.data, {
      kind: 'not_ready',
      retryable: true,
      reasons: ['the quota store does not answer'],
    });
    assert.equal(headers['retry-after'], '1');
    // A token that a node has not seen may have been revoked.
    const unseen = {
      token: world().fleet.sign({ sub: 'x', tier: 'paid', exp: 4_000_000_000, jti: 'unseen' }),
    };
    assert.equal(await statusOf(first, unseen), 503);
    assert.equal(await statusOf(local, unseen), 200);

    await world().server.start();
    for (const node of [first, local]) {
      for (const token of [prepaid, rated, unseen]) {
        await eventually('calls are served again', async () => (await statusOf(node, token)) === 200);
      }
    }
  });

  test('learn of a revocation that happened while they were cut off', async () => {
    const { id, token } = await issue();
    const rpcs = world().nodes.map((node) => clientOf(node, token));
    const statuses = async () => [...new Set(await Promise.all(rpcs.map(callAccount)))].join();
    // A node may still be on its way back from the loss before.
    await eventually('all nodes serve it', async () => (await statuses()) === '200');
    await world().server.stop('SIGTERM');
    await world().server.start();
    // Perhaps no node has subscribed again yet.
    const elsewhere = temporaryDirectory();
    await world().fleet.token(elsewhere, 'revoke', id);
    removeDirectory(elsewhere);
    await refusedToAll(rpcs);
  });

  test('start while Redis is away, say so, and serve tokens once it is there', async () => {
    const { token } = await issue('--units', '1000');
    await world().server.stop('SIGTERM');
    const late = await world().fleet.add();
    assert.match(late.log, /--quota-store redis:\S+ does not answer \(connect ECONNREFUSED/);
    const rpc = clientOf(late, token);
    assert.equal(await callAccount(rpc), 503);
    const { code, err } = await heddle(['token', 'list', '--data-dir', late.dataDir]);
    assert.equal(code, 1);
    assert.match(err, /--quota-store redis:\S+ does not answer/);
    await world().server.start();
    await eventually('the token is served', async () => (await callAccount(rpc)) === 200);
  });
}
