// A fault in a call's handler, in any thread, gives its caller an error and affects no other call.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RpcClient, RpcFailure } from '../outside/rpc.js';
import { failingHash, INSIDE } from '../support/nodes/faulty-handlers.js';
import { NodeProcess } from '../support/nodes/node-process.js';
import { metricOf } from '../support/operations/metric-of.js';
import { perTier } from '../support/sweep.js';

const FAULTY = fileURLToPath(new URL('../support/nodes/faulty-handlers.js', import.meta.url));
const CLIENTS = 6;
const ROUNDS = perTier(3, 12);
/** Failing calls per batch of one client. */
const FAILING = 30;

const byHash = (how: string) => ({ method: 'tx_by_hash', params: { tx_hash: failingHash(how) } });
const STATUS = { method: 'status', params: {} };

function assertInternal(failure: RpcFailure): void {
  assert.equal(failure.code, -32603);
  assert.match(String(failure.data['error_id']), /^[0-9a-f-]{36}$/);
  assert.ok(!failure.message.includes(INSIDE), 'nothing of the inside gets out');
}

/** Triggers faults, alone and among other calls; counts those reported to a client. */
async function bringAbout(client: RpcClient): Promise<number> {
  let told = 0;
  for (let round = 0; round < ROUNDS; round++) {
    for (const how of ['throws', 'throws_text']) {
      await assert.rejects(client.call('tx_by_hash', byHash(how).params), (error) => {
        assert.ok(error instanceof RpcFailure);
        assertInternal(error);
        told++;
        return true;
      });
    }
    for (const how of ['throws_later', 'rejects_unheard']) {
      assert.ok(await client.call('tx_by_hash', byHash(how).params));
    }
    const failing = Array.from({ length: FAILING }, () => byHash('throws'));
    const entries = await client.batch([STATUS, ...failing, STATUS]);
    for (const [at, entry] of entries.entries()) {
      const isHonest = at === 0 || at === entries.length - 1;
      assert.equal('failure' in entry, !isHonest);
      if (!('failure' in entry)) continue;
      assertInternal(entry.failure);
      told++;
    }
  }
  return told;
}

/** Sends ordinary calls until the attack ends; each has to be answered. */
async function ask(client: RpcClient, isOver: () => boolean): Promise<number> {
  let answered = 0;
  while (!isOver()) {
    await client.call('status');
    await client.call('list_blocks', { limit: 2 });
    await client.call('account', { address: `0x${'5a'.repeat(20)}` });
    answered += 3;
  }
  return answered;
}

const MODES = [
  ...perTier([1], [0, 1, 2, 4]).map((threads) => ({ native: 'auto', threads })),
  ...perTier([], [0, 1]).map((threads) => ({ native: 'off', threads })),
];

for (const { native, threads } of MODES) {
  describe(`faults in handlers, --front-threads ${threads} --native ${native}`, () => {
    test('give their callers an error and affect nothing else', async (t) => {
      const node = await NodeProcess.start({
        nodeFlags: ['--import', FAULTY],
        flags: ['--front-threads', String(threads), '--native', native],
      });
      t.after(() => node.dispose());
      const clients = Array.from({ length: 2 * CLIENTS }, () => new RpcClient(node.url));
      t.after(() => {
        for (const client of clients) client.close();
      });

      const begin = performance.now();
      let isOver = false;
      const asking = clients.slice(CLIENTS).map((client) => ask(client, () => isOver));
      const told = await Promise.all(clients.slice(0, CLIENTS).map(bringAbout)).finally(() => {
        isOver = true;
      });
      for (const answered of await Promise.all(asking)) assert.ok(answered > 0);
      assert.deepEqual(told, Array(CLIENTS).fill(ROUNDS * (2 + FAILING)));

      const [first] = clients;
      assert.ok(first !== undefined);
      const unheard = await metricOf(first, 'heddle_faults_total');
      assert.ok(unheard >= 2 * CLIENTS * ROUNDS, `${unheard} faults that nobody was told of are counted`);
      // Ten records a second each: every front end, every link of a front thread, and the faults without a caller.
      const seconds = 1 + Math.floor((performance.now() - begin) / 1_000);
      const max = 10 * seconds * (2 * threads + 2);
      const logged = node.log.split('\n').filter((line) => line.includes('"error_id"'));
      assert.ok(logged.length > 0 && logged.length <= max, `${logged.length} logged, at most ${max}`);
      for (const record of logged) assert.ok(record.includes(INSIDE), record);

      const { signal, code } = await node.stop();
      assert.ok(signal === 'SIGTERM', `ended with ${signal ?? code}`);
    });
  });
}
