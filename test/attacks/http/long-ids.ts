// Every response repeats its request's id, so a long id is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';

const call = (id: string): string => `{"jsonrpc":"2.0","id":${id},"method":"health","params":{}}`;

export function longIds(attacked: AttackedNode): void {
  test('an id of 256 bytes comes back as it was sent', async () => {
    for (const id of [`"${'x'.repeat(256)}"`, '1'.repeat(256), `"${'\u20ac'.repeat(85)}"`]) {
      const { status, body } = await attacked.rpc.post(call(id));
      assert.equal(status, 200);
      assert.ok(body.toString().startsWith(`{"jsonrpc":"2.0","id":${id},"result":`));
    }
  });

  test('a longer one, text or number, alone or in a batch, is an invalid request', async () => {
    for (const id of [
      `"${'x'.repeat(257)}"`,
      '1'.repeat(257),
      `"${'\u20ac'.repeat(86)}"`,
      `1.${'0'.repeat(3_000_000)}`,
    ]) {
      const { status, body } = await attacked.rpc.post(call(id));
      assert.equal(status, 400);
      const { id: answered, error } = JSON.parse(body.toString());
      assert.deepEqual([answered, error.code, error.data.kind], [null, -32_600, 'invalid_request']);
      assert.ok(body.length < 500);
      const batch = await attacked.rpc.post(`[${call('1')},${call(id)}]`);
      const answers = JSON.parse(batch.body.toString());
      assert.deepEqual([answers[0].id, answers[1].id, answers[1].error.code], [1, null, -32_600]);
    }
  });

  test('two hundred calls with ids of 20,000 bytes do not produce a response of 4 MB', async () => {
    const id = `"${'x'.repeat(20_000)}"`;
    const { body } = await attacked.rpc.post(`[${Array.from({ length: 200 }, () => call(id)).join(',')}]`);
    assert.ok(body.length < 100_000, `${body.length} bytes`);
    await attacked.assertSound({ peakMiB: 512 });
  });
}
