import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { issueToken } from '../support/tokens/issue-token.js';
import { show, spendAll } from '../support/tokens/spent-tokens.js';

test('a prepaid token keeps its balance across a stop and gains nothing from a kill', async (t) => {
  const dataDir = temporaryDirectory();
  t.after(() => removeDirectory(dataDir));
  const start = () => NodeProcess.start({ dataDir, flags: ['--front-threads', '3'] });
  let node = await start();
  t.after(() => node.kill());
  const { id, token } = await issueToken(dataDir, '--units', '6000');
  const beforeStop = await spendAll(node.url, token, 500);
  await node.stop();
  const stopped = await show(dataDir, id);
  assert.equal(stopped.left, 6_000 - 2 * beforeStop);
  node = await start();
  const beforeKill = await spendAll(node.url, token, 500);
  await node.kill();
  node = await start();
  const afterKill = await spendAll(node.url, token);
  const total = 2 * (beforeStop + beforeKill + afterKill);
  assert.ok(total <= 6_000, `${total} of 6,000 units`);
  assert.equal((await show(dataDir, id)).left, 0);
});
