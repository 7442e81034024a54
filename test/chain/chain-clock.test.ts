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
