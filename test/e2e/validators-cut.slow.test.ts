// Four validators whose network is cut through the proxies that connect them, one of which then has a wrong clock, and then
// a disk in an earlier state.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ValidatorNet } from '../support/networks/validator-net.js';
import { isPutBack } from '../support/nodes/put-back.js';
import { SteadyLoad } from '../support/nodes/steady-load.js';

const SKEWED = 2;
const LOST = 3;

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

describe('four validators', { timeout: 900_000 }, () => {
  let made: ValidatorNet | undefined;
  after(() => made?.dispose());

  const net = (): ValidatorNet => made ?? assert.fail('it was not made');
  const cut = () => net().cut ?? assert.fail('it has no proxies');

  /** Number of views without a block, for each validator. */
  const lost = async () =>
    Promise.all(net().all.map(async (index) => (await net().consensus(index)).nullifications));

  test('split in halves while idle stop, and agree again', async () => {
    made = await ValidatorNet.make({
      cuttable: true,
      flags: ['--block-time', '100', '--idle-block-time', '300'],
    });
    await made.start();
    await made.grow(3n);
    const before = await lost();
    cut().cut(
      [
        [0, 1],
        [2, 3],
      ],
      'silent',
    );
    await made.standsStill();
    cut().heal();
    await made.grow(5n);
    await made.agree();
    const now = await lost();
    for (const [index, count] of now.entries()) {
      const views = count - (before[index] ?? 0n);
      assert.ok(views <= 8n, `validator ${index} went through ${views} views without a block`);
    }
  });

  test('split in halves under load stop, and include transactions accepted by both sides', async () => {
    const load = new SteadyLoad(net());
    await net().grow(5n);
    cut().cut(
      [
        [0, 2],
        [1, 3],
      ],
      'severed',
    );
    await net().standsStill();
    cut().heal();
    await net().grow(10n);
    await load.stop();
    await load.expectIncluded(3);
  });

  for (const kind of ['silent', 'severed'] as const) {
    test(`continue as three if the fourth is cut off, ${kind}, and it catches up afterwards`, async () => {
      const load = new SteadyLoad(net());
      await net().grow(3n);
      cut().cut([[0, 1, 3], [2]], kind);
      await net().grow(10n, [0, 1, 3]);
      const alone = await net().height(2);
      assert.ok(alone < (await net().height(0)));
      cut().heal();
      await net().allConnected();
      await net().grow(5n);
      await load.stop();
      await load.expectIncluded(2);
    });
  }

  /** Number of the next `of` blocks that the skewed validator proposes. */
  async function ownBlocks(of: bigint): Promise<number> {
    const from = await net().height(0);
    await net().grow(of);
    const blocks = await net().blocks(0, from + of, from + 1n);
    return blocks.filter(({ header }) => header.proposer === SKEWED).length;
  }

  for (const ms of [1_000, -1_000]) {
    test(`need and get the votes of one whose clock is ${ms} ms off, and take its blocks`, async () => {
      await net().stop(SKEWED);
      await net().start([SKEWED], { env: skewed(net(), SKEWED, ms) });
      await net().grow(3n);
      const load = new SteadyLoad(net());
      assert.ok((await ownBlocks(16n)) >= 2);
      // The other two running validators need the skewed one's vote.
      await net().kill(0);
      await net().grow(6n);
      await net().start([0]);
      await load.stop();
      await load.expectIncluded(SKEWED);
    });
  }

  test('continue while the blocks of one whose clock is three seconds off are delayed', async () => {
    await net().stop(SKEWED);
    await net().start([SKEWED], { env: skewed(net(), SKEWED, 3_000) });
    await net().allConnected();
    const load = new SteadyLoad(net());
    await net().grow(3n);
    const blocks = await ownBlocks(16n);
    await load.stop();
    await load.expectIncluded(SKEWED);
    const tip = (await net().blocks(0)).at(-1);
    const aheadMs = Number(tip?.header.timestamp_ms ?? 0n) - Date.now();
    assert.ok(aheadMs <= 2_000, `the chain is ${aheadMs} ms ahead, with ${blocks} of its blocks`);
    await net().stop(SKEWED);
    await net().start([SKEWED]);
  });

  // Within one epoch: past its end the restored validator has no share, and two alone are not a quorum.
  test('see no double vote of one whose disk is restored while two wait for it', async () => {
    await net().allConnected();
    await net().grow(2n);
    await isPutBack(net(), LOST, 'waited');
  });
});
