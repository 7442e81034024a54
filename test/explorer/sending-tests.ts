// Signed calls: nobody signs twice because an answer is lost, and nobody pays for a call that was bound to fail.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { devAccount, formatAddress } from '../../src/client/client.js';
import { defaultGasLimit } from '../../src/ledger/gas.js';
import { openWatched, visit } from './browser.js';
import { ADDRESS_LIKE, BUSY_IDL, busyCode } from './busy-contract.js';
import type { Ground } from './ground.js';

const OTHER = formatAddress(devAccount(9).address);
const RPC = '**/v2/rpc';

export function testSending(ground: () => Ground): void {
  describe('a signed call in the explorer', () => {
    let busy: string;
    before(async () => {
      const sender = ground().world.client.sender(devAccount(0));
      busy = formatAddress((await sender.deploy({ code: busyCode(), idl: BUSY_IDL })).contract.address);
    });

    /** Opens the form of a function with a development account as the key. */
    async function withForm(
      {
        account,
        contract,
        name,
      }: { readonly account: number; readonly contract: string; readonly name: string },
      use: (form: Locator, page: Page, faults: string[]) => Promise<void>,
    ): Promise<void> {
      const { page, faults } = await openWatched(ground().browser, ground().world.url);
      await visit(page, ground().world.url, '#/settings');
      await page.getByLabel('Development account').selectOption(String(account));
      await page.getByText(`development account ${account}`).waitFor();
      await page.evaluate((fragment) => {
        (globalThis as typeof globalThis & { location: { hash: string } }).location.hash = fragment;
      }, `#/address/${contract}/interface`);
      const form = page
        .locator('details')
        .filter({ has: page.locator('summary', { hasText: `${name}(` }) })
        .first();
      await form.locator('summary').click();
      await use(form, page, faults);
      await page.context().close();
      assert.deepEqual(faults, []);
    }

    /** The encoded transactions that the page submits. */
    function submissions(page: Page): Set<string> {
      const seen = new Set<string>();
      page.on('request', (request) => {
        const encoded = /"tx_submit".*"encoded":"(0x[0-9a-f]+)"/.exec(request.postData() ?? '')?.[1];
        if (encoded !== undefined) seen.add(encoded);
      });
      return seen;
    }

    async function balanceOfOther(): Promise<bigint> {
      const view = await ground()
        .world.client.contract(ground().world.token)
        .view('balance_of', { owner: devAccount(9).address });
      return BigInt(String(view));
    }

    test('shows its hash at once, and keeps it when the connection drops and the page is left', async () => {
      await withForm(
        { account: 0, contract: ground().world.token, name: 'transfer' },
        async (form, page, faults) => {
          const seen = submissions(page);
          const before = await balanceOfOther();
          let isDown = true;
          let answer = (): void => undefined;
          const gate = new Promise<void>((resolve) => {
            answer = resolve;
          });
          await page.route(RPC, async (route) => {
            const body = route.request().postData() ?? '';
            if (isDown && body.includes('"tx_submit"')) {
              await gate;
              // The node has the transaction, but its answer is lost.
              await route.fetch();
              return route.abort();
            }
            if (isDown && /"tx_(receipt|by_hash)"/.test(body)) return route.abort();
            return route.fallback();
          });
          await form.getByLabel('to', { exact: false }).first().fill(OTHER);
          await form.getByLabel('amount').fill('77');
          await form.getByRole('button', { name: 'Sign and send' }).click();
          await form.getByText('On its way').waitFor();
          const link = form.locator('.outcome a[href^="#/tx/"]');
          const href = await link.getAttribute('href');
          answer();
          await form.getByText('Perhaps sent').waitFor();
          assert.equal(await link.getAttribute('href'), href);
          assert.equal(await form.getByRole('button', { name: 'Sign and send' }).isDisabled(), true);
          // The form disappears with its page; the transaction does not.
          await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Blocks' }).click();
          await page.getByRole('heading', { level: 1, name: 'Blocks' }).waitFor();
          await page.goBack();
          assert.equal(await link.getAttribute('href'), href);
          isDown = false;
          await form.getByRole('button', { name: 'Look for it again' }).click();
          await form.locator('.outcome').getByText('amount: 77').waitFor();
          assert.equal(seen.size, 1);
          assert.equal(await balanceOfOther(), before + 77n);
          // The next call has the next nonce.
          await form.getByLabel('to', { exact: false }).first().fill(OTHER);
          await form.getByLabel('amount').fill('5');
          await form.getByRole('button', { name: 'Sign and send' }).click();
          await form.locator('.outcome').getByText('amount: 5').waitFor();
          assert.equal(await balanceOfOther(), before + 82n);
          for (const fault of faults.splice(0)) assert.match(fault, /ERR_FAILED/);
        },
      );
    });

    test('that never arrived can be given up and signed again', async () => {
      await withForm(
        { account: 0, contract: ground().world.token, name: 'transfer' },
        async (form, page, faults) => {
          const before = await balanceOfOther();
          await page.route(RPC, (route) =>
            route.request().postData()?.includes('"tx_submit"') === true ? route.abort() : route.fallback(),
          );
          await form.getByLabel('to', { exact: false }).first().fill(OTHER);
          await form.getByLabel('amount').fill('9');
          await form.getByRole('button', { name: 'Sign and send' }).click();
          await form.getByText('Perhaps sent').waitFor();
          await form.getByRole('button', { name: 'Look for it again' }).click();
          await form.getByRole('alert').filter({ hasText: 'knows no transaction' }).waitFor();
          await page.unroute(RPC);
          await form.getByRole('button', { name: 'Sign and send' }).click();
          await form.locator('.outcome').getByText('amount: 9').waitFor();
          assert.equal(await balanceOfOther(), before + 9n);
          for (const fault of faults.splice(0)) assert.match(fault, /ERR_FAILED/);
        },
      );
    });

    test('that needs more gas than the default is signed with enough; its list is given as JSON', async () => {
      await withForm({ account: 1, contract: busy, name: 'work' }, async (form, page) => {
        const seen = submissions(page);
        await form.getByRole('button', { name: 'Add an item to loops' }).click();
        await form.getByLabel('loops 1', { exact: false }).first().fill('7');
        await form.getByRole('button', { name: 'Enter as JSON: loops' }).click();
        const text = form.locator('textarea').first();
        assert.deepEqual(JSON.parse(await text.inputValue()), [7]);
        await text.fill(JSON.stringify(Array.from({ length: 300 }, (_, at) => at)));
        await form.getByRole('button', { name: 'Simulate' }).click();
        await form.getByText('Simulation: nothing was sent').waitFor();
        await form.getByText(/for a fee of at most [\d,]+/).waitFor();
        await form.getByRole('button', { name: 'Sign and send' }).click();
        await form.locator('.outcome h4', { hasText: /^Sent$/ }).waitFor();
        const outcome = (await form.locator('.outcome').textContent()) ?? '';
        assert.match(outcome, /Status✓ success/);
        const used = Number(/Gas used([\d,]+)/.exec(outcome)?.[1]?.replaceAll(',', ''));
        const call = { contract: new Uint8Array(20), input: new Uint8Array(3_000), value: 0n };
        assert.ok(used > Number(defaultGasLimit({ type: 'call', value: call })), `${used} gas`);
        assert.equal(seen.size, 1);
        // The gas limit that the user gives is the one that is simulated.
        await form.getByLabel('Gas limit').fill('300,000');
        await form.getByRole('button', { name: 'Sign and send' }).click();
        await form.getByText('The call would fail now').waitFor();
        await form.locator('.outcome').getByText('out of gas').waitFor();
        assert.equal(seen.size, 1);
        await form.getByRole('button', { name: 'Do not send' }).click();
        await form.getByText('The call would fail now').waitFor({ state: 'detached' });
      });
    });

    test('that would fail is not sent, unless the user insists', async () => {
      await withForm({ account: 5, contract: ground().world.token, name: 'transfer' }, async (form, page) => {
        const seen = submissions(page);
        await form.getByLabel('to', { exact: false }).first().fill(OTHER);
        await form.getByLabel('amount').fill('1');
        await form.getByRole('button', { name: 'Sign and send' }).click();
        await form.getByText('The call would fail now').waitFor();
        await form.locator('.outcome').getByText('InsufficientBalance').waitFor();
        assert.equal(seen.size, 0);
        await form.getByRole('button', { name: 'Send anyway' }).click();
        await form.locator('.outcome h4', { hasText: /^Sent$/ }).waitFor();
        assert.match((await form.locator('.outcome').textContent()) ?? '', /reverted/);
        assert.equal(seen.size, 1);
      });
    });

    test('a string of the contract is shown as text, although it looks like an address', async () => {
      await withForm({ account: 1, contract: busy, name: 'label' }, async (form) => {
        await form.getByRole('button', { name: 'Run' }).click();
        await form.locator('.outcome').getByText(ADDRESS_LIKE).waitFor();
        assert.equal(await form.locator('.outcome a[href^="#/address/"]').count(), 0);
      });
    });
  });
}
