// Calls from the explorer in a browser, unusual answers, and the keyboard.
import { describe } from 'node:test';
import { testAxe, testKeyboard } from './accessibility-tests.js';
import { testAnswers } from './answer-tests.js';
import { WITHOUT_BROWSER } from './browser.js';
import { testCalls } from './call-tests.js';
import { withGround } from './ground.js';
import { testSending } from './sending-tests.js';

/** A page of each kind; the slow tier examines all. */
const EXAMINED = new Set(['overview', 'swap', 'account', 'interface', 'hostile', 'settings']);

describe('the explorer', { skip: WITHOUT_BROWSER, timeout: 900_000 }, () => {
  const ground = withGround();
  testCalls(ground);
  testSending(ground);
  testAnswers(ground);
  testKeyboard(ground);
  testAxe(ground, 'light', (name) => EXAMINED.has(name));
});
