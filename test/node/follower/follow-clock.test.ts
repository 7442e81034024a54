import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChainClock } from '../../../src/chain/chain-clock.js';
import { followClock } from '../../../src/node/follower/follow-clock.js';

test('new blocks of a chain with an advanced clock advance the follower’s, old ones do not set it back', () => {
  let wall = 10_000;
  const clock = new ChainClock(() => wall);
  followClock(clock, 9_990n);
  assert.equal(clock.now(), 10_000);
  followClock(clock, 86_410_000n);
  assert.equal(clock.now(), 86_410_000);
  wall += 250;
  assert.equal(clock.now(), 86_410_250);
  // The controls may set the clock back, as long as it stays after the last block.
  followClock(clock, 86_410_001n);
  assert.equal(clock.now(), 86_410_001);
  followClock(clock, 400n);
  assert.equal(clock.now(), wall);
});
