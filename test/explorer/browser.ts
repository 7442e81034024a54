import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from '../support/pages/chromium.js';

/** Path of this machine's browser, or undefined. */
export const BROWSER = findChromium();

/** Why tests that need a browser are skipped; false if they run. */
export const WITHOUT_BROWSER = BROWSER === undefined ? 'no Chromium on this machine' : false;

/** Starts a headless browser; the caller closes it. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    ...(BROWSER !== undefined && { executablePath: BROWSER }),
    timeout: 120_000,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  });
}

/** A page whose every fault is on record. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors on the console, uncaught errors, policy violations and requests to other hosts, in order. */
  readonly faults: string[];
}

/** Answers of the node that the browser reports on the console although a test provoked them. */
const EXPECTED = /the server responded with a status of (401|402|403|429|503)/;

/** Opens a page that is watched from its first request on. @param url of the node, with its base path */
export async function openWatched(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !EXPECTED.test(message.text())) {
      faults.push(`console: ${message.text()}`);
    }
  });
  page.on('pageerror', (error) => faults.push(`uncaught: ${error.message}`));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && origin !== new URL(url).origin) faults.push(`foreign: ${request.url()}`);
  });
  await page.exposeFunction('reportFault', (text: string) => faults.push(text));
  await page.addInitScript(() => {
    const scope = globalThis as typeof globalThis & {
      addEventListener(name: string, listen: (event: { readonly violatedDirective: string }) => void): void;
      reportFault(text: string): void;
    };
    scope.addEventListener('securitypolicyviolation', (event) =>
      scope.reportFault(`policy: ${event.violatedDirective}`),
    );
  });
  return { page, faults };
}

/** Opens one of the explorer's pages and waits until nothing on it loads. */
export async function visit(page: Page, url: string, fragment: string): Promise<void> {
  await page.goto(`${url}/${fragment}`);
  await settled(page);
}

/** Waits until a page has its heading, and nothing on it loads. */
export async function settled(page: Page): Promise<void> {
  await page.locator('#page-title').waitFor();
  await page.locator('.foot p').waitFor();
  await page.locator('.waiting').first().waitFor({ state: 'detached' });
}
