// Every page of the explorer in both colours, and unusual answers.
import { describe } from 'node:test';
import { testAxe } from './accessibility-tests.js';
import { testAnswers } from './answer-tests.js';
import { WITHOUT_BROWSER } from './browser.js';
import { withGround } from './ground.js';

describe('the explorer', { skip: WITHOUT_BROWSER, timeout: 900_000 }, () => {
  const ground = withGround();
  testAnswers(ground);
  testAxe(ground, 'light');
  testAxe(ground, 'dark');
});
