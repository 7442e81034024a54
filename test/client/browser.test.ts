import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect, devAccount, formatAddress } from '../../src/client/client.js';
import { packageRoot } from '../../src/config/package-info.js';
import { NodeProcess } from '../support/nodes/node-process.js';
import { findChromium, withPage } from '../support/pages/chromium.js';
import { servePage } from '../support/pages/page-server.js';
import type { ClientTask, ClientVerdict } from './browser-task.js';

const TOKEN = join(packageRoot(), 'contracts', 'token');

async function taskOf(node: NodeProcess): Promise<ClientTask> {
  const owner = devAccount(0).address;
  const { contract } = await connect(node.url)
    .sender(devAccount(0))
    .deploy({
      code: readFileSync(join(TOKEN, 'token.wasm')),
      idl: readFileSync(join(TOKEN, 'token.idl'), 'utf8'),
      init: { name: 'Thread', symbol: 'THR', decimals: 2, supply: 1_000n, owner, minter: owner },
    });
  return { url: node.url, token: formatAddress(contract.address) };
}

const browser = findChromium();

// A development chain answers pages on this machine.
test('a page under a strict policy sends transactions, calls contracts and verifies', {
  skip: browser === undefined ? 'no Chromium on this machine' : false,
  timeout: 60_000,
}, async ({ signal }) => {
  const node = await NodeProcess.start({ flags: ['--seal', 'instant'] });
  try {
    const page = await servePage({
      module: 'test/client/browser-page.js',
      task: await taskOf(node),
      connect: node.url,
    });
    try {
      const { text } = await withPage(browser ?? assert.fail(), page.url, signal, () => page.verdict);
      const found = JSON.parse(text) as ClientVerdict & { readonly failure?: string };
      assert.equal(found.failure, undefined);
      assert.equal(found.transfer, 'success');
      assert.equal(found.call, 'success');
      assert.deepEqual(found.event, {
        name: 'Transfer',
        args: { from: formatAddress(devAccount(0).address), to: `0x${'cd'.repeat(20)}`, amount: '250' },
      });
      assert.equal(found.balance, '250');
      assert.equal(found.provedBalance, '12345');
      assert.equal(found.canEvaluate, false);
      assert.equal(found.hasNode, false);
    } finally {
      page.close();
    }
  } finally {
    await node.dispose();
  }
});
