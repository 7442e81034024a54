import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QuotaError } from '../../../../src/rpc/access/quota-store.js';
import type { TokenDay } from '../../../../src/rpc/access/usage/usage.js';
import { UsageBook } from '../../../../src/rpc/access/usage/usage-book.js';

const DAY = '2026-11-29';

function used(token: string, calls = 1, method = 'status'): TokenDay {
  return { day: DAY, token, subject: 'ann', methods: [{ method, calls, units: 10 * calls }] };
}

function openBook({ isShared = false } = {}) {
  const state = {
    isUp: true,
    writes: [] as (readonly TokenDay[])[],
    purged: [] as string[],
    lost: [] as number[],
    faults: [] as unknown[],
    fail: undefined as Error | undefined,
    hang: undefined as Promise<void> | undefined,
  };
  const book = new UsageBook({
    store: {
      get isUp() {
        return state.isUp;
      },
      add: async (usage) => {
        state.writes.push(usage);
        if (state.fail !== undefined) throw state.fail;
        await state.hang;
      },
      usage: async () => state.writes.flat(),
      purge: async (before) => void state.purged.push(before),
    },
    now: () => Date.parse(`${DAY}T12:00:00Z`),
    isShared,
    onFault: (error) => void state.faults.push(error),
    onLost: (calls) => void state.lost.push(calls),
  });
  return { book, state };
}

test('many reports share a write, summed by token, day and method', async () => {
  const { book, state } = openBook();
  for (let report = 0; report < 1_000; report++) {
    await book.report([used('a'), used('b', 2), used('a', 1, 'get_logs')]);
  }
  assert.deepEqual(state.writes, [], 'nothing is written for a report');
  await book.flush();
  await book.flush();
  const of = (token: string, ...methods: TokenDay['methods']) => ({ ...used(token), methods });
  assert.deepEqual(state.writes, [
    [
      of(
        'a',
        { method: 'status', calls: 1_000, units: 10_000 },
        { method: 'get_logs', calls: 1_000, units: 10_000 },
      ),
      of('b', { method: 'status', calls: 2_000, units: 20_000 }),
    ],
  ]);
});

test('usage waits while a shared store is down', async () => {
  const { book, state } = openBook({ isShared: true });
  state.isUp = false;
  await book.report([used('a')]);
  await book.flush();
  await book.report([used('a', 2)]);
  assert.deepEqual([state.writes, state.lost], [[], []]);
  state.isUp = true;
  await book.flush();
  assert.deepEqual(state.writes, [[used('a', 3)]]);
});

test('a write that fails is not repeated, because its usage may have been added', async () => {
  const { book, state } = openBook({ isShared: true });
  state.fail = new QuotaError('unavailable', 'away');
  await book.report([used('a', 3)]);
  await book.flush();
  state.fail = undefined;
  await book.flush();
  assert.equal(state.writes.length, 1);
  assert.deepEqual([state.lost, state.faults], [[3], []]);
  state.fail = new Error('damaged');
  await book.report([used('a', 4)]);
  await book.flush();
  assert.deepEqual([state.lost, state.faults], [[3, 4], [state.fail]]);
});

test('the usage in memory stays bounded while a store is down', async () => {
  const { book, state } = openBook({ isShared: true });
  state.isUp = false;
  for (let at = 0; at < 100_500; at++) await book.report([used(`t${at}`)]);
  await book.report([used('t1')]);
  state.isUp = true;
  await book.flush();
  assert.equal(state.writes.flat().length, 100_000);
  assert.equal(state.writes.flat()[1]?.methods[0]?.calls, 2, 'what waits goes on counting');
  assert.deepEqual(state.lost, [500]);
});

test('a clean stop writes what waits, and counts what a shared store no longer takes', async () => {
  const own = openBook();
  await own.book.report([used('a')]);
  await own.book.close();
  assert.deepEqual(own.state.writes, [[used('a')]]);

  const away = openBook({ isShared: true });
  away.state.isUp = false;
  await away.book.report([used('a', 5)]);
  await away.book.close();
  assert.deepEqual([away.state.writes, away.state.lost], [[], [5]]);

  const hanging = openBook({ isShared: true });
  hanging.state.hang = new Promise(() => undefined);
  await hanging.book.report([used('a')]);
  await hanging.book.close();
  assert.equal(hanging.state.writes.length, 1);
});

test('usage is kept for 400 days', async () => {
  const { book, state } = openBook();
  await book.purge();
  assert.deepEqual(state.purged, ['2025-10-25']);
});
