// Many addresses against nodes that share the rates of addresses.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcClient } from '../outside/rpc.js';
import { eventually } from '../support/eventually.js';
import { floodTime } from '../support/floods/flood-time.js';
import type { NodeProcess } from '../support/nodes/node-process.js';
import { processMemory } from '../support/nodes/process-memory.js';
import { perTier } from '../support/sweep.js';
import { Fleet, PRICE } from '../support/tokens/fleet.js';
import { RedisServer, WITHOUT_REDIS } from '../support/tokens/redis-server.js';

const RATE = 5;
/** The burst covers the most expensive call. */
const BURST = 50;
const FLAGS = ['--public-rate', String(RATE), '--rate-burst', '1', '--trusted-proxies', '127.0.0.1'];
const CALL = `{"jsonrpc":"2.0","id":1,"method":"account","params":{"address":"0x${'00'.repeat(20)}"}}`;
const FLOOD_MS = perTier(1_500, 12_000);
const LEAST = perTier({ calls: 50, served: 0 }, { calls: 1_000, served: 5 });
const CONNECTIONS = 24;

describe('nodes that share the rates of addresses', { skip: WITHOUT_REDIS, timeout: 600_000 }, () => {
  let server: RedisServer;
  let fleet: Fleet;
  const rpcs: RpcClient[] = [];
  before(async () => {
    server = await RedisServer.start();
    fleet = new Fleet(server.url);
    for (let at = 0; at < 2; at++) rpcs.push(new RpcClient((await fleet.add(...FLAGS)).url));
  });
  after(async () => {
    for (const rpc of rpcs) rpc.close();
    await fleet.dispose();
    await server.dispose();
  });
  const keys = async (): Promise<number> =>
    Number((await server.command(`EVAL "return #redis.call('KEYS','heddle:address:*')" 0`)).slice(1));

  /** Calls from as many addresses as possible until the time is over, as one who owns a network. */
  const flood = async (addressOf: (call: number) => string, isOver: () => boolean): Promise<number> => {
    let calls = 0;
    const attacker = async (index: number): Promise<void> => {
      while (!isOver()) {
        const address = addressOf(calls++);
        await rpcs[index % rpcs.length]?.post(CALL, { 'x-forwarded-for': address });
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => attacker(index)));
    return calls;
  };

  /** Calls at a bit less than the rate, over all nodes in turn; no call may be refused. */
  const honest = async (address: string, isOver: () => boolean): Promise<number> => {
    let served = 0;
    for (let call = 0; !isOver(); call++) {
      const answer = await rpcs[call % rpcs.length]?.post(CALL, { 'x-forwarded-for': address });
      assert.equal(answer?.status, 200, `call ${call}: ${answer?.body}`);
      served++;
      await sleep((1_000 * PRICE) / RATE + 50);
    }
    return served;
  };

  test('serve an honest client during a flood from many addresses, and share its rate', async () => {
    let most = 0;
    const watching = new AbortController();
    const watch = (async () => {
      while (!watching.signal.aborted) {
        most = Math.max(most, await keys());
        await sleep(100);
      }
    })();
    const isOver = floodTime(FLOOD_MS, () => most > 0);
    const [calls, served] = await Promise.all([
      // Twelve calls each, beyond the burst of a call or two.
      flood((call) => `10.${(call / 12) >> 16}.${((call / 12) >> 8) & 255}.${(call / 12) & 255}`, isOver),
      honest('192.0.2.1', isOver),
    ]);
    watching.abort();
    await watch;
    assert.ok(calls > LEAST.calls && served > LEAST.served, `${calls} calls, ${served} served`);
    assert.ok(most > 0, 'the flood is shared');
    // A key lives as long as its units take to leak.
    const bound = (calls * PRICE) / RATE;
    assert.ok(most <= bound, `${most} keys after ${calls} calls`);
    await eventually('Redis forgets the flood', async () => (await keys()) === 0);
    for (const { pid } of fleet.nodes) assert.ok(processMemory(pid).peakMiB < 900, 'memory stays bounded');
    assert.doesNotMatch(fleet.nodes.map(({ log }: NodeProcess) => log).join(''), /"level":"?(50|error)/i);
  });

  test('learn of a heavily used address even during a flood from many others', async () => {
    const heavy = '198.51.100.1';
    let served = 0;
    const isOver = floodTime(FLOOD_MS, () => served >= BURST);
    const begin = performance.now();
    const attacker = async (): Promise<void> => {
      while (!isOver()) {
        const answers = await Promise.all(rpcs.map((rpc) => rpc.post(CALL, { 'x-forwarded-for': heavy })));
        served += PRICE * answers.filter(({ status }) => status === 200).length;
        await sleep(20);
      }
    };
    const attacking = attacker();
    await flood((call) => `172.16.${(call >> 8) & 255}.${call & 255}`, isOver);
    await attacking;
    const seconds = (performance.now() - begin) / 1_000;
    assert.ok(
      served <= RATE * seconds + 2 * BURST + 2 * (BURST / 32 + RATE),
      `${served} units in ${seconds} s`,
    );
    assert.ok(served >= BURST);
  });

  test('keep apart addresses that look like keys or commands', async () => {
    for (const address of [
      ...[
        '*',
        'x y',
        'paid:192.0.2.1',
        "') redis.call('FLUSHALL') --",
        '192.0.2.300',
        '::ffff:192.0.2.1%eth0',
      ],
      ...['__proto__', '1'.repeat(500)],
    ]) {
      // Not an address: the proxy's own counts.
      const answer = await rpcs[0]?.post(CALL, { 'x-forwarded-for': address });
      assert.ok(answer?.status === 200 || answer?.status === 429, `${answer?.status}`);
    }
    const spend = async (rpc: RpcClient | undefined, address: string): Promise<void> => {
      while ((await rpc?.post(CALL, { 'x-forwarded-for': address }))?.status === 200);
    };
    await spend(rpcs[0], 'fe80::1%a b:c');
    await spend(rpcs[0], '2001:DB8:0:9::1');
    await eventually('the network has one key', async () => {
      await spend(rpcs[0], '2001:db8:0:9:ffff::2');
      return (await server.command('EXISTS heddle:address:public:2001:db8:0:9')) === ':1\r\n';
    });
    const listed = await server.command(
      `EVAL "return table.concat(redis.call('KEYS','heddle:address:*'),' ')" 0`,
    );
    const names = listed.split('\r\n')[1]?.split(' ') ?? [];
    assert.ok(names.length > 0);
    for (const name of names) assert.match(name, /^heddle:address:public:[0-9a-f.:]{1,39}$/);
  });
});
