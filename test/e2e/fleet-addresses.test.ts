// The rate of an address over three nodes, without a token.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { REPORT_MS } from '../../src/rpc/access/address-reporter.js';
import { RpcClient } from '../outside/rpc.js';
import { eventually } from '../support/eventually.js';
import { callAccount, Fleet, PRICE } from '../support/fleet.js';
import type { NodeProcess } from '../support/node-process.js';
import { RedisServer, WITHOUT_REDIS } from '../support/redis-server.js';

const ZERO = `0x${'00'.repeat(20)}`;
const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'account', params: { address: ZERO } });
const RATE = 100;
const BURST_SECONDS = 2;
const BURST = RATE * BURST_SECONDS;
/** The balancer of these nodes. */
const BEHIND = ['--trusted-proxies', '127.0.0.1'];
const LIMITED = ['--public-rate', String(RATE), '--rate-burst', String(BURST_SECONDS), ...BEHIND];
const LOAD_MS = 10_000;

/** Number of scripts that a server has run. */
async function scripts(server: RedisServer): Promise<number> {
  const page = await server.command('INFO commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(page)?.[1] ?? 0);
}

describe('an address that calls all nodes of a fleet', { skip: WITHOUT_REDIS, timeout: 900_000 }, () => {
  let server: RedisServer;
  let fleet: Fleet;
  const rpcs: RpcClient[] = [];
  before(async () => {
    server = await RedisServer.start();
    fleet = new Fleet(server.url);
    // One with its server on the main thread, one with a thread, one with several.
    for (const threads of ['0', '1', '2']) {
      const node = await fleet.add(...LIMITED, '--front-threads', threads);
      rpcs.push(new RpcClient(node.url));
    }
  });
  after(async () => {
    for (const rpc of rpcs) rpc.close();
    await fleet.dispose();
    await server.dispose();
  });

  /** Calls all nodes without a pause, as the client of an address. Resolves with the units served by each. */
  const load = async (address: string, ms: number): Promise<readonly number[]> => {
    const end = performance.now() + ms;
    return Promise.all(
      rpcs.map(async (rpc) => {
        let served = 0;
        while (performance.now() < end) {
          const { status } = await rpc.post(CALL, { 'x-forwarded-for': address });
          assert.ok(status === 200 || status === 429, `${status}`);
          if (status === 200) served += PRICE;
        }
        return served;
      }),
    );
  };
  const sum = (units: readonly number[]): number => units.reduce((total, each) => total + each, 0);
  const statusOf = async (rpc: RpcClient | undefined, address: string): Promise<number> =>
    (await rpc?.post(CALL, { 'x-forwarded-for': address }))?.status ?? 0;
  const logs = (): string => fleet.nodes.map(({ log }: NodeProcess) => log).join('');

  test('gets one rate, not one from each', async () => {
    const begin = performance.now();
    const served = await load('192.0.2.1', LOAD_MS);
    const seconds = (performance.now() - begin) / 1_000;
    // Each node may serve a burst before it learns of the others; with a rate each, they would serve three rates.
    const bound = RATE * seconds + 3 * BURST + 3 * (BURST / 32 + RATE);
    assert.ok(bound < 3 * RATE * seconds, 'the bound tells one rate from three');
    assert.ok(sum(served) <= bound, `${served} units in ${seconds} s, at most ${bound}`);
    assert.ok(sum(served) >= RATE * (seconds - 3), `${served} units in ${seconds} s`);
    // Each of the four threads reports at most four times a second.
    const sent = await scripts(server);
    assert.ok(sent > 0 && sent <= 4 * 4 * (seconds + 1), `${sent} reports in ${seconds} s`);
  });

  test('has its own rate beside others', async () => {
    for (const rpc of rpcs) assert.equal(await statusOf(rpc, '192.0.2.2'), 200);
    assert.equal(await statusOf(rpcs[0], '2001:db8:0:1::9'), 200);
  });

  test('finds its use of one node counted by another where it has hardly called', async () => {
    const [first, second] = rpcs;
    let served = 0;
    let calls = 0;
    await eventually('the other node learns of it', async () => {
      // All addresses of a /64 network are one client. Calls on, so that the level does not leak meanwhile.
      while ((await statusOf(first, `2001:db8:0:2::${(calls++ % 200) + 1}`)) === 200);
      const answer = await second?.post(CALL, { 'x-forwarded-for': '2001:db8:0:2::1' });
      if (answer?.status === 200) served += PRICE;
      return Number(answer?.headers['ratelimit-remaining']) < BURST / 2;
    });
    assert.ok(served < BURST / 2, `${served} units`);
  });

  test('has the rate of each node while Redis is away, and one rate once it is back', async () => {
    await server.stop('SIGKILL');
    await eventually('all nodes notice', async () => logs().match(/is lost/g)?.length === 3);
    const begin = performance.now();
    const served = await load('192.0.2.3', 4_000);
    const seconds = (performance.now() - begin) / 1_000;
    for (const units of served) {
      assert.ok(units >= BURST, `${units} units: a node's own burst`);
      assert.ok(units <= RATE * seconds + BURST, `${units} units in ${seconds} s`);
    }
    assert.doesNotMatch(logs(), /"level":"?(50|error)/i, 'nothing but the notice');
    assert.equal(logs().match(/is lost/g)?.length, 3);

    await server.start();
    await eventually('all nodes are back', async () => logs().match(/is back/g)?.length === 3);
    const again = performance.now();
    const shared = sum(await load('192.0.2.4', LOAD_MS));
    const later = (performance.now() - again) / 1_000;
    assert.ok(shared <= RATE * later + 3 * BURST + 3 * (BURST / 32 + RATE), `${shared} units in ${later} s`);
  });
});

describe('an address on nodes without a rate', { skip: WITHOUT_REDIS, timeout: 300_000 }, () => {
  test('costs Redis nothing', async () => {
    const server = await RedisServer.start();
    const fleet = new Fleet(server.url);
    try {
      const rpc = new RpcClient((await fleet.add('--paid-access', 'open')).url);
      for (let call = 0; call < 200; call++) assert.equal(await callAccount(rpc), 200);
      await sleep(4 * REPORT_MS);
      rpc.close();
      assert.equal(await scripts(server), 0);
    } finally {
      await fleet.dispose();
      await server.dispose();
    }
  });
});
