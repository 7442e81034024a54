import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openWatched, settled, visit } from './browser.js';
import { pagesOf } from './explorer-world.js';
import type { Ground } from './ground.js';

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** Serious and critical issues that axe finds on a page, one a line. */
async function issuesOn(page: Page): Promise<readonly string[]> {
  const { violations } = (await page.evaluate(() =>
    (globalThis as typeof globalThis & { axe: { run(): Promise<unknown> } }).axe.run(),
  )) as AxeResults;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html}`);
}

/** Makes the node seem to ask for a token for a method. */
async function refuse(page: Page, method: string): Promise<void> {
  await page.route('**/v2/rpc', (route) => {
    const body = route.request().postData() ?? '';
    if (!body.includes(method)) return route.continue();
    const { id } = JSON.parse(body) as { readonly id: number };
    const data = { kind: 'unauthorized', retryable: false };
    const error = { code: -32001, message: `${method} needs a token of tier paid`, data };
    return route.fulfill({ status: 401, json: { jsonrpc: '2.0', id, error } });
  });
}

/** The accessible name and role of the focused element, roughly: its text or label. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { document } = globalThis as typeof globalThis & {
      document: {
        activeElement: {
          id: string;
          textContent: string;
          getAttribute(name: string): string | null;
        };
      };
    };
    const { activeElement } = document;
    return activeElement.getAttribute('aria-label') ?? (activeElement.textContent || activeElement.id);
  });
}

/** Examines the pages by axe. */
export function testAxe(ground: () => Ground, colorScheme: 'light' | 'dark'): void {
  test(`axe finds no serious issue on the pages, ${colorScheme}`, async () => {
    // The policy of the page would keep axe out; other tests run under it.
    const options = { colorScheme, bypassCSP: true, viewport: { width: 1_280, height: 800 } };
    const { page } = await openWatched(ground().browser, ground().world.url, options);
    await page.context().addInitScript(AXE);
    for (const [name, fragment] of Object.entries(pagesOf(ground().world))) {
      await visit(page, ground().world.url, fragment);
      if (name === 'swap') {
        await page.getByRole('button', { name: 'Trace this transaction' }).click();
        await page.getByRole('button', { name: 'Details of swap' }).click();
      }
      if (name === 'interface') {
        for (const summary of await page.locator('summary').all()) await summary.click();
        await page.getByRole('button', { name: 'Simulate' }).first().click();
        await refuse(page, 'view_call');
        await page.getByRole('button', { name: 'Run' }).first().click();
        await page.locator('summary', { hasText: 'Enter an access token' }).click();
      }
      if (name === 'hostile') await page.locator('summary', { hasText: 'deep(' }).click();
      await settled(page);
      assert.deepEqual(await issuesOn(page), [], `${name}, ${colorScheme}`);
    }
    await page.context().close();
  });
}

export function testKeyboard(ground: () => Ground): void {
  describe('the explorer for everyone', () => {
    test('the keyboard alone reaches the content, searches, and calls a view', async () => {
      const { page, faults } = await openWatched(ground().browser, ground().world.url);
      await visit(page, ground().world.url, '#/');
      await page.keyboard.press('Tab');
      assert.equal(await focused(page), 'Skip to the content');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      assert.equal(await focused(page), 'Pause updates');
      // Back to the head: settings of colours, search field, links.
      await page.goto(`${ground().world.url}/#/settings`);
      await page.reload();
      await settled(page);
      const order: string[] = [];
      for (let at = 0; at < 13; at++) {
        await page.keyboard.press('Tab');
        order.push(await focused(page));
      }
      assert.deepEqual(order, [
        'Skip to the content',
        'Heddle',
        'search',
        'Search',
        'Units',
        'Use dark colours',
        'Overview',
        'Blocks',
        'Transactions',
        'Pool',
        'Validators',
        'Health',
        'Settings',
      ]);
      await page.getByRole('searchbox').focus();
      await page.keyboard.type(ground().world.token);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Interface' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('summary', { hasText: 'symbol(' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Run' }).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      assert.equal(await focused(page), 'Run');
      await page.keyboard.press('Enter');
      await page.locator('.outcome').getByText('THR').waitFor();
      assert.deepEqual(faults, []);
      await page.context().close();
    });

    test('the flame graph is one stop: arrow keys move in it, Enter zooms, Escape zooms out', async () => {
      const { page, faults } = await openWatched(ground().browser, ground().world.url);
      await visit(page, ground().world.url, `#/tx/${ground().world.swap}`);
      await page.getByRole('button', { name: 'Trace this transaction' }).click();
      const graph = page.getByRole('group', { name: /Flame graph/ });
      await graph.waitFor();
      assert.equal(await graph.locator('[tabindex="0"]').count(), 1);
      await graph.locator('[tabindex="0"]').focus();
      assert.match(await focused(page), /^transaction, /);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      assert.match(await focused(page), /^Amm\.swap, /);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Show all' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Show all' }).waitFor({ state: 'detached' });
      assert.deepEqual(faults, []);
      await page.context().close();
    });

    test('colours follow the system until the user chooses, and the choice stays', async () => {
      const { page, faults } = await openWatched(ground().browser, ground().world.url, {
        colorScheme: 'dark',
      });
      await visit(page, ground().world.url, '#/');
      const background = () =>
        page.evaluate(() => {
          const scope = globalThis as typeof globalThis & {
            document: { body: object };
            getComputedStyle(element: object): { backgroundColor: string };
          };
          return scope.getComputedStyle(scope.document.body).backgroundColor;
        });
      const dark = await background();
      await page.getByRole('button', { name: 'Use light colours' }).click();
      const light = await background();
      assert.notEqual(light, dark);
      await page.reload();
      await settled(page);
      assert.equal(await background(), light);
      assert.deepEqual(faults, []);
      await page.context().close();
    });
  });
}
