import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { devAccount, formatAddress, parseAddress } from '../../src/client/client.js';
import { openWatched, visit } from './browser.js';
import type { Ground } from './ground.js';

const OWNER = formatAddress(devAccount(0).address);
const OTHER = formatAddress(devAccount(9).address);

/** Opens the form of a function on a contract's page. */
async function openForm(page: Page, name: string): Promise<Locator> {
  const item = page
    .locator('details')
    .filter({ has: page.locator('summary', { hasText: `${name}(` }) })
    .first();
  await item.locator('summary').click();
  return item;
}

/** Chooses a development account as the signing key. */
async function chooseKey(page: Page, index: number): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Development account').selectOption(String(index));
  await page.getByText(`development account ${index}`).waitFor();
}

export function testCalls(ground: () => Ground): void {
  describe('calls from the explorer', () => {
    async function withPage(use: (page: Page, url: string) => Promise<void>): Promise<void> {
      const { url } = ground().world;
      const { page, faults } = await openWatched(ground().browser, url);
      await use(page, url);
      await page.context().close();
      assert.deepEqual(faults, []);
    }

    test('a view runs with typed arguments, at the latest block and at an earlier one', async () => {
      await withPage(async (page, url) => {
        await visit(page, url, `#/address/${ground().world.token}/interface`);
        const form = await openForm(page, 'balance_of');
        await form.getByLabel('owner').fill(OWNER);
        await form.getByRole('button', { name: 'Run' }).click();
        const latest = await form
          .locator('.outcome')
          .getByText(/^9\d\d,\d\d\d,\d\d\d$/)
          .textContent();
        const { deployed_at } = await ground().world.client.contract_metadata({
          address: parseAddress(ground().world.token),
        });
        await form.getByLabel('At height').fill(`${deployed_at}`);
        await form.getByRole('button', { name: 'Run' }).click();
        await form.locator('.outcome').getByText('1,000,000,000').waitFor();
        assert.notEqual(latest, '1,000,000,000');
        // A view of nothing: an absent option.
        await visit(page, url, `#/address/${ground().world.registry}/interface`);
        const resolve = await openForm(page, 'resolve');
        await resolve.getByLabel('name').fill('nobody');
        await resolve.getByRole('button', { name: 'Run' }).click();
        await resolve.locator('.outcome').getByText('none').waitFor();
      });
    });

    test('a wrong argument is named at its field, and nothing is asked of the node', async () => {
      await withPage(async (page, url) => {
        await visit(page, url, `#/address/${ground().world.token}/interface`);
        const form = await openForm(page, 'allowance');
        await form.getByLabel('owner').fill(OWNER);
        await form.getByLabel('spender').fill('0x12');
        let asked = 0;
        page.on('request', (request) => {
          if (request.postData()?.includes('view_call') === true) asked++;
        });
        await form.getByRole('button', { name: 'Run' }).click();
        await form.getByRole('alert').filter({ hasText: 'Expected address' }).waitFor();
        assert.equal(await form.getByLabel('spender').getAttribute('aria-invalid'), 'true');
        assert.equal(await form.getByLabel('owner').getAttribute('aria-invalid'), 'false');
        assert.equal(asked, 0);
      });
    });

    test('a call is simulated without a key: status, gas, events and state changes', async () => {
      await withPage(async (page, url) => {
        await visit(page, url, `#/address/${ground().world.token}/interface`);
        const form = await openForm(page, 'transfer');
        await form.getByLabel('to', { exact: false }).first().fill(OTHER);
        await form.getByLabel('amount').fill('1e3');
        await form.getByLabel('Simulate as').fill(OWNER);
        assert.equal(await form.getByRole('button', { name: 'Sign and send' }).isDisabled(), true);
        await form.getByRole('button', { name: 'Simulate' }).click();
        const outcome = form.locator('.outcome');
        await outcome.getByText('Simulation: nothing was sent').waitFor();
        const text = (await outcome.textContent()) ?? '';
        assert.match(text, /success/);
        assert.match(text, /Transfer\(from: (dev:0)?0x/);
        assert.match(text, /amount: 1,000/);
        assert.match(text, /State changes.*0x/);
        // The same as nobody, who has no tokens.
        await form.getByLabel('Simulate as').fill('');
        await form.getByRole('button', { name: 'Simulate' }).click();
        await outcome.getByText('InsufficientBalance').waitFor();
      });
    });

    test('a call is signed in the page and sent; the key is not', async () => {
      await withPage(async (page, url) => {
        const bodies: string[] = [];
        page.on('request', (request) => bodies.push(request.postData() ?? '', request.url()));
        await visit(page, url, '#/');
        await chooseKey(page, 0);
        await page.getByRole('button', { name: 'Show the private key' }).click();
        const secret =
          (await page.locator('.fact .break', { hasText: /^0x[0-9a-f]{64}$/ }).textContent()) ?? '';
        assert.match(secret, /^0x[0-9a-f]{64}$/);
        await page.getByRole('searchbox').fill(ground().world.token);
        await page.keyboard.press('Enter');
        await page.getByRole('link', { name: 'Interface' }).click();
        const form = await openForm(page, 'transfer');
        await form.getByLabel('to', { exact: false }).first().fill(OTHER);
        await form.getByLabel('amount').fill('4321');
        await form.getByRole('button', { name: 'Sign and send' }).click();
        const outcome = form.locator('.outcome');
        await outcome.getByText('Sent').waitFor();
        assert.match((await outcome.textContent()) ?? '', /success.*amount: 4,321/);
        const balance = await ground()
          .world.client.contract(ground().world.token)
          .view('balance_of', { owner: devAccount(9).address });
        assert.equal(balance, '4321');
        assert.ok(bodies.some((body) => body.includes('tx_submit')));
        assert.ok(!bodies.some((body) => body.includes(secret.slice(2))));
        const kept = await page.evaluate(() => {
          const scope = globalThis as typeof globalThis &
            Record<'sessionStorage' | 'localStorage', { length: number }>;
          return scope.sessionStorage.length + scope.localStorage.length;
        });
        assert.equal(kept, 0);
      });
    });

    test('a key is forgotten with the page, unless the user keeps it for the tab', async () => {
      await withPage(async (page, url) => {
        await visit(page, url, '#/settings');
        await page.getByLabel('Private key').fill('12');
        await page.getByRole('button', { name: 'Use this key' }).click();
        await page.getByRole('alert').filter({ hasText: '64 hex digits' }).waitFor();
        await page.getByRole('button', { name: 'Generate a new key' }).click();
        await page.getByText('generated here').waitFor();
        await page.reload();
        await page.getByLabel('Private key').waitFor();
        await page.getByLabel('Scheme').selectOption('secp256k1');
        await page.getByLabel('Private key').fill('5b'.repeat(32));
        await page.getByRole('button', { name: 'Use this key' }).click();
        await page.getByLabel('Keep the key in this tab').check();
        await page.reload();
        await page.getByText('secp256k1, entered here').waitFor();
        await page.getByRole('button', { name: 'Forget the key' }).click();
        await page.reload();
        await page.getByLabel('Private key').waitFor();
      });
    });

    test('a token that the node does not know is reported, and forgotten on request', async () => {
      await withPage(async (page, url) => {
        await visit(page, url, '#/settings');
        await page.getByLabel('Bearer token').fill('two words');
        await page.getByRole('button', { name: 'Use this token' }).click();
        await page.getByRole('alert').filter({ hasText: 'no spaces' }).waitFor();
        await page.getByLabel('Bearer token').fill('wrong');
        await page.getByRole('button', { name: 'Use this token' }).click();
        await page.getByText('The node asks for a valid access token').waitFor();
        await page.getByRole('button', { name: 'Forget the token' }).click();
        await page.getByText('The node asks for a valid access token').waitFor({ state: 'detached' });
      });
    });

    test('calls that are refused for their price or rate say so', async () => {
      await withPage(async (page, url) => {
        await visit(page, url, `#/address/${ground().world.token}/interface`);
        const form = await openForm(page, 'symbol');
        for (const [status, kind, data, message] of [
          [402, 'payment_required', { price: 10, left: 3 }, 'The paid quota is used up'],
          [403, 'forbidden', { required: 'paid' }, 'This access token does not allow the call'],
          [401, 'unauthorized', { required: 'paid' }, 'The node asks for a valid access token'],
          [429, 'rate_limited', { retry_after_ms: 10, retryable: true }, 'Too many calls in a short time'],
          [503, 'overloaded', { retry_after_ms: 10, retryable: true }, 'The node is overloaded'],
        ] as const) {
          await page.route('**/v2/rpc', async (route) => {
            const body = route.request().postData() ?? '';
            if (!body.includes('view_call')) return route.continue();
            const { id } = JSON.parse(body) as { readonly id: number };
            const error = {
              code: -32000,
              message: 'told by the node',
              data: { kind, retryable: false, ...data },
            };
            return route.fulfill({ status, json: { jsonrpc: '2.0', id, error } });
          });
          await form.getByRole('button', { name: 'Run' }).click();
          const alert = form.getByRole('alert').filter({ hasText: message });
          await alert.waitFor();
          await alert.getByText('told by the node').waitFor();
          assert.equal(
            await form.locator('summary', { hasText: 'Enter an access token' }).count(),
            status < 429 ? 1 : 0,
          );
          await page.unroute('**/v2/rpc');
        }
        await form.getByRole('button', { name: 'Try again' }).click();
        await form.locator('.outcome').getByText('THR').waitFor();
      });
    });

    test('a hostile contract is only text: no script runs, no element appears, no form hangs', async () => {
      await withPage(async (page, url) => {
        for (const fragment of [
          `#/address/${ground().world.hostile}/interface`,
          `#/address/${ground().world.hostile}/events`,
          `#/address/${ground().world.hostile}/source`,
          `#/tx/${ground().world.shout}`,
        ]) {
          await visit(page, url, fragment);
          assert.match((await page.locator('main').textContent()) ?? '', /<img src=x onerror=/, fragment);
          assert.equal(await page.locator('main img, main script').count(), 0, fragment);
          assert.match(await page.title(), /· Heddle$/);
        }
        await visit(page, url, `#/address/${ground().world.hostile}/interface`);
        for (const name of ['wide', 'deep', 'fixed', 'a…']) {
          const form = await openForm(page, name);
          await form.getByRole('button', { name: 'Run' }).waitFor();
        }
        const echo = await openForm(page, 'echo');
        await echo.getByRole('button', { name: 'Run' }).click();
        // The direction override and the zero byte are shown as escapes.
        await echo.locator('.outcome').getByText('\\u202egnp.exe\\u0000', { exact: false }).first().waitFor();
        assert.equal(await page.locator('main img, main script').count(), 0);
      });
    });
  });
}
