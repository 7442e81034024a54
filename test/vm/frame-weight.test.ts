// The engine's count for a frame against its real size under each of V8's compilers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STACK_MARGIN } from '../../src/vm/wasm/engine-limits.js';
import { FrameGauge, TIERS } from '../support/contracts/frames/frame-gauge.js';
import { searchFrames } from '../support/contracts/frames/frame-search.js';
import { KNOWN_SHAPES } from '../support/contracts/frames/known-shapes.js';
import { sweep } from '../support/sweep.js';

/** A third of the margin; the rest covers uncounted space. */
const MOST = STACK_MARGIN / 3;
const ISLANDS = 4;
const ROUNDS = sweep(10);

for (const tier of TIERS) {
  test(`no known shape of function takes more stack than counted, ${tier}`, async () => {
    const gauge = new FrameGauge(tier);
    try {
      for (const [what, module] of KNOWN_SHAPES) {
        const ratio = await gauge.measure(module);
        assert.ok(typeof ratio === 'number', `${what}: ${ratio}`);
        assert.ok(ratio <= 1.25, `${what}: ${ratio.toFixed(2)} bytes for each that is counted`);
      }
    } finally {
      gauge.stop();
    }
  });
}

// A sample of `npm run bench -- frames`, which runs longer and with other seeds.
test('no adversarially evolved function takes more than a third of the margin', async (context) => {
  for (const { tier, ratio, measured, genome } of await searchFrames({
    seed: 1,
    islands: ISLANDS,
    rounds: ROUNDS,
  })) {
    context.diagnostic(
      `${tier}: ${ratio.toFixed(2)} bytes for each counted, the worst of ${measured} modules`,
    );
    assert.ok(measured > (ISLANDS * ROUNDS) / 3, `only ${measured} modules could be measured, ${tier}`);
    assert.ok(ratio > 0.25, `the search found nothing of note: ${ratio}, ${tier}`);
    assert.ok(
      ratio <= MOST,
      `${ratio.toFixed(2)} bytes for each counted, ${tier}: ${JSON.stringify(genome)}`,
    );
  }
});
