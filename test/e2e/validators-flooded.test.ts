// Four real validator nodes attacked over their mesh, by a user through gossip and by one of the validators.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { devAccount, signTransaction } from '../../src/client/client.js';
import { DEV_CHAIN_ID } from '../../src/ledger/dev-genesis.js';
import { FRAME_KINDS } from '../../src/network/frame-kinds.js';
import { eventually } from '../support/eventually.js';
import { rawFrame } from '../support/mesh-attacker.js';
import { MeshFlood } from '../support/mesh-flood.js';
import { ValidatorNet } from '../support/validator-net.js';

const HONEST = [0, 1, 2];
const FAULTY = 3;
const { number, codec } = FRAME_KINDS.transactions;

describe('four validators under attack over their mesh', { timeout: 300_000 }, () => {
  let net: ValidatorNet;

  before(async () => {
    net = await ValidatorNet.make({
      flags: ['--block-time', '100', '--idle-block-time', '200', '--max-pending-lanes', '256'],
    });
    await net.start();
    await eventually('all are connected', async () => {
      const counts = await Promise.all(net.all.map((index) => net.connected(index)));
      return counts.every((count) => count === 3);
    });
    await net.grow(2n);
  });

  after(() => net?.dispose());

  /** The sum of a metric over validators. */
  async function total(name: string, indices: readonly number[]): Promise<number> {
    let sum = 0;
    for (const index of indices) {
      const text = await (await fetch(new URL('/metrics', net.node(index).url))).text();
      for (const line of text.split('\n')) {
        // Both ends of each pair dial each other at first, so one connection is superseded.
        if (line.includes('"superseded"')) continue;
        if (line.startsWith(`${name}{`) || line.startsWith(`${name} `)) sum += Number(line.split(' ').at(-1));
      }
    }
    return sum;
  }

  async function transfer(lane: number, nonce: bigint): Promise<Uint8Array> {
    const { encoded } = await signTransaction(
      {
        ...{ chain_id: DEV_CHAIN_ID, sender: devAccount(0).address, lane, nonce, gas_limit: 100_000n },
        ...{ max_fee: 1_000n, priority_fee: 1n },
        action: { type: 'transfer', value: { to: devAccount(1).address, amount: 1n } },
      },
      devAccount(0),
    );
    return encoded;
  }

  async function linksStayUp(): Promise<void> {
    for (const index of net.all) assert.equal(await net.connected(index), 3);
    assert.equal(await total('heddle_mesh_faults_total', net.all), 0);
    assert.equal(await total('heddle_mesh_closed_total', net.all), 0);
  }

  test('a sender who uses the last lanes of an account at each validator causes no bans', async () => {
    const lanes = Array.from({ length: 255 }, (_, lane) => lane);
    const client = net.client(0);
    await Promise.all(lanes.map(async (lane) => client.tx_submit({ encoded: await transfer(lane, 0n) })));
    await eventually('its lanes are used', async () => {
      const { lanes: used } = await client.account({ address: devAccount(0).address });
      return used.length === 255;
    });
    await net.grow(2n);
    const gapped = await Promise.all(net.all.map((index) => transfer(1_000 + index, 1n)));
    const taken = await Promise.allSettled(
      gapped.map((encoded, index) => net.client(index).tx_submit({ encoded })),
    );
    // A validator refuses the transaction submitted to it if another one has already arrived by gossip.
    assert.ok(taken.filter(({ status }) => status === 'fulfilled').length >= 2);
    await sleep(500);
    assert.ok((await total('heddle_pool_rejections_total', net.all)) >= 2);
    await linksStayUp();
    await net.grow(5n);
  });

  test('an envelope with the farthest opening height gets no peer banned by a lagging validator', async () => {
    const lagging = 2;
    net.node(lagging).signal('SIGSTOP');
    try {
      await sleep(1_500);
      const { tip } = await net.client(0).status();
      const action = { type: 'transfer', value: { to: devAccount(1).address, amount: 1n } } as const;
      for (const ahead of [1_001n, 1_000n]) {
        // The tip advances meanwhile.
        const sealing = { signer: devAccount(4), opensAt: tip.height + ahead, lane: Number(ahead) };
        await net.client(0).seal(action, { ...sealing, nonce: 0n });
      }
      await sleep(100);
    } finally {
      net.node(lagging).signal('SIGCONT');
    }
    await net.grow(5n);
    await linksStayUp();
  });

  test('nine refused items in a frame count as one fault, and their sender reconnects within a second', async () => {
    await net.kill(FAULTY);
    const item = { type: 'transaction', value: Uint8Array.of(1, 2, 3) } as const;
    const payload = codec.encode({ items: Array.from({ length: 9 }, () => item) });
    const flood = await MeshFlood.begin(net, FAULTY, [0], { chunk: rawFrame(number, payload), times: 1 });
    await eventually('it is dropped twice', async () => (await total('heddle_mesh_faults_total', [0])) >= 2);
    const { connections } = await flood.end();
    const faults = await total('heddle_mesh_faults_total', [0]);
    assert.ok(faults <= connections, `${faults} faults on ${connections} connections`);
  });

  test('a flood of short frames does not overload their machine', async () => {
    const frame = rawFrame(number, codec.encode({ items: [] }));
    const chunk = Buffer.concat(Array.from({ length: 100_000 }, () => frame));
    let [hogged, flooded] = [0, 0];
    // Measurements alternate because other load on the machine varies.
    for (const what of [undefined, chunk, undefined, chunk]) {
      const flood = await MeshFlood.begin(net, FAULTY, HONEST, { chunk: what });
      await sleep(300);
      const from = await net.height(0);
      await sleep(3_500);
      const blocks = Number((await net.height(0)) - from);
      if (what === undefined) hogged += blocks;
      else flooded += blocks;
      await flood.end();
    }
    // Reading every frame would make the flooded rate fall to a seventh.
    assert.ok(flooded >= hogged / 3, `${flooded} blocks, and ${hogged} beside a thread that burns time`);
    assert.ok((await total('heddle_mesh_pauses_total', HONEST)) > 0);
    // On a slow machine the floods above may end before the limit is reached.
    const flood = await MeshFlood.begin(net, FAULTY, HONEST, { chunk });
    await eventually(
      'each has dropped it',
      async () => (await total('heddle_mesh_faults_total', [1, 2])) >= 2,
    ).finally(() => flood.end());
    for (const index of HONEST) assert.ok((await net.connected(index)) >= 2);
  });
});
