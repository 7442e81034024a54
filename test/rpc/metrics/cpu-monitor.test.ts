import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CpuMonitor } from '../../../src/rpc/metrics/cpu-monitor.js';

const skip = existsSync('/proc/thread-self/schedstat') ? false : 'the system does not tell';

describe('the CPU time of a thread', { skip }, () => {
  it('is reported with the longest tick, once', async (t) => {
    const watch = new CpuMonitor();
    t.after(() => watch.stop());
    const seconds = () => watch.seconds() ?? 0;
    await sleep(30);
    watch.longestTickMs();
    const begin = seconds();
    while (seconds() < begin + 0.05);
    await sleep(30);
    // However long that took in wall-clock time.
    assert.ok((watch.longestTickMs() ?? 0) >= 50);
    assert.ok((watch.longestTickMs() ?? 50) < 50);
    assert.ok(seconds() >= begin + 0.05);
  });

  it('is not reported after monitoring ends', () => {
    const watch = new CpuMonitor();
    watch.stop();
    assert.equal(watch.seconds(), undefined);
    assert.equal(watch.longestTickMs(), undefined);
  });
});
