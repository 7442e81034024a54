// Takes pictures of every page of the explorer: npm run explorer:screens -- DIRECTORY [part of a page's name …]
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launch, openWatched, settled, visit } from './browser.js';
import { pagesOf, startExplorerWorld } from './explorer-world.js';

const SIZES = [
  ['phone', { width: 360, height: 780 }],
  ['desk', { width: 1_280, height: 800 }],
] as const;
const COLOURS = ['light', 'dark'] as const;

const [directory, ...wanted] = process.argv.slice(2);
if (directory === undefined) {
  console.error('usage: npm run explorer:screens -- DIRECTORY [part of a page name …]');
  process.exit(2);
}
mkdirSync(directory, { recursive: true });

/** Opens what a visitor opens on some of the pages. */
async function openParts(page: Page, name: string): Promise<void> {
  if (name === 'swap') await page.getByRole('button', { name: 'Trace this transaction' }).click();
  if (name === 'validators' || name === 'block') {
    await page.getByRole('button', { name: 'Check finality in this browser' }).click();
  }
  if (name === 'interface') {
    await page.locator('summary', { hasText: 'balance_of' }).click();
    await page.getByLabel('owner').fill('0x8628ebcb49f661e121feae211f22d5bc9d704dc1');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('summary', { hasText: /^transfer\(/ }).click();
    await page.getByRole('button', { name: 'Simulate' }).click();
  }
  if (name === 'hostile') {
    for (const part of ['wide(', 'deep(']) await page.locator('summary', { hasText: part }).click();
  }
  await settled(page);
}

const world = await startExplorerWorld();
const browser = await launch();
try {
  const { url } = world;
  for (const [size, viewport] of SIZES) {
    for (const colorScheme of COLOURS) {
      const { page, faults } = await openWatched(browser, url, { viewport, colorScheme });
      for (const [name, fragment] of Object.entries(pagesOf(world))) {
        if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
        await visit(page, url, fragment);
        await openParts(page, name);
        await page.screenshot({
          path: join(directory, `${name}-${size}-${colorScheme}.png`),
          fullPage: true,
        });
      }
      for (const fault of faults) console.error(`${size} ${colorScheme}: ${fault}`);
      await page.context().close();
    }
  }
} finally {
  await browser.close();
  await world.node.dispose();
}
