// Calls from the explorer in a browser, and the keyboard.
import { describe } from 'node:test';
import { testKeyboard } from './accessibility-tests.js';
import { WITHOUT_BROWSER } from './browser.js';
import { testCalls } from './call-tests.js';
import { withGround } from './ground.js';
import { testSending } from './sending-tests.js';

describe('the explorer', { skip: WITHOUT_BROWSER, timeout: 900_000 }, () => {
  const ground = withGround();
  testCalls(ground);
  testSending(ground);
  testKeyboard(ground);
});
