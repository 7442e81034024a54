// The pages of the explorer in a browser, below a base path.
import { describe } from 'node:test';
import { WITHOUT_BROWSER } from './browser.js';
import { withGround } from './ground.js';
import { testLiveFeed } from './live-tests.js';
import { testPages } from './page-tests.js';

describe('the explorer below a base path', { skip: WITHOUT_BROWSER, timeout: 900_000 }, () => {
  // Block 3 is out of the window, so the node no longer has the tree of its state.
  const ground = withGround(['--base-url', '/node', '--proof-window', '8']);
  testPages(ground);
  testLiveFeed(ground);
});
