// A validator whose clock is wrong.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { eventually } from '../support/eventually.js';
import { SteadyLoad } from '../support/steady-load.js';
import { ValidatorNet } from '../support/validator-net.js';

/** Offsets a process's clock by the given milliseconds. */
function skewed(net: ValidatorNet, index: number, ms: number): Record<string, string> {
  const file = join(net.directory(index), 'clock.mjs');
  writeFileSync(
    file,
    `const Right = Date;
globalThis.Date = class extends Right {
  constructor(...parts) {
    if (parts.length === 0) super(Right.now() + ${ms});
    else super(...parts);
  }
  static now() {
    return Right.now() + ${ms};
  }
};
`,
  );
  return { NODE_OPTIONS: `--import=${pathToFileURL(file).href}` };
}

describe('a validator with a wrong clock', () => {
  let net: ValidatorNet | undefined;
  after(() => net?.dispose());
  const SKEWED = 2;

  /** Number of the next `of` blocks that the skewed validator proposes. */
  async function ownBlocks(each: ValidatorNet, of: bigint): Promise<number> {
    const from = await each.height(0);
    await each.grow(of);
    const blocks = await each.blocks(0, from + of);
    return blocks.slice(Number(from)).filter(({ header }) => header.proposer === SKEWED).length;
  }

  test('of one second off takes part like the others', { timeout: 600_000 }, async () => {
    net = await ValidatorNet.make({ flags: ['--block-time', '100', '--idle-block-time', '500'] });
    for (const ms of [1_000, -1_000]) {
      await net.start([0, 1, 3]);
      await net.start([SKEWED], { env: skewed(net, SKEWED, ms) });
      await net.grow(3n);
      const load = new SteadyLoad(net);
      assert.ok((await ownBlocks(net, 16n)) >= 2, `with ${ms} ms its blocks are taken`);
      // The other two running validators need the skewed one's vote.
      await net.kill(0);
      await net.grow(10n);
      await net.start([0]);
      await load.stop();
      await load.expectIncluded(SKEWED);
      await net.stop(SKEWED);
    }
  });

  test('of three seconds off has its blocks delayed while the chain continues', {
    timeout: 600_000,
  }, async () => {
    assert.ok(net !== undefined);
    const each = net;
    await net.start([SKEWED], { env: skewed(net, SKEWED, 3_000) });
    await eventually('it is connected', async () => (await each.connected(SKEWED)) === 3);
    const load = new SteadyLoad(net);
    await net.grow(3n);
    const blocks = await ownBlocks(net, 20n);
    await load.stop();
    await load.expectIncluded(SKEWED);
    const tip = (await net.blocks(0)).at(-1);
    const aheadMs = Number(tip?.header.timestamp_ms ?? 0n) - Date.now();
    assert.ok(aheadMs <= 2_000, `the chain is ${aheadMs} ms ahead, with ${blocks} of its blocks`);
  });
});
