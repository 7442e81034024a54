import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { FakeRpc, type FakeRpcOptions, type LogLine } from '../../support/http/fake-rpc.js';

describe('slow calls', () => {
  /** Longer than the pause of a timer, in milliseconds, so that a call held for it is slow. */
  const HELD_MS = 60;
  const THRESHOLD_MS = 40;

  const opened: FakeRpc[] = [];
  after(async () => {
    for (const rpc of opened) await rpc.dispose();
  });

  async function create(options: FakeRpcOptions): Promise<FakeRpc> {
    const rpc = await FakeRpc.create(options);
    opened.push(rpc);
    return rpc;
  }

  function slowOnes(rpc: FakeRpc): readonly LogLine[] {
    return rpc.log.filter(({ message }) => message.startsWith('slow call'));
  }

  /** Calls `held` and lets it answer after a pause. */
  async function callSlowly(rpc: FakeRpc, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const held = rpc.signals.length;
    const answer = rpc.call('held', {}, headers);
    while (rpc.signals.length === held) await pause(1);
    await pause(HELD_MS);
    rpc.release();
    await answer;
  }

  describe('the log of slow calls', () => {
    test('names method, client, request, durations and sizes', async () => {
      const rpc = await create({ slowCallMs: THRESHOLD_MS });
      await callSlowly(rpc, { 'x-request-id': 'slow-1' });
      const [record] = slowOnes(rpc);
      assert.ok(record !== undefined);
      assert.equal(record.level, 'info');
      const { total_ms: totalMs, params_bytes: paramsBytes, ...fields } = record.fields;
      assert.deepEqual(fields, {
        method: 'TestV1.held',
        outcome: 'ok',
        client: 'address 192.0.2.1',
        request_id: 'slow-1',
        answer_bytes: 4,
      });
      assert.ok((totalMs as number) >= THRESHOLD_MS);
      assert.ok((paramsBytes as number) > 0);
    });

    test('names the subject of a token, and never the token', async () => {
      const rpc = await create({ slowCallMs: THRESHOLD_MS });
      const { token } = await rpc.tokens.issue({
        subject: 'ann',
        tier: 'paid',
        expiresAtMs: Date.now() + 60_000,
      });
      await callSlowly(rpc, { authorization: `Bearer ${token}` });
      const [record] = slowOnes(rpc);
      assert.equal(record?.fields['client'], 'subject ann');
      assert.ok(!JSON.stringify(rpc.log).includes(token));
    });

    test('leaves out calls below the threshold', async () => {
      const rpc = await create({ slowCallMs: 600_000 });
      await callSlowly(rpc);
      assert.deepEqual(slowOnes(rpc), []);
    });

    test('is off with a threshold of 0', async () => {
      const rpc = await create({ slowCallMs: 0 });
      await callSlowly(rpc);
      assert.deepEqual(slowOnes(rpc), []);
    });

    test('is bounded, and does not use up the records of errors', async () => {
      const rpc = await create({ slowCallMs: 1, failures: { badly: new Error('a bug') } });
      const calls = Array.from({ length: 100 }, () => rpc.call('held'));
      await pause(HELD_MS);
      rpc.release();
      await Promise.all(calls);
      const records = slowOnes(rpc).length;
      assert.ok(records > 0 && records < 100, `${records}`);
      await rpc.call('fail', { how: 'badly' });
      assert.equal(rpc.log.filter(({ level }) => level === 'error').length, 1);
    });
  });
});
