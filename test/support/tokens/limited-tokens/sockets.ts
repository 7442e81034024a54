import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcClient } from '../../../outside/rpc.js';
import { counting } from '../../contracts/compute-calls.js';
import { type RpcAnswer, SocketWire } from '../../http/socket-wire.js';
import { issueToken } from '../issue-token.js';
import type { LimitedTokenWorld } from './world.js';

const M = 1_000_000;
/** A call of this token may use 10 M gas, and the token 20 M at once; what it gets back meanwhile is negligible. */
const SCARCE = ['--gas', '1000'];
const BURNING = 1_000_000_000;
/** Takes far longer than any limit of time here. */
const ENDLESS = 40_000_000_000;
/** Maximum time that a call waits for others of its token. */
const WAIT_MS = 10_000;
const DEADLINE_MS = 60_000;

/** Calls over WebSockets are settled by their use, and wait for each other. */
export function testLimitedSockets(world: () => LimitedTokenWorld): void {
  const wires: SocketWire[] = [];
  after(() => {
    for (const wire of wires) wire.close();
  });

  const issue = async (...flags: readonly string[]) => (await issueToken(world().dataDir, ...flags)).token;

  async function open(token: string): Promise<SocketWire> {
    const headers = { authorization: `Bearer ${token}` };
    const wire = await SocketWire.open(Number(new URL(world().url).port), { headers });
    assert.equal(wire.status, 101, wire.body);
    wires.push(wire);
    return wire;
  }

  const view = (id: number, iterations: number, gas?: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'view_call',
    params: {
      contract: world().contract,
      input: counting(iterations),
      ...(gas === undefined ? {} : { gas_limit: gas }),
    },
  });
  const kindOf = ({ error }: RpcAnswer) => error?.data.kind ?? 'served';

  async function ask(wire: SocketWire, iterations: number, gas?: number): Promise<string> {
    wire.send(view(1, iterations, gas));
    return kindOf((await wire.json(DEADLINE_MS)) as RpcAnswer);
  }

  /** The kinds of the answers to as many messages, by id. */
  async function answers(wire: SocketWire, count: number): Promise<string[]> {
    const kinds: string[] = [];
    for (let n = 0; n < count; n++) {
      const answer = (await wire.json(DEADLINE_MS)) as RpcAnswer;
      kinds[Number(answer.id)] = kindOf(answer);
    }
    return kinds;
  }

  test('are settled by their use, which counts for all connections of the token', async () => {
    const token = await issue(...SCARCE);
    const [one, other] = [await open(token), await open(token)];
    for (let n = 0; n < 50; n++) assert.equal(await ask(one, 10, 10 * M), 'served');
    assert.equal(await ask(one, BURNING, 9 * M), 'served');
    assert.equal(await ask(other, BURNING, 6 * M), 'served');
    for (const wire of [one, other]) assert.equal(await ask(wire, 10, 9 * M), 'rate_limited');
    const rpc = new RpcClient(world().url, token);
    const { status } = await rpc.post(JSON.stringify(view(1, 10, 9 * M)));
    assert.equal(status, 429, 'over HTTP too');
    rpc.close();
    assert.equal(await ask(one, 10, M / 2), 'served');
  });

  test('wait for each other instead of being refused', async () => {
    const token = await issue(...SCARCE);
    const [one, other] = [await open(token), await open(token)];
    // Two fit beside each other by their limits, all of them by their use.
    for (let id = 0; id < 8; id++) {
      one.send(view(id, 30_000, 9 * M));
      other.send(view(id, 30_000, 9 * M));
    }
    const kinds = await Promise.all([answers(one, 8), answers(other, 8)]);
    assert.deepEqual(
      kinds.flat(),
      Array.from({ length: 16 }, () => 'served'),
    );
    // They used less than 10 M.
    assert.equal(await ask(one, BURNING, 9 * M), 'served');
    assert.equal(await ask(one, 10, 9 * M), 'rate_limited');
  });

  test('wait for each other in a batch, and share what the token grants', async () => {
    const wire = await open(await issue(...SCARCE));
    const batch = async (iterations: number, gas: number): Promise<string[]> => {
      wire.send(Array.from({ length: 20 }, (_, id) => view(id, iterations, gas)));
      const entries = (await wire.json(DEADLINE_MS)) as RpcAnswer[];
      assert.deepEqual(
        entries.map(({ id }) => id),
        Array.from({ length: 20 }, (_, id) => id),
      );
      return entries.map(kindOf);
    };
    assert.deepEqual(new Set(await batch(10_000, 10 * M)), new Set(['served']));
    const burnt = await batch(BURNING, 9 * M);
    const served = burnt.filter((kind) => kind === 'served').length;
    assert.ok(served >= 1 && served <= 2, burnt.join(' '));
    assert.equal(burnt.filter((kind) => kind === 'rate_limited').length, 20 - served, burnt.join(' '));
  });

  test('give back their reservations when their connection closes', async () => {
    const token = await issue('--time', '250');
    const staying = await open(token);
    for (let round = 0; round < 2; round++) {
      const [lone, batch] = [await open(token), await open(token)];
      lone.send(view(1, ENDLESS));
      batch.send([view(1, ENDLESS), view(2, ENDLESS), view(3, ENDLESS)]);
      await sleep(100);
      lone.close();
      batch.close();
      const begun = performance.now();
      // It waits for the two that ran. The calls that waited before it are gone and reserve nothing.
      while ((await ask(staying, 10)) !== 'served') {
        assert.ok(performance.now() - begun < DEADLINE_MS, 'there is no room for the next call');
        await sleep(100);
      }
    }
    // Calls of other threads may be counted only now. A bucket for two seconds of the token's time empties meanwhile.
    await sleep(2_500);
    // Two calls use more than the token grants, so those that waited for them are refused at once. Behind a
    // reservation that nobody gave back they would wait, and be served in the end.
    const begun = performance.now();
    for (let id = 0; id < 4; id++) staying.send(view(id, ENDLESS));
    const kinds = await answers(staying, 4);
    assert.ok(kinds.includes('timeout') && kinds.includes('rate_limited'), kinds.join(' '));
    assert.ok(performance.now() - begun < WAIT_MS, 'the refusals came late');
  });
}
