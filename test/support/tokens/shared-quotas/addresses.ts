import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcClient } from '../../../outside/rpc.js';
import { eventually } from '../../eventually.js';
import { PRICE } from '../fleet.js';
import type { RedisServer } from '../redis-server.js';
import { type FleetWorld, losses } from './world.js';

const ZERO = `0x${'00'.repeat(20)}`;
const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'account', params: { address: ZERO } });
const RATE = 100;
const BURST_SECONDS = 2;
const BURST = RATE * BURST_SECONDS;
/** The balancer of these nodes. */
const BEHIND = ['--trusted-proxies', '127.0.0.1'];
/** Flags of nodes that limit addresses. */
export const LIMITED = [...['--public-rate', String(RATE), '--rate-burst', String(BURST_SECONDS)], ...BEHIND];
/** Pause of a client that was refused. */
const REFUSED_MS = 5;

interface AddressLoads {
  /** Duration of a load while the nodes count together; at least 5,000, so that one rate differs from three. */
  readonly loadMs: number;
  /** Duration of the load while Redis is away. */
  readonly awayMs: number;
}

/** Number of scripts that a server has run. */
export async function scripts(server: RedisServer): Promise<number> {
  const page = await server.command('INFO commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(page)?.[1] ?? 0);
}

/** An address that calls three nodes with the flags {@link LIMITED}, without a token. */
export function testAddresses(world: () => FleetWorld, { loadMs, awayMs }: AddressLoads): void {
  const clients: RpcClient[] = [];
  const rpcs = (): readonly RpcClient[] => clients;
  before(() => {
    clients.push(...world().nodes.map(({ url }) => new RpcClient(url)));
  });
  after(() => {
    for (const rpc of clients) rpc.close();
  });

  /** Calls all nodes far more often than any serves, as the client of an address. @returns the units served by each */
  const load = async (address: string, ms: number): Promise<readonly number[]> => {
    const end = performance.now() + ms;
    return Promise.all(
      rpcs().map(async (rpc) => {
        let served = 0;
        while (performance.now() < end) {
          const { status } = await rpc.post(CALL, { 'x-forwarded-for': address });
          assert.ok(status === 200 || status === 429, `${status}`);
          if (status === 200) served += PRICE;
          else await sleep(REFUSED_MS);
        }
        return served;
      }),
    );
  };
  const sum = (units: readonly number[]): number => units.reduce((total, each) => total + each, 0);
  const statusOf = async (rpc: RpcClient | undefined, address: string): Promise<number> =>
    (await rpc?.post(CALL, { 'x-forwarded-for': address }))?.status ?? 0;
  const logs = (): string =>
    world()
      .nodes.map(({ log }) => log)
      .join('');

  test('gets one rate, not one from each', async () => {
    const earlier = await scripts(world().server);
    const begin = performance.now();
    const served = await load('192.0.2.1', loadMs);
    const seconds = (performance.now() - begin) / 1_000;
    // Each node may serve a burst before it learns of the others; with a rate each, they would serve three rates.
    const bound = RATE * seconds + 3 * BURST + 3 * (BURST / 32 + RATE);
    assert.ok(bound < 3 * RATE * seconds, 'the bound tells one rate from three');
    assert.ok(sum(served) <= bound, `${served} units in ${seconds} s, at most ${bound}`);
    assert.ok(sum(served) >= RATE * (seconds - 3), `${served} units in ${seconds} s`);
    // Each of the four threads reports at most four times a second.
    const sent = (await scripts(world().server)) - earlier;
    assert.ok(sent > 0 && sent <= 4 * 4 * (seconds + 1), `${sent} reports in ${seconds} s`);
  });

  test('has its own rate beside others', async () => {
    for (const rpc of rpcs()) assert.equal(await statusOf(rpc, '192.0.2.2'), 200);
    assert.equal(await statusOf(rpcs()[0], '2001:db8:0:1::9'), 200);
  });

  test('finds its use of one node counted by another where it has hardly called', async () => {
    const [first, second] = rpcs();
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
    const lostByNode = () => world().nodes.map(losses);
    const backByNode = () => world().nodes.map(({ log }) => log.match(/ is back/g)?.length ?? 0);
    const areMore = (now: readonly number[], before: readonly number[]): boolean =>
      now.every((count, at) => count > (before[at] ?? 0));
    const [lost, back] = [lostByNode(), backByNode()];
    await world().server.stop('SIGKILL');
    await eventually('all nodes notice', async () => areMore(lostByNode(), lost));
    const noticed = lostByNode();
    const begin = performance.now();
    const served = await load('192.0.2.3', awayMs);
    const seconds = (performance.now() - begin) / 1_000;
    for (const units of served) {
      assert.ok(units >= BURST, `${units} units: a node's own burst`);
      assert.ok(units <= RATE * seconds + BURST, `${units} units in ${seconds} s`);
    }
    assert.doesNotMatch(logs(), /"level":"?(50|error)/i, 'nothing but the notice');
    assert.deepEqual(lostByNode(), noticed);

    await world().server.start();
    await eventually('all nodes are back', async () => areMore(backByNode(), back));
    const again = performance.now();
    const shared = sum(await load('192.0.2.4', loadMs));
    const later = (performance.now() - again) / 1_000;
    assert.ok(shared <= RATE * later + 3 * BURST + 3 * (BURST / 32 + RATE), `${shared} units in ${later} s`);
  });
}
