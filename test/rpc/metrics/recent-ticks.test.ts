import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RecentTicks } from '../../../src/rpc/metrics/thread-monitor.js';

describe('the longest recent tick of the event loop', () => {
  it('is the same for every caller, and is forgotten after ten seconds', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const ticks = new RecentTicks();
    t.after(() => ticks.stop());
    await sleep(30);
    const end = performance.now() + 300;
    while (performance.now() < end);
    await sleep(30);
    const longest = ticks.longestMs();
    assert.ok(longest >= 250, `${longest} ms`);
    assert.equal(ticks.longestMs(), longest);
    t.mock.timers.tick(5_000);
    assert.equal(ticks.longestMs(), longest);
    t.mock.timers.tick(5_000);
    assert.ok(ticks.longestMs() < 250);
  });
});
