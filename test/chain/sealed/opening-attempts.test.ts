// Retries and time limits of openings that fail.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type AttemptedOpening,
  OpeningAttempts,
  type OpeningFault,
} from '../../../src/chain/sealed/opening-attempts.js';
import type { Cancellation } from '../../../src/execution/cancellation.js';
import { ExecutionError } from '../../../src/execution/execution-error.js';
import { StoreError } from '../../../src/storage/store-error.js';

const opening = (height: bigint, name = '00'): AttemptedOpening => ({
  height,
  hashHex: name.repeat(32),
  gas: 1_000n,
});
const died = () => new ExecutionError('worker_died', 'a worker died', { cause: new Error('gone') });

function counted() {
  const faults: OpeningFault[] = [];
  const clock = { ms: 0 };
  const attempts = new OpeningAttempts({ now: () => clock.ms, onFault: (fault) => faults.push(fault) });
  return { attempts, faults, clock };
}

test('the pause after a failure doubles up to a minute, and ends with a success', async () => {
  const { attempts, faults, clock } = counted();
  const fail = () => attempts.run([opening(5n)], () => Promise.reject(died()));
  for (const seconds of [1, 2, 4, 8, 16, 32, 64, 64]) {
    await assert.rejects(fail(), { code: 'worker_died' });
    assert.equal(faults.at(-1)?.pauseMs, seconds * 1_000);
    clock.ms += seconds * 1_000 - 1;
    await assert.rejects(fail(), { code: 'put_off' });
    clock.ms += 1;
  }
  assert.deepEqual([faults.length, attempts.faults.length], [8, 1]);
  assert.equal(await attempts.run([opening(5n)], async () => 'open'), 'open');
  assert.deepEqual(attempts.faults, []);
  await assert.rejects(fail(), { code: 'worker_died' });
  assert.deepEqual([faults.at(-1)?.failures, faults.at(-1)?.pauseMs], [1, 1_000]);
});

test('only the height of the envelope in flight is paused', async () => {
  const { attempts } = counted();
  const openings = [opening(5n), opening(6n, '0a'), opening(6n, '0b')];
  const failing = attempts.run(openings, ({ progress }) => {
    Atomics.store(progress, 0, 3);
    return Promise.reject(died());
  });
  await assert.rejects(failing, { code: 'worker_died' });
  assert.deepEqual(
    attempts.faults.map(({ height, hashHex }) => [height, hashHex]),
    [[6n, '0b'.repeat(32)]],
  );
  assert.equal(await attempts.run([opening(5n)], async () => 'open'), 'open');
  await assert.rejects(
    attempts.run([opening(5n), opening(6n)], () => assert.fail()),
    { code: 'put_off' },
  );
});

test('failures unrelated to an opening do not count against it', async () => {
  const { attempts } = counted();
  for (const error of [
    new ExecutionError('overloaded', 'too much'),
    new ExecutionError('stopped', 'stopping'),
    new StoreError('read_failed', 'the store'),
  ]) {
    await assert.rejects(
      attempts.run([opening(5n)], () => Promise.reject(error)),
      error,
    );
  }
  assert.deepEqual(attempts.faults, []);
});

test('an opening that hangs is stopped, with more time at each attempt', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { attempts, clock } = counted();
  const time = [];
  for (let count = 0; count < 3; count++) {
    time.push(await hanging(t, attempts));
    clock.ms += 60_000;
  }
  assert.deepEqual(time, [5_100, 10_100, 20_100]);
  assert.match(attempts.faults[0]?.message ?? '', /ran for too long/);
});

/** Makes an envelope hang. @returns the milliseconds until it was stopped */
async function hanging(t: TestContext, attempts: OpeningAttempts): Promise<number> {
  let ended: Cancellation | undefined;
  const running = attempts.run([opening(5n)], ({ progress, cancellation }) => {
    ended = cancellation;
    return new Promise((_, reject) => {
      cancellation.onCancel(() => reject(new ExecutionError('aborted', 'given up')));
      // Time spent waiting for a worker does not count.
      t.mock.timers.tick(600_000);
      assert.equal(cancellation.isCancelled, false);
      Atomics.store(progress, 0, 1);
      t.mock.timers.tick(100);
    });
  });
  let ms = 0;
  for (; ended?.isCancelled === false; ms += 100) t.mock.timers.tick(100);
  await assert.rejects(running, { code: 'aborted' });
  return ms;
}
