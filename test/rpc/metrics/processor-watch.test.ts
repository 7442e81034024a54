import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ProcessorWatch } from '../../../src/rpc/metrics/processor-watch.js';

const skip = existsSync('/proc/thread-self/schedstat') ? false : 'the system does not tell';

describe('the processor time of a thread', { skip }, () => {
  it('is told with the most of a turn, once', async (t) => {
    const watch = new ProcessorWatch();
    t.after(() => watch.stop());
    const seconds = () => watch.seconds() ?? 0;
    await sleep(30);
    watch.longestTurnMs();
    const begin = seconds();
    while (seconds() < begin + 0.05);
    await sleep(30);
    // However long that took by the clock.
    assert.ok((watch.longestTurnMs() ?? 0) >= 50);
    await sleep(30);
    assert.ok((watch.longestTurnMs() ?? 50) < 50);
    assert.ok(seconds() >= begin + 0.05);
  });

  it('is not told when nobody watches any more', () => {
    const watch = new ProcessorWatch();
    watch.stop();
    assert.equal(watch.seconds(), undefined);
    assert.equal(watch.longestTurnMs(), undefined);
  });
});
