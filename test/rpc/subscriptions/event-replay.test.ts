import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Meter } from '../../../src/rpc/access/meter.js';
import { UNIT_GAS } from '../../../src/rpc/calls/charges.js';
import { EventReplay } from '../../../src/rpc/subscriptions/event-replay.js';

test('a page of past events costs its price before it is read, and the work of its reads once it is sent', () => {
  const charges: [kind: string, units: number][] = [];
  const meter: Meter = {
    charge: ({ cost }) => void charges.push(['page', cost]),
    chargeLater: () => Promise.resolve(undefined),
    chargeWork: (units) => void charges.push(['work', units]),
    refund: () => undefined,
    chargeRefusal: () => undefined,
    headers: () => [],
  };
  const replay = new EventReplay({ topic: 'logs', meter, isLong: false, onEnd: () => undefined });
  assert.equal(replay.pay(), 'paid');
  replay.work?.use(9, 3 * UNIT_GAS);
  replay.sent();
  assert.equal(replay.pay(), 'paid');
  replay.sent();
  assert.deepEqual(charges, [
    ['page', 20],
    ['work', 3],
    ['page', 20],
  ]);
});
