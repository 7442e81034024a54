// How the page learns of blocks and pending transactions: over WebSockets, or by polls where they cannot connect.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page, WebSocketRoute } from 'playwright-core';
import { devAccount } from '../../src/client/client.js';
import { eventually } from '../support/eventually.js';
import { openWatched, settled, visit } from './browser.js';
import type { Ground } from './ground.js';

const SOCKETS = /\/v2\/ws$/;

/** Longer than the time between two polls, in milliseconds of the page's clock. */
const TURN_MS = 8_000;

/** Advances the page's clock until the footer says how updates arrive. */
async function arriving(page: Page, how: string): Promise<void> {
  const foot = page.locator('.feed', { hasText: how });
  let settleMs = 10;
  await eventually(how, async () => {
    if ((await foot.count()) > 0) return true;
    await page.clock.fastForward(TURN_MS);
    // Waits longer each time, because on a slow machine the next turn could time out a connection before it opens.
    settleMs = Math.min(10_000, settleMs * 2);
    await sleep(settleMs);
    return false;
  });
}

/** Makes the page believe that its tab is hidden or shown. */
async function hide(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    const { document } = globalThis as typeof globalThis & { document: EventTarget };
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

export function testLiveFeed(ground: () => Ground): void {
  describe('the live feed of the explorer', () => {
    /** Opens the overview; a test may prepare the page before. */
    async function withPage(
      use: (page: Page) => Promise<void>,
      prepare: (page: Page) => Promise<void> = async () => undefined,
    ): Promise<void> {
      const { url } = ground().world;
      const { page, faults } = await openWatched(ground().browser, url);
      await page.clock.install();
      await prepare(page);
      await visit(page, url, '#/');
      await use(page);
      await page.context().close();
      assert.deepEqual(faults, []);
    }

    async function newBlock(): Promise<bigint> {
      const sent = await ground()
        .world.client.sender(devAccount(6))
        .transfer({ to: devAccount(7).address, amount: 1n, wait: 'included' });
      return sent.receipt.height;
    }

    function shownBlock(page: Page, height: bigint): Promise<void> {
      const table = page.getByRole('table', { name: 'Latest blocks' });
      return table.getByRole('link', { name: `${height}`, exact: true }).waitFor();
    }

    test('blocks arrive over a WebSocket of the same host; nobody asks for their list', async () => {
      const sockets: string[] = [];
      await withPage(
        async (page) => {
          await arriving(page, 'live over a WebSocket');
          const asked: string[] = [];
          page.on('request', (request) => asked.push(request.postData() ?? ''));
          for (let count = 0; count < 3; count++) await shownBlock(page, await newBlock());
          const newest = await newBlock();
          await shownBlock(page, newest);
          // The block is final, and its transaction is listed.
          const link = page.getByRole('link', { name: `${newest}`, exact: true });
          const row = page.getByRole('table', { name: 'Latest blocks' }).locator('tr', { has: link });
          await row.filter({ hasText: '✓ final' }).waitFor();
          const { transactions } = await ground().world.client.list_txs({ limit: 1 });
          const hash = Buffer.from(transactions[0]?.tx_hash ?? []).toString('hex');
          await page.getByRole('table', { name: 'Latest transactions' }).getByTitle(hash).waitFor();
          assert.deepEqual(
            asked.filter((body) => body.includes('list_blocks')),
            [],
          );
          assert.deepEqual([...new Set(sockets)], [`${ground().world.url.replace('http', 'ws')}/v2/ws`]);
        },
        async (page) => {
          page.on('websocket', (socket) => sockets.push(socket.url()));
        },
      );
    });

    test('the page polls where WebSockets are cut, and returns to them once they connect', async () => {
      let isCut = true;
      const open: WebSocketRoute[] = [];
      await withPage(
        async (page) => {
          await arriving(page, 'asks for updates');
          await shownBlock(page, await newBlock());
          await shownBlock(page, await newBlock());
          isCut = false;
          await arriving(page, 'live over a WebSocket');
          await shownBlock(page, await newBlock());
          // A lost connection loses no block.
          isCut = true;
          for (const socket of open.splice(0)) await socket.close();
          await arriving(page, 'asks for updates');
          const during = [await newBlock(), await newBlock()];
          isCut = false;
          await arriving(page, 'live over a WebSocket');
          for (const height of [...during, await newBlock()]) await shownBlock(page, height);
        },
        (page) =>
          page.routeWebSocket(SOCKETS, async (socket) => {
            if (isCut) await socket.close();
            else {
              open.push(socket);
              socket.connectToServer();
            }
          }),
      );
    });

    test('a hidden tab has no WebSocket and asks nothing', async () => {
      let open = 0;
      await withPage(
        async (page) => {
          await arriving(page, 'live over a WebSocket');
          assert.ok(open > 0);
          await hide(page, true);
          await arriving(page, 'updates paused');
          // A poll may be under way; after it, several turns pass without another.
          let requests = 0;
          page.on('request', () => requests++);
          for (let before = -1; before !== requests; ) {
            before = requests;
            for (let turn = 0; turn < 3; turn++) {
              await page.clock.fastForward(TURN_MS);
              await sleep(100);
            }
          }
          await eventually('its WebSockets are closed', async () => open === 0);
          const missed = await newBlock();
          await hide(page, false);
          await arriving(page, 'live over a WebSocket');
          await shownBlock(page, missed);
        },
        async (page) => {
          page.on('websocket', (socket) => {
            open++;
            socket.on('close', () => open--);
          });
        },
      );
    });

    test('the pool shows transactions as they enter and leave it', async () => {
      await withPage(async (page) => {
        await page.getByRole('link', { name: 'Pool', exact: true }).click();
        await page.getByText('The pool is empty').waitFor();
        await settled(page);
        await arriving(page, 'live over a WebSocket');
        const sender = ground().world.client.sender(devAccount(4));
        const send = (nonce: bigint) => sender.transfer({ to: devAccount(5).address, amount: 1n, nonce });
        await send(1n);
        await page.getByText('nonce gap').waitFor();
        await send(0n);
        await page.getByText('The pool is empty').waitFor();
      });
    });
  });
}
