import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContractNode } from '../../support/nodes/contract-node.js';
import { startHeddle } from '../../support/nodes/node-process.js';

test('heddle logs follows until Ctrl-C, which is no failure', { timeout: 60_000 }, async (t) => {
  const world = await ContractNode.for(t, { workers: '1' });
  const { tip } = await world.client.status();
  const args = ['logs', '--contract', world.token, '--from', `${tip.height}`, '--follow', '--json'];
  const command = startHeddle(args, { env: { HEDDLE_URL: world.node.url }, timeoutMs: 50_000 });
  const heard = new Promise<void>((resolve) => {
    let text = '';
    command.child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('"amount":"12"')) resolve();
    });
  });
  await world.seal([world.pay(11)]);
  await world.seal([world.pay(12)]);
  await Promise.race([heard, command.ended]);
  command.child.kill('SIGINT');
  const { code, signal, stdout, stderr } = await command.ended;
  assert.deepEqual([code, signal, stderr], [0, null, '']);
  const amounts = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { event?: { args: { amount?: string } } }).event?.args.amount);
  assert.deepEqual(amounts.slice(-2), ['11', '12']);
});
