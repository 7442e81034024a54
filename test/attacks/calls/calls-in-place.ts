// One address keeps the queue of calls in place full of calls just below their gas limit; others are served in turn.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { deployCompute } from '../../support/contracts/compute-calls.js';
import { LoopbackConnection } from '../../support/floods/loopback-connection.js';
import { text } from '../../support/hex.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import { metricOf } from '../../support/operations/metric-of.js';
import { contractAbi } from '../../support/worlds/contract-world.js';

const ATTACKER = '127.0.0.2';
const CONNECTIONS = 24;
const BATCH = 20;
const HONEST_CALLS = 30;
/** Maximum number of the attacker's calls that the node answers between two answers to another client. */
const MOST_BEFORE_OTHERS = 150;
/** A little less than 400,000 gas. */
const HASHES = 740;

const compute = contractAbi('compute');

export function callsInPlace(attacked: AttackedNode): void {
  let contract: string;
  before(async () => {
    contract = await deployCompute(attacked.node.url);
  });
  const hashing = (): object => {
    const input = text(compute.function('sha256_chain').encodeCall([`0x${'07'.repeat(32)}`, HASHES]));
    return { jsonrpc: '2.0', id: 1, method: 'view_call', params: { contract, input } };
  };
  const inPlace = () => metricOf(attacked.rpc, 'heddle_rpc_calls_in_place_total');

  test('do not let one client delay the others', async () => {
    const connections = Array.from(
      { length: CONNECTIONS },
      () => new LoopbackConnection(attacked.node.url, ATTACKER),
    );
    let isOver = false;
    let served = 0;
    const body = JSON.stringify(Array.from({ length: BATCH }, hashing));
    const flood = Promise.all(
      connections.map(async (connection) => {
        while (!isOver) {
          const { body: answers } = await connection.post(body);
          for (const { result } of JSON.parse(answers.toString()) as readonly { result?: unknown }[]) {
            if (result !== undefined) served++;
          }
        }
      }),
    );
    try {
      while ((await inPlace()) < 1_000) await attacked.rpc.call('status', {});
      const before = served;
      for (let at = 0; at < HONEST_CALLS; at++) {
        await attacked.rpc.call('view_call', (hashing() as { readonly params: object }).params);
        await attacked.rpc.call('status', {});
      }
      const each = (served - before) / HONEST_CALLS;
      assert.ok(each < MOST_BEFORE_OTHERS, `${each} of the attacker's calls per call of the other client`);
    } finally {
      isOver = true;
      await flood;
      for (const connection of connections) connection.close();
    }
    await attacked.assertSound({ peakMiB: 640 });
  });
}
