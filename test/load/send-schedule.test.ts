import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SendSchedule } from '../../src/load/send-schedule.js';

const RATE = 200;
const DURATION_MS = 8_000;

/** The numbers sent and held back by a load that looks every 10 ms, and the time at which it was stopped. */
function run(
  room: (elapsedMs: number) => number,
  stoppedMs = DURATION_MS,
): { sent: number; heldBack: number } {
  const schedule = new SendSchedule(RATE, DURATION_MS);
  let sent = 0;
  let heldBack = 0;
  for (let elapsedMs = 3; elapsedMs < stoppedMs; elapsedMs += 10) {
    const next = schedule.next(elapsedMs, room(elapsedMs));
    sent += next.send;
    heldBack += next.heldBack;
  }
  const last = schedule.next(stoppedMs + 7, room(stoppedMs));
  const left = schedule.end(stoppedMs + 7);
  return { sent: sent + last.send, heldBack: heldBack + last.heldBack + left };
}

test('all transactions are sent if there is always room', () => {
  assert.deepEqual(
    run(() => 1_000),
    { sent: 1_600, heldBack: 0 },
  );
});

test('transactions that a stall delays are held back, even if the load ends before they are too late', () => {
  assert.deepEqual(
    run((elapsedMs) => (elapsedMs < 7_500 ? 1_000 : 0)),
    { sent: 1_498, heldBack: 102 },
  );
  const { sent, heldBack } = run((elapsedMs) => (elapsedMs > 3_000 && elapsedMs < 5_000 ? 0 : 2));
  assert.equal(sent + heldBack, 1_600);
  assert.ok(heldBack > 190, `${heldBack}`);
});

test('every planned transaction is accounted for, whatever room there is and whenever the load ends', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -3, max: 12 }), { minLength: 1 }),
      fc.integer({ min: 0, max: DURATION_MS }),
      (rooms, stoppedMs) => {
        const { sent, heldBack } = run((elapsedMs) => rooms[elapsedMs % rooms.length] ?? 0, stoppedMs);
        assert.equal(sent + heldBack, Math.floor((RATE * Math.min(DURATION_MS, stoppedMs + 7)) / 1_000));
      },
    ),
  );
});
