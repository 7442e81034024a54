import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { contentsOf } from '../../bench/report/contents.js';
import { benchmarkPage } from '../../bench/report/page.js';
import { compareLoads } from '../../src/load/comparison.js';
import { reportPage } from '../../src/load/report-page.js';
import { figure, sampleRun } from '../bench/sample-run.js';
import { launch, openWatched, WITHOUT_BROWSER } from '../explorer/browser.js';
import { removeDirectory, temporaryDirectory } from '../support/temporary-directory.js';
import { sampleReport } from './sample-report.js';

const now = sampleReport({ url: `http://${'long-name-of-a-host.'.repeat(12)}example/v2/rpc` });
const PAGES = {
  load: reportPage({ ...now, comparison: compareLoads(now, now) }, now),
  benchmark: benchmarkPage(
    contentsOf(
      sampleRun(
        [
          figure('a figure with a name that has no room on a phone: and another part of it', [12], {
            baselines: [{ name: 'a bare server of uWebSockets.js', rounds: [1] }],
          }),
        ],
        [
          {
            name: 'reads',
            over: 'accounts',
            unit: 'ms',
            better: 'lower',
            largestExponent: 1,
            points: [10, 100, 1_000].map((size) => ({ size, rounds: [2 * size] })),
          },
        ],
      ),
    ),
  ),
};

// Only a browser draws a plot and lays out a page.
describe('the pages of reports in a browser', { skip: WITHOUT_BROWSER }, () => {
  const directory = temporaryDirectory();
  let browser: Browser;
  before(async () => {
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    removeDirectory(directory);
  });

  for (const [name, page] of Object.entries(PAGES)) {
    test(`${name}: draws every plot, fits a phone, and follows the colour scheme`, async () => {
      const file = join(directory, `${name}.html`);
      writeFileSync(file, page);
      const url = pathToFileURL(file).href;
      const viewport = { width: 390, height: 844 };
      const watched = await openWatched(browser, url, { viewport, colorScheme: 'light' });
      await watched.page.goto(url);
      // Runs in the page: strings, because these types do not have its globals.
      const width = await watched.page.evaluate<number>('document.documentElement.scrollWidth');
      assert.equal(width, viewport.width);
      const [figures, canvases] = await Promise.all(
        ['figure.plot', 'figure.plot canvas'].map((selector) => watched.page.locator(selector).count()),
      );
      assert.ok((figures ?? 0) > 0);
      assert.equal(canvases, figures);
      const pictures = () =>
        watched.page.evaluate<string>("document.querySelector('figure.plot canvas').toDataURL()");
      const light = await pictures();
      await watched.page.emulateMedia({ colorScheme: 'dark' });
      await watched.page.waitForFunction(
        `document.querySelector('figure.plot canvas').toDataURL() !== ${JSON.stringify(light)}`,
      );
      assert.deepEqual(watched.faults, []);
      await watched.page.context().close();
    });
  }
});
