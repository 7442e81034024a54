// The explorer in a browser, under a base path: pages, calls, and the keyboard.
import { describe } from 'node:test';
import { testKeyboard } from './accessibility-tests.js';
import { WITHOUT_BROWSER } from './browser.js';
import { testCalls } from './call-tests.js';
import { withGround } from './ground.js';
import { testLiveFeed } from './live-tests.js';
import { testPages } from './page-tests.js';
import { testSending } from './sending-tests.js';

describe('the explorer under a base path', { skip: WITHOUT_BROWSER, timeout: 900_000 }, () => {
  // Block 3 is out of the window, so the node no longer has the tree of its state.
  const ground = withGround(['--base-url', '/node', '--proof-window', '8']);
  testPages(ground);
  testLiveFeed(ground);
  testCalls(ground);
  testSending(ground);
  testKeyboard(ground);
});
