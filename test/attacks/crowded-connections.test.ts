// The connection limit reserves file descriptors for the node itself, and one client cannot take all connections.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcClient } from '../outside/rpc.js';
import { devWallet, signTransaction, transfer } from '../outside/wallet.js';
import { rawConnection } from '../support/http/raw-http.js';
import { NodeProcess } from '../support/nodes/node-process.js';
import { metricOf } from '../support/operations/metric-of.js';
import { perTier } from '../support/sweep.js';

const OPEN_FILES = 512;
/** Number of connections that a limit of 512 descriptors allows. */
const MOST = 256;
const FLOOD = 500;
const ADDRESSES = 200;
const HEAD = 'POST /v2/rpc HTTP/1.1\r\nHost: localhost\r\n';

const ONE: Readonly<Record<string, readonly string[]>> = { 'one front thread': ['--front-threads', '1'] };
const KINDS = perTier(ONE, {
  ...ONE,
  'two front threads': ['--front-threads', '2'],
  'no front thread': ['--front-threads', '0'],
  '--native off': ['--native', 'off'],
});

/** Makes a call on a new connection. */
async function fresh(url: string, method: string, params?: object): Promise<unknown> {
  const rpc = new RpcClient(url);
  try {
    return await rpc.call(method, params);
  } finally {
    rpc.close();
  }
}

for (const [kind, flags] of Object.entries(KINDS)) {
  describe(`crowded connections, ${kind}`, () => {
    let node: NodeProcess;
    let rpc: RpcClient;
    const sockets: Socket[] = [];
    before(async () => {
      node = await NodeProcess.start({
        flags: ['--block-time', '50', '--max-connections', '100000', ...flags],
        openFiles: OPEN_FILES,
      });
      rpc = new RpcClient(node.url);
    });
    after(async () => {
      for (const socket of sockets) socket.destroy();
      rpc?.close();
      await node?.dispose();
    });

    const open = () => metricOf(rpc, 'heddle_http_connections');
    const refused = () => metricOf(rpc, 'heddle_http_connections_refused_total');
    const descriptors = () => readdirSync(`/proc/${node.pid}/fd`).length;

    /** Opens connections that each send a partial head. @returns the number still open after a while */
    async function flood(addressOf: (place: number) => string): Promise<number> {
      let ended = 0;
      for (let place = 0; place < FLOOD; place++) {
        const socket = await rawConnection(node.url, addressOf(place));
        sockets.push(socket);
        socket.once('close', () => ended++);
        socket.resume();
        socket.write(HEAD);
      }
      const deadline = Date.now() + 5_000;
      // The querying connection comes on top of those of the flood.
      while (FLOOD - ended > (await open()) - 1) {
        assert.ok(Date.now() < deadline, `${FLOOD - ended} of ${await open()} are open`);
        await sleep(20);
      }
      return FLOOD - ended;
    }

    async function hangUp(): Promise<void> {
      for (const socket of sockets.splice(0)) socket.destroy();
      const deadline = Date.now() + 5_000;
      while ((await open()) > 4) {
        assert.ok(Date.now() < deadline, `${await open()} connections are open`);
        await sleep(50);
      }
    }

    async function assertServed(): Promise<void> {
      for (const method of ['status', 'list_blocks', 'txpool_stats', 'health']) {
        for (let call = 0; call < 5; call++) {
          await fresh(node.url, method);
          await sleep(10);
        }
      }
      const { chain_id: chainId } = (await fresh(node.url, 'status')) as { readonly chain_id: number };
      const [wallet, { address }] = [devWallet(0), devWallet(1)];
      const account = { address: `0x${Buffer.from(wallet.address).toString('hex')}` };
      const { lanes } = (await fresh(node.url, 'account', account)) as {
        readonly lanes: readonly { readonly next_nonce: number }[];
      };
      const { encoded } = signTransaction(wallet, {
        chainId: BigInt(chainId),
        nonce: BigInt(lanes[0]?.next_nonce ?? 0),
        action: transfer(address, 1n),
      });
      const sent = await fresh(node.url, 'tx_submit', { encoded, wait: { type: 'included' } });
      assert.match(JSON.stringify(sent), /"included"/);
    }

    test('are limited below the configured number when descriptors are short, as the log says', () => {
      assert.match(node.log, /--max-connections is lowered from 100000/);
    });

    test('of one client that never ends its heads leave room for others and descriptors for the node', async () => {
      const left = await flood(() => '127.0.0.2');
      // Two threads see each other's newest connections only with the next census.
      assert.ok(left > MOST / 4 && left <= (7 * MOST) / 8, `${left} of ${MOST} are open`);
      assert.ok((await refused()) >= FLOOD - left);
      assert.ok(descriptors() < OPEN_FILES - 100, `${descriptors()} descriptors`);
      await assertServed();
      // Head bytes keep their own connection alive and take nothing from others.
      for (const socket of sockets) if (!socket.destroyed) socket.write('X-A: b\r\n');
      await assertServed();
      await hangUp();
    });

    test('of many clients stay within the limit, and the node keeps running', async () => {
      const left = await flood((place) => `127.0.1.${1 + (place % ADDRESSES)}`);
      assert.ok(left <= MOST, `${left} are open`);
      assert.ok(descriptors() < OPEN_FILES - 100, `${descriptors()} descriptors`);
      // The querying connection is kept alive.
      await rpc.call('status');
      await hangUp();
      await assertServed();
    });
  });
}
