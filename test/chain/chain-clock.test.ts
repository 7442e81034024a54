import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChainClock } from '../../src/chain/chain-clock.js';

test('the clocks of all threads have the lead that one of them was given', () => {
  let wall = 1_000.7;
  const clock = new ChainClock(() => wall);
  const other = new ChainClock(() => wall, clock.memory);
  assert.equal(other.now(), 1_000);
  clock.setLead(clock.leadAt(400));
  assert.deepEqual([clock.now(), other.now()], [400, 400]);
  wall += 50;
  assert.deepEqual([clock.now(), other.now()], [450, 450]);
});

test('new blocks of a chain with an advanced clock advance the follower’s, and old ones do not set it back', () => {
  let wall = 10_000;
  const clock = new ChainClock(() => wall);
  clock.followBlock(9_990n);
  assert.equal(clock.now(), 10_000);
  clock.followBlock(86_410_000n);
  assert.equal(clock.now(), 86_410_000);
  wall += 250;
  assert.equal(clock.now(), 86_410_250);
  // The controls may set the clock back, as long as it stays after the last block.
  clock.followBlock(86_410_001n);
  assert.equal(clock.now(), 86_410_001);
  clock.followBlock(400n);
  assert.equal(clock.now(), wall);
});
