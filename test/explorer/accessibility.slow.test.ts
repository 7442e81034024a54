import { describe } from 'node:test';
import { testAxe } from './accessibility-tests.js';
import { WITHOUT_BROWSER } from './browser.js';
import { withGround } from './ground.js';

describe('the explorer', { skip: WITHOUT_BROWSER, timeout: 900_000 }, () => {
  const ground = withGround();
  testAxe(ground, 'light');
  testAxe(ground, 'dark');
});
