import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ExecutionPool } from '../../src/execution/execution-pool.js';

describe('stopping the pool', () => {
  // Without the wait for it, a thread that is ended while it loads takes the process with it (see worker-starts.ts).
  it('is safe at any moment of its start', async () => {
    for (let afterMs = 0; afterMs <= 160; afterMs += 10) {
      const pool = new ExecutionPool({ setup: { native: 'auto' }, workers: 2 });
      await delay(afterMs);
      await pool.stop();
    }
  });

  it('is safe while a thread starts that came with the tasks', async () => {
    for (let afterMs = 0; afterMs <= 160; afterMs += 20) {
      const pool = new ExecutionPool({ setup: { native: 'auto' }, workers: 2, startedWorkers: 1 });
      const task = () => pool.run('verify_signatures', new Uint8Array(0)).catch(() => undefined);
      await task();
      const tasks = [task(), task()];
      await delay(afterMs);
      await pool.stop();
      await Promise.all(tasks);
    }
  });
});
