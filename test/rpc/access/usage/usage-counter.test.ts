import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TokenDay } from '../../../../src/rpc/access/usage/usage.js';
import { UsageCounter } from '../../../../src/rpc/access/usage/usage-counter.js';
import { pricedMethod } from '../../../support/tokens/priced-method.js';

const NOON = Date.parse('2026-11-29T12:00:00Z');
const ANN = { id: 'a', subject: 'ann' };

function counting(now: () => number = () => NOON) {
  const reports: (readonly TokenDay[])[] = [];
  const counter = new UsageCounter({ report: async (usage) => void reports.push(usage) }, now);
  return { counter, reports };
}

test('a thread reports what it charged by token and method, once', async () => {
  const { counter, reports } = counting();
  const [ann, bob] = [counter.of(ANN), counter.of({ id: 'b', subject: 'bob' })];
  ann.add(pricedMethod(1), 1, 1);
  ann.add(pricedMethod(20, 'get_logs'), 1, 20);
  ann.add(pricedMethod(20, 'get_logs'), 0, 7);
  ann.add(pricedMethod(1), 1, 1);
  bob.add(pricedMethod(1), 1, 1);
  await counter.flush();
  await counter.flush();
  const day = '2026-11-29';
  assert.deepEqual(reports, [
    [
      {
        day,
        token: 'a',
        subject: 'ann',
        methods: [
          { method: 'status', calls: 2, units: 2 },
          { method: 'get_logs', calls: 1, units: 27 },
        ],
      },
      { day, token: 'b', subject: 'bob', methods: [{ method: 'status', calls: 1, units: 1 }] },
    ],
  ]);
  ann.add(pricedMethod(1), 1, 1);
  await counter.flush();
  assert.equal(reports[1]?.[0]?.methods[0]?.calls, 1, 'a report begins at zero');
});

test('a refund subtracts a call, and a call that is refunded at once is not reported', async () => {
  const { counter, reports } = counting();
  const usage = counter.of(ANN);
  usage.add(pricedMethod(5), 1, 5);
  usage.add(pricedMethod(5), -1, -5);
  await counter.flush();
  assert.equal(reports.length, 0);
  usage.add(pricedMethod(5), -1, -5);
  await counter.flush();
  assert.deepEqual(reports[0]?.[0]?.methods, [{ method: 'status', calls: -1, units: -5 }]);
});

test('charges count for the day on which they begin', async () => {
  let now = Date.parse('2026-12-31T23:59:59.999Z');
  const { counter, reports } = counting(() => now);
  const usage = counter.of(ANN);
  usage.add(pricedMethod(1), 1, 1);
  now += 2;
  await counter.flush();
  usage.add(pricedMethod(1), 1, 1);
  await counter.flush();
  assert.deepEqual(
    reports.flat().map(({ day }) => day),
    ['2026-12-31', '2027-01-01'],
  );
});
