import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time limit for an expected event on a slow machine. */
export const DEADLINE_MS = 240_000;

/** Waits for an expected event, however slow the machine is. */
export async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  for (let pauseMs = 5; !(await holds()); pauseMs = Math.min(100, pauseMs * 2)) {
    assert.ok(performance.now() < deadline, `timed out: ${what}`);
    await sleep(pauseMs);
  }
}
