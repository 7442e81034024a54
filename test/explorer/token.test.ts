// A node that asks for a token: the page takes one where a call needs it, and does not spend it on updates.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { connect, devAccount, formatAddress } from '../../src/client/client.js';
import { packageRoot } from '../../src/config/package-info.js';
import { NodeProcess } from '../support/nodes/node-process.js';
import { issueToken } from '../support/tokens/issue-token.js';
import { launch, openWatched, visit, WITHOUT_BROWSER } from './browser.js';

describe('the explorer of a node that asks for a token', { skip: WITHOUT_BROWSER, timeout: 600_000 }, () => {
  let node: NodeProcess;
  let browser: Browser;
  let token: string;
  let contract: string;

  before(async () => {
    const flags = ['--seal', 'instant', '--paid-access', 'token'];
    node = await NodeProcess.start({ flags, readyMs: 120_000 });
    ({ token } = await issueToken(node.dataDir));
    const file = (kind: string) => join(packageRoot(), 'contracts', 'token', `token.${kind}`);
    const owner = devAccount(0).address;
    const { contract: deployed } = await connect(node.url, { token })
      .sender(devAccount(0))
      .deploy({
        code: readFileSync(file('wasm')),
        idl: readFileSync(file('idl'), 'utf8'),
        init: { name: 'Thread', symbol: 'THR', decimals: 2, supply: 1_000n, owner, minter: owner },
      });
    contract = formatAddress(deployed.address);
    browser = await launch();
  });

  after(async () => {
    await browser?.close();
    await node?.dispose();
  });

  test('a refused call succeeds with the token entered next to it, and updates are sent without it', async () => {
    const { page, faults } = await openWatched(browser, node.url);
    await visit(page, node.url, `#/address/${contract}/interface`);
    const form = page
      .locator('details')
      .filter({ has: page.locator('summary', { hasText: 'balance_of(' }) })
      .first();
    await form.locator('summary').first().click();
    await form.getByLabel('owner').fill(formatAddress(devAccount(0).address));
    await form.getByRole('button', { name: 'Run' }).click();
    await form.getByRole('alert').filter({ hasText: 'The node asks for a valid access token' }).waitFor();
    await form.locator('summary', { hasText: 'Enter an access token' }).click();
    await form.getByLabel('Bearer token').fill(token);
    const sent: { readonly body: string; readonly authorization: string | undefined }[] = [];
    page.on('request', (request) =>
      sent.push({ body: request.postData() ?? '', authorization: request.headers()['authorization'] }),
    );
    await form.getByRole('button', { name: 'Use this token' }).click();
    await form.locator('.outcome').getByText('1,000', { exact: true }).waitFor();
    await page.waitForRequest((request) => request.postData()?.includes('txpool_stats') === true);
    const tokensOf = (method: string) =>
      new Set(sent.filter(({ body }) => body.includes(method)).map(({ authorization }) => authorization));
    assert.deepEqual([...tokensOf('view_call')], [`Bearer ${token}`]);
    assert.deepEqual([...tokensOf('txpool_stats')], [undefined]);
    // Only in memory.
    const kept = await page.evaluate(() => {
      const scope = globalThis as typeof globalThis &
        Record<'sessionStorage' | 'localStorage', { length: number }>;
      return scope.sessionStorage.length + scope.localStorage.length;
    });
    assert.equal(kept, 0);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByText('accepted by the node').waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });
});
