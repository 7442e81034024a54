import { after, before } from 'node:test';
import type { Browser } from 'playwright-core';
import { launch } from './browser.js';
import { type ExplorerWorld, startExplorerWorld } from './explorer-world.js';

/** A node and a browser, which the suites of a file share. */
export interface Ground {
  readonly world: ExplorerWorld;
  readonly browser: Browser;
}

/** Starts them before the tests of a suite. @param flags further flags of the node */
export function withGround(flags: readonly string[] = []): () => Ground {
  let world: ExplorerWorld | undefined;
  let browser: Browser | undefined;
  before(async () => {
    world = await startExplorerWorld(flags);
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await world?.node.dispose();
  });
  return () => {
    if (world === undefined || browser === undefined)
      throw new Error('the node and the browser are started first');
    return { world, browser };
  };
}
