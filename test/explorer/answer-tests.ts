// Answers that are wrong, late, missing or far too large, in front of a real node.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { devAccount } from '../../src/client/client.js';
import { openWatched, settled, visit } from './browser.js';
import type { Ground } from './ground.js';

const RPC = '**/v2/rpc';

type Json = Record<string, unknown>;

/** The parameters of a call to one method; undefined for a request of another one. */
function paramsOf(body: string | null, method: string): Json | undefined {
  if (body?.includes(`"${method}"`) !== true) return undefined;
  return (JSON.parse(body) as { readonly params: Json }).params;
}

/** Changes the results of a method. */
async function rewrite(page: Page, method: string, change: (result: Json) => void): Promise<void> {
  await page.route(RPC, async (route) => {
    if (paramsOf(route.request().postData(), method) === undefined) return route.fallback();
    const response = await route.fetch();
    const answer = (await response.json()) as { readonly result: Json };
    change(answer.result);
    return route.fulfill({ response, json: answer });
  });
}

/** Refuses calls of a method while `data` gives an error's data. */
async function refuse(
  page: Page,
  method: string,
  status: number,
  data: (params: Json) => Json | undefined,
): Promise<void> {
  await page.route(RPC, (route) => {
    const body = route.request().postData();
    const params = paramsOf(body, method);
    const given = params && data(params);
    if (given === undefined) return route.fallback();
    const { id } = JSON.parse(body ?? '') as { readonly id: number };
    const error = { code: -32000, message: 'told by the node', data: { retryable: false, ...given } };
    return route.fulfill({ status, json: { jsonrpc: '2.0', id, error } });
  });
}

export function testAnswers(ground: () => Ground): void {
  describe('the explorer and unusual answers', () => {
    async function withPage(use: (page: Page, url: string) => Promise<void>): Promise<void> {
      const { url } = ground().world;
      const { page, faults } = await openWatched(ground().browser, url);
      await use(page, url);
      await page.context().close();
      assert.deepEqual(faults, []);
    }

    test('a certificate of another block than the page shows is no proof of it', async () => {
      await withPage(async (page, url) => {
        await rewrite(page, 'get_block_summaries', (result) => {
          for (const block of result['blocks'] as Json[]) block['hash'] = 'ab'.repeat(32);
        });
        await visit(page, url, '#/block/8');
        await page.getByRole('button', { name: 'Check finality in this browser' }).click();
        await page.getByRole('alert').filter({ hasText: 'certified another block' }).waitFor();
        assert.equal(await page.getByText('final: the certificate is valid').count(), 0);
        await page.unroute(RPC);
        await visit(page, url, '#/block/9');
        await page.getByRole('button', { name: 'Check finality in this browser' }).click();
        await page.getByText('final: the certificate is valid').waitFor();
        await page.getByText('The transactions listed above are not checked').waitFor();
      });
    });

    test('a refused finality check asks for a token, or says when to come back', async () => {
      await withPage(async (page, url) => {
        let data: Json = { kind: 'unauthorized' };
        await refuse(page, 'finality_proof', 401, () => data);
        await visit(page, url, '#/block/8');
        const check = page.getByRole('button', { name: 'Check finality in this browser' });
        await check.click();
        await page.getByRole('alert').filter({ hasText: 'The node asks for a valid access token' }).waitFor();
        await page.locator('summary', { hasText: 'Enter an access token' }).waitFor();
        data = { kind: 'rate_limited', retryable: true, retry_after_ms: 3_000 };
        await check.click();
        await page.getByRole('alert').filter({ hasText: 'Try again in 3 s' }).waitFor();
        await page.unroute(RPC);
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.getByText('final: the certificate is valid').waitFor();
      });
    });

    test('a call tree has the events of a frame between its calls', async () => {
      await withPage(async (page, url) => {
        await rewrite(page, 'chain_traceTransaction', (result) => {
          const { call_tree: root } = result['trace'] as { readonly call_tree: { readonly logs: Json[] } };
          for (const log of root.logs) log['position'] = 1;
        });
        await visit(page, url, `#/tx/${ground().world.swap}`);
        await page.getByRole('button', { name: 'Trace this transaction' }).click();
        await page.getByRole('button', { name: 'Details of event Swapped' }).click();
        await page.locator('.call-details').getByText('amount_out').waitFor();
        assert.deepEqual(await page.locator('.call-tree strong').allTextContents(), [
          ...['swap', 'transfer_from', 'Transfer', 'Swapped'],
          ...['balance_of', 'transfer', 'Transfer', 'balance_of'],
        ]);
      });
    });

    test('events end with the oldest block of a node that started from a snapshot', async () => {
      await withPage(async (page, url) => {
        await refuse(page, 'get_logs', 200, ({ from_height }) =>
          Number(from_height) < 5 ? { kind: 'state_unavailable', oldest: 5, newest: 20 } : undefined,
        );
        await visit(page, url, `#/address/${ground().world.token}/events`);
        const events = page.locator('.events > li');
        assert.match((await events.last().textContent()) ?? '', /^▸Approval/);
        assert.equal(await page.getByRole('alert').count(), 0);
        assert.equal(await page.getByRole('button', { name: 'Older' }).isDisabled(), true);
      });
    });

    test('a failed poll keeps the transaction and its trace, and polling goes on', async () => {
      await withPage(async (page, url) => {
        let isFinal = false;
        let isOverloaded = false;
        await rewrite(page, 'tx_receipt', (result) => {
          (result['receipt'] as Json)['finalized'] = isFinal;
        });
        const busy = { kind: 'overloaded', retryable: true, retry_after_ms: 50 };
        await refuse(page, 'tx_by_hash', 503, () => (isOverloaded ? busy : undefined));
        await visit(page, url, `#/tx/${ground().world.swap}`);
        await page.getByRole('button', { name: 'Trace this transaction' }).click();
        const details = page.getByRole('button', { name: 'Details of swap' });
        await details.waitFor();
        isOverloaded = true;
        const alert = page.getByRole('alert').filter({ hasText: 'The page shows the last known state' });
        await alert.waitFor();
        await page.getByText('not final yet').waitFor();
        assert.equal(await details.count(), 1);
        isOverloaded = false;
        await alert.waitFor({ state: 'detached' });
        isFinal = true;
        await page.getByText('✓ final').waitFor();
        assert.equal(await details.count(), 1);
      });
    });

    test('events of any size become a bounded number of elements', async () => {
      await withPage(async (page, url) => {
        const row = Array.from({ length: 25 }, (_, at) => at);
        const cube = row.map(() => row.map(() => row));
        await rewrite(page, 'get_logs', (result) => {
          const [log] = result['logs'] as Json[];
          result['logs'] = row.map((log_index) => ({
            ...log,
            log_index,
            event: { name: 'Cube', args: { cube, more: cube } },
          }));
          delete result['next_cursor'];
        });
        await visit(page, url, `#/address/${ground().world.token}/events`);
        await page.getByText('Cube').first().waitFor();
        for (const event of await page.getByRole('button', { name: 'Values of event Cube' }).all()) {
          await event.click();
        }
        const elements = () =>
          page.evaluate(() => {
            const { document } = globalThis as typeof globalThis & {
              document: { querySelectorAll(selector: string): { readonly length: number } };
            };
            return document.querySelectorAll('main *').length;
          });
        const first = await elements();
        assert.ok(first < 10_000, `${first} elements`);
        await page.getByRole('button', { name: 'Show 25 items' }).first().click();
        const second = await elements();
        assert.ok(second > first && second < first + 2_000, `${second} elements`);
      });
    });

    test('a slow list of the pool is shown although the pool never rests', async () => {
      await withPage(async (page, url) => {
        await page.route(RPC, async (route) => {
          if (paramsOf(route.request().postData(), 'list_pending_txs') !== undefined) await sleep(1_600);
          return route.fallback();
        });
        await visit(page, url, '#/pool');
        await settled(page);
        const sender = ground().world.client.sender(devAccount(4));
        let isOver = false;
        const flood = (async () => {
          // None is executed, because the first nonce is missing.
          for (let nonce = 1n; nonce < 60n && !isOver; nonce++) {
            await sender.transfer({ to: devAccount(5).address, amount: 1n, nonce });
            await sleep(400);
          }
        })();
        try {
          await page.getByText('nonce gap').first().waitFor({ timeout: 15_000 });
        } finally {
          isOver = true;
          await flood;
        }
      });
    });
  });
}
