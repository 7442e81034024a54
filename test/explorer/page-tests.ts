import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { devAccount, formatAddress, formatHash } from '../../src/client/client.js';
import { eventually } from '../support/eventually.js';
import { openWatched, settled, visit } from './browser.js';
import { pagesOf } from './explorer-world.js';
import type { Ground } from './ground.js';

const PHONE = { width: 360, height: 780 };

/** The text of the page's main part. */
async function content(page: Page): Promise<string> {
  return (await page.locator('main').textContent()) ?? '';
}

export function testPages(ground: () => Ground): void {
  describe('the explorer in a browser', () => {
    async function withPage(
      use: (page: Page, url: string, faults: string[]) => Promise<void>,
      options: Parameters<typeof openWatched>[2] = {},
    ): Promise<void> {
      const { url } = ground().world;
      const { page, faults } = await openWatched(ground().browser, url, options);
      await use(page, url, faults);
      await page.context().close();
      assert.deepEqual(faults, []);
    }

    test('every page opens without a fault, and fits a phone', async () => {
      await withPage(
        async (page, url) => {
          for (const [name, fragment] of Object.entries(pagesOf(ground().world))) {
            await visit(page, url, fragment);
            assert.equal(await page.getByRole('alert').count(), 0, name);
            const { scrollWidth, clientWidth } = (await page.evaluate(() => {
              const { document } = globalThis as typeof globalThis & {
                document: { documentElement: { scrollWidth: number; clientWidth: number } };
              };
              const { scrollWidth, clientWidth } = document.documentElement;
              return { scrollWidth, clientWidth };
            })) as { readonly scrollWidth: number; readonly clientWidth: number };
            assert.ok(scrollWidth <= clientWidth, `${name} is ${scrollWidth} pixels wide`);
            const links = await page.getByRole('navigation', { name: 'Pages' }).first().boundingBox();
            assert.ok(links !== null && links.height < 60, `the links of ${name} take several rows`);
          }
        },
        { viewport: PHONE },
      );
    });

    test('the overview follows the tip, pauses, and continues', async () => {
      await withPage(async (page, url) => {
        await visit(page, url, '#/');
        const send = async () =>
          ground()
            .world.client.sender(devAccount(6))
            .transfer({ to: devAccount(7).address, amount: 1n, wait: 'included' });
        const row = (height: bigint) =>
          page.locator('main').getByRole('link', { name: `${height}`, exact: true });
        const { receipt } = await send();
        await row(receipt.height).first().waitFor();
        await page.getByRole('button', { name: 'Pause updates' }).click();
        const { receipt: unseen } = await send();
        await page.getByRole('button', { name: 'Continue updates' }).waitFor();
        assert.equal(await row(unseen.height).count(), 0);
        await page.getByRole('button', { name: 'Continue updates' }).click();
        await row(unseen.height).first().waitFor();
      });
    });

    test('search finds heights, hashes of blocks and transactions, and addresses', async () => {
      await withPage(async (page, url) => {
        await visit(page, url, '#/');
        const { blocks } = await ground().world.client.get_block_summaries({
          from_height: 3n,
          to_height: 3n,
        });
        const blockHash = formatHash(blocks[0]?.hash ?? new Uint8Array(32));
        const { tip } = await ground().world.client.status();
        assert.ok(tip.height > 11n);
        const recent = { hash: formatHash(tip.hash), height: tip.height };
        const account = formatAddress(devAccount(0).address);
        for (const [query, title, fragment] of [
          ['3', 'Block 3', '#/block/3'],
          [blockHash, 'Block 3', '#/block/3'],
          [recent.hash, `Block ${recent.height}`, `#/block/${recent.height}`],
          [`0x${ground().world.swap}`, 'Transaction', `#/tx/${ground().world.swap}`],
          [account, 'Account', `#/address/${account}`],
          [ground().world.token, 'Contract', `#/address/${ground().world.token}`],
        ] as const) {
          await page.getByRole('searchbox').fill(query);
          await page.keyboard.press('Enter');
          await page.waitForURL((address) => address.hash === fragment);
          await page.getByRole('heading', { level: 1, name: title }).waitFor();
          // The title follows the heading after the next paint.
          await eventually(title, async () => (await page.title()) === `${title} · Heddle`);
        }
        // A search for the page that is open moves to its heading.
        await page.getByRole('searchbox').fill(ground().world.token);
        await page.keyboard.press('Enter');
        await page.locator('#page-title:focus').waitFor();
      });
    });

    test('search lists the contracts with a name, and opens none by itself', async () => {
      await withPage(async (page, url) => {
        await visit(page, url, '#/');
        const { token, hostile, client } = ground().world;
        const [first] = (await client.list_contracts({ name: 'Token', limit: 1 })).contracts;
        assert.ok(first !== undefined);
        await page.getByRole('searchbox').fill('tok');
        await page.keyboard.press('Enter');
        const results = page.locator('.search-results li');
        await results.nth(1).waitFor();
        assert.equal(await results.count(), 2);
        const shown = (await results.first().textContent()) ?? '';
        assert.match(shown, new RegExp(`^Token0x[0-9a-f…]+deployed in block ${first.deployed_at}$`));
        await page.keyboard.press('Escape');
        await results.first().waitFor({ state: 'detached' });
        await page.getByRole('searchbox').fill('Token');
        await page.keyboard.press('Enter');
        await results.first().getByRole('link').first().click();
        await page.waitForURL(({ hash }) => hash === `#/address/${token}`);
        await results.first().waitFor({ state: 'detached' });
        for (const [query, fragment] of [
          ['dev:5', `#/address/${formatAddress(devAccount(5).address)}`],
          ['validator 0', '#/address/0x'],
        ] as const) {
          await page.getByRole('searchbox').fill(query);
          await page.keyboard.press('Enter');
          await page.waitForURL(({ hash }) => hash.startsWith(fragment) && !hash.endsWith(token));
        }
        await page.getByRole('searchbox').fill('HOSTILE');
        await page.keyboard.press('Enter');
        await results.getByTitle(hostile).waitFor();
      });
    });

    test('search explains texts that it does not find', async () => {
      await withPage(async (page, url) => {
        await visit(page, url, '#/');
        for (const [query, message] of [
          ['no such thing', /Enter a block height/],
          ['NoSuchThing', /no contract whose name begins with NoSuchThing/],
          ['ab'.repeat(32), /no transaction and no block/],
        ] as const) {
          await page.getByRole('searchbox').fill(query);
          await page.getByRole('button', { name: 'Search' }).click();
          await page.locator('#search-message').filter({ hasText: message }).waitFor();
        }
      });
    });

    test('a block shows its transactions, and its finality is checked in the browser', async () => {
      await withPage(async (page, url) => {
        const { height, block_hash } =
          (await ground().world.client.tx_receipt({ tx_hash: Buffer.from(ground().world.transfer, 'hex') }))
            .receipt ?? assert.fail();
        await visit(page, url, `#/block/${height}`);
        await page
          .getByRole('link', { name: new RegExp(`^${ground().world.transfer.slice(0, 7)}`) })
          .waitFor();
        await page.getByRole('button', { name: 'Check finality in this browser' }).click();
        await page.getByText('final: the certificate is valid').waitFor();
        const hash = formatHash(block_hash);
        assert.equal(await page.getByTitle(hash).count(), 2);
        await page.getByRole('link', { name: 'Next →' }).click();
        await page.getByRole('heading', { level: 1, name: `Block ${height + 1n}` }).waitFor();
      });
    });

    test("another key than the validators' makes the finality check fail", async () => {
      await withPage(async (page, url) => {
        await visit(page, url, '#/validators');
        await page.getByLabel('Group key from another source').fill('12');
        await page.getByRole('button', { name: 'Trust this key' }).click();
        await page.getByText('Expected the group key').waitFor();
        await page.getByLabel('Group key from another source').fill('ab'.repeat(48));
        await page.getByRole('button', { name: 'Trust this key' }).click();
        await page.getByText('given by you').waitFor();
        await page.getByRole('button', { name: 'Check finality in this browser' }).click();
        await page.getByRole('alert').filter({ hasText: 'trusted key' }).waitFor();
      });
    });

    test('a transaction shows its decoded action and events, and traces its calls and gas', async () => {
      await withPage(async (page, url) => {
        await visit(page, url, `#/tx/${ground().world.swap}`);
        // The page shows the raw input until the contract's interface arrives.
        await page.locator('main').filter({ hasText: 'Methodswap' }).waitFor();
        const text = await content(page);
        assert.match(text, /Swapped/);
        assert.match(text, /Swapped\(trader: .*amount_in: 5,000, amount_out: 4,9\d\d\)/);
        await page.getByRole('button', { name: 'Trace this transaction' }).click();
        await page.getByRole('button', { name: 'Details of transfer_from' }).click();
        await page.locator('.call-details').getByText('amount 5,000').first().waitFor();
        const graph = page.getByRole('group', { name: /Flame graph/ });
        const boxes = await graph.getByRole('button').count();
        assert.ok(boxes > 10, `${boxes} boxes`);
        await graph
          .getByRole('button', { name: /Amm#takeIn/ })
          .first()
          .click();
        await page.getByRole('button', { name: 'Show all' }).waitFor();
        assert.ok((await graph.getByRole('button').count()) < boxes);
      });
    });

    test('events are listed newest first, filtered by their indexed fields, and shared by link', async () => {
      await withPage(
        async (page, url) => {
          const events = page.locator('.events > li');
          await visit(page, url, `#/address/${ground().world.token}/events`);
          assert.match((await events.first().textContent()) ?? '', /^▸Transfer\(.*amount: 5,000\)block/);
          assert.match((await events.last().textContent()) ?? '', /^▸MinterChanged/);
          await page.getByRole('combobox', { name: 'Event' }).selectOption('Transfer');
          await page.getByRole('textbox', { name: 'from' }).fill('dev:x');
          const filter = page.getByRole('button', { name: 'Filter' });
          await filter.click();
          await page.getByText('Expected address').waitFor();
          await page.getByRole('textbox', { name: 'from' }).fill('0x'.padEnd(42, '0'));
          await page.getByRole('textbox', { name: 'to address' }).fill('dev:0');
          await filter.click();
          await page.waitForURL(({ hash }) => hash.endsWith('&where=to%3Ddev%3A0'));
          await settled(page);
          assert.equal(await events.count(), 1);
          const shared = page.url();
          await page.getByRole('button', { name: 'Show all' }).click();
          await events.nth(1).waitFor();
          await page.goto(shared);
          await page.getByText('1,000,000,000').waitFor();
          assert.equal(await page.getByRole('textbox', { name: 'to address' }).inputValue(), 'dev:0');
          await page.getByRole('button', { name: 'Values of event Transfer' }).click();
          await page.getByRole('button', { name: 'Copy transaction hash' }).waitFor();
        },
        { viewport: { width: 390, height: 780 } },
      );
    });

    test('a list names addresses, recognizes token transfers, and switches to units, in few requests', async () => {
      await withPage(
        async (page, url) => {
          const requests: string[] = [];
          page.on('request', (request) => requests.push(request.postData() ?? ''));
          await visit(page, url, '#/transactions');
          const { token, failed } = ground().world;
          const row = page.locator('tr', { has: page.getByTitle(failed) });
          await row.getByText('Token transfer').waitFor();
          await row.getByText('dev:5').waitFor();
          // The recipient, which only the call's input has; the token is named beside the amount.
          await row.getByText('dev:0').waitFor();
          await row
            .getByTitle(`The token ${token}`)
            .filter({ hasText: /^Token$/ })
            .waitFor();
          const swap = page.locator('tr', { has: page.getByTitle(ground().world.swap) });
          await swap.getByText('Amm').waitFor();
          await page
            .locator('tr', { hasText: '1,000,000,000,000,000,000' })
            .first()
            .getByText('Transfer')
            .waitFor();
          assert.equal(requests.filter((body) => body.includes('contract_idl')).length, 1);
          assert.equal(requests.filter((body) => body.includes('tx_by_hash')).length, 1);
          assert.equal(requests.filter((body) => body.includes('view_call')).length, 0);
          await page.getByRole('button', { name: 'Units' }).click();
          await row.getByText('0.01 THR').waitFor();
          await page.locator('tr', { hasText: '1e18' }).first().waitFor();
          // The choice stays, with the unit of the chain's own amounts.
          await page.getByRole('link', { name: 'Settings' }).click();
          await page.getByRole('textbox', { name: 'Symbol' }).fill('two words');
          await page.getByRole('button', { name: 'Use this unit' }).click();
          await page.getByText('Expected decimals from 0 to 38').waitFor();
          await page.getByRole('textbox', { name: 'Symbol' }).fill('HDL');
          await page.getByRole('button', { name: 'Use this unit' }).click();
          await page.reload();
          await visit(page, url, '#/transactions');
          await page.locator('tr', { hasText: '1 HDL' }).first().waitFor();
        },
        { viewport: { width: 1_280, height: 800 } },
      );
    });

    test("a failed transaction shows the contract's own error", async () => {
      await withPage(async (page, url) => {
        await visit(page, url, `#/tx/${ground().world.failed}`);
        const text = await content(page);
        assert.match(text, /reverted/);
        assert.match(text, /InsufficientBalance\(available: 0, required: 1\)/);
      });
    });

    test('an account shows its exact balance and lanes', async () => {
      await withPage(async (page, url) => {
        const { address } = devAccount(5);
        const { balance } = await ground().world.client.account({ address });
        await visit(page, url, `#/address/${formatAddress(address)}`);
        await page.getByText(balance.toString().replace(/\B(?=(\d{3})+$)/g, ',')).waitFor();
        await page.getByRole('table', { name: 'Nonce lanes' }).getByText('idle').waitFor();
        await page.getByRole('link', { name: new RegExp(`^${ground().world.failed.slice(0, 7)}`) }).waitFor();
      });
    });

    test('an account shows its tokens, and what it received', async () => {
      await withPage(async (page, url) => {
        const { transfer, token } = ground().world;
        await visit(page, url, `#/address/${formatAddress(devAccount(0).address)}`);
        const tokens = page.getByRole('table', { name: 'Tokens' }).locator('tbody tr');
        assert.match((await tokens.filter({ has: page.getByTitle(token) }).textContent()) ?? '', /^THR9,99/);
        // The payee of the last transfer.
        await visit(page, url, `#/address/${formatAddress(devAccount(4).address)}`);
        await page.getByRole('link', { name: 'Received' }).click();
        const received = page.getByRole('table', { name: /Received payments/ }).locator('tbody tr');
        const row = received.filter({ has: page.getByTitle(transfer) });
        assert.match((await row.textContent()) ?? '', /1,000,000,000,000,000,000$/);
        await visit(page, url, `#/address/${token}/received`);
        await page.getByText('No payments yet.').waitFor();
      });
    });

    test('listings turn pages', async () => {
      await withPage(async (page, url) => {
        // Twenty-five blocks a page.
        for (let at = 0; at < 30; at++) {
          await ground()
            .world.client.sender(devAccount(8))
            .transfer({ to: devAccount(9).address, amount: 1n, wait: 'included' });
        }
        await visit(page, url, '#/blocks');
        const newest = () => page.locator('main tbody tr a').first().textContent();
        const first = await newest();
        await page.getByRole('button', { name: 'Older' }).click();
        await page.getByText('Page 2').waitFor();
        // The rows follow the number of the page.
        await eventually('older blocks', async () => (await newest()) !== first);
        await page.getByRole('button', { name: 'Newer' }).click();
        await page.getByText('Page 1').waitFor();
      });
    });

    test('the page says that the node does not answer, keeps what it knows, and recovers', async () => {
      await withPage(async (page, url, faults) => {
        await visit(page, url, '#/');
        await page.route('**/v2/rpc', (route) => route.abort());
        await page.getByText('The node does not answer').waitFor();
        assert.ok((await page.locator('main tbody tr').count()) > 5);
        await page.unroute('**/v2/rpc');
        await page.getByRole('button', { name: 'Try again' }).first().click();
        await page.getByText('The node does not answer').waitFor({ state: 'detached' });
        // The browser reports the aborted requests.
        for (const fault of faults.splice(0)) assert.match(fault, /ERR_FAILED/);
      });
    });
  });
}
