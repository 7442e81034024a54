import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ExecutionPool } from '../../src/execution/pool/execution-pool.js';

describe('stopping the pool', () => {
  // Terminating a thread that requires an ES module would crash the process (see import-worker.cts).
  it('is safe at any moment of its start', async () => {
    for (let afterMs = 0; afterMs <= 160; afterMs += 10) {
      const pool = new ExecutionPool({ setup: { native: 'auto' }, workers: 2 });
      await delay(afterMs);
      await pool.stop();
    }
  });
});
