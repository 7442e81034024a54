// `heddle send --sealed` against a node that seals no empty blocks.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connect, devAccount } from '../../src/client/client.js';
import type { RunningNode } from '../../src/node.js';
import { heddle } from '../support/nodes/command-line.js';
import { devNode } from '../support/nodes/dev-node.js';
import { NodeParts } from '../support/nodes/node-parts.js';

describe('on a chain that seals no empty blocks', () => {
  const parts = new NodeParts();
  let node: RunningNode;
  before(async () => {
    node = await devNode(parts, { 'idle-block-time': '0', 'block-time': '50' });
  });
  after(() => parts.close());

  const send = (...args: string[]) =>
    heddle(['send', '--url', node.url, '--from-dev', '0', '--to', 'dev:1', '--amount', '7', ...args]);
  const status = () => connect(node.url).status();
  const received = async () => {
    const { balance } = await connect(node.url).account({ address: devAccount(1).address });
    return balance;
  };

  describe('heddle send --sealed', () => {
    test('reports the inclusion, the opening and the outcome; then the chain is idle again', async () => {
      const before = await received();
      const { code, out, err } = await send('--sealed');
      assert.deepEqual([code, err], [0, '']);
      const [, included = '', opened = '', key = ''] =
        /^included +in block (\d+) \(index 0\), for a fee of [\d,]+\nopened +in block (\d+) \(index 0\), by the key of height (\d+)\nstatus +success, final\n/m.exec(
          out,
        ) ?? assert.fail(out);
      assert.equal(Number(opened), Number(key) + 1);
      const ahead = Number(key) - Number(included);
      assert.ok(ahead >= 8 && ahead < 8 + 16, `${ahead}`);
      assert.equal(await received(), before + 7n);
      const { tip } = await status();
      await new Promise((resolve) => setTimeout(resolve, 400));
      assert.equal((await status()).tip.height, tip.height);
    });

    test('opens at the requested height, even without other transactions', async () => {
      const { tip } = await status();
      const opensAt = tip.height + 20n;
      const before = await received();
      const early = await send('--sealed', '--wait', 'included', '--opens-at', `${opensAt}`);
      assert.match(
        early.out,
        new RegExp(`^included +in block .*\nopens +by the key of height ${opensAt}$`, 'm'),
      );
      assert.equal(await received(), before);
      const { out } = await send('--sealed', '--wait', 'finalized', '--opens-at', `${opensAt}`);
      assert.match(out, new RegExp(`^opened +in block ${opensAt + 1n} \\(index 1\\)`, 'm'));
      assert.equal(await received(), before + 14n);
    });

    test('fails if the sealed transaction failed', async () => {
      const { code, out, err } = await send('--sealed', '--amount', '9e30');
      assert.equal(code, 1);
      assert.match(out, /^status +reverted, final$/m);
      assert.match(err, /did not succeed: reverted/);
    });

    test('reports invalid options', async () => {
      const key = '11'.repeat(48);
      for (const [args, code, message] of [
        [['--sealed', '--opens-at', '1'], 1, /rejected \(expired\): the envelope opens at height 1/],
        [['--sealed', '--opens-at', '999999'], 1, /rejected \(too_large\): .* the highest allowed is/],
        [['--sealed', '--opens-at', 'soon'], 2, /--opens-at <HEIGHT>.*expected an integer/],
        [['--sealed', '--valid-until', '9'], 2, /--valid-until cannot be combined with --sealed/],
        [
          ['--sealed', '--max-seal-fee', '1'],
          1,
          /rejected \(fee_too_low\): max_seal_fee is 1; the lowest price of 1 opening slot is 2000000/,
        ],
        [['--max-seal-fee', '9'], 2, /--max-seal-fee needs --sealed/],
        [['--sealed', '--group-key', '0x00'], 2, /expected 48 bytes/],
        [['--sealed', '--group-key', key], 1, /nothing was sealed/],
        [['--opens-at', '9'], 2, /--opens-at needs --sealed/],
        [['--group-key', key], 2, /--group-key needs --sealed/],
        [['--wait', 'opened'], 2, /--wait opened needs --sealed/],
      ] as const) {
        const result = await send(...args);
        assert.equal(result.code, code, `${args.join(' ')}: ${result.err}`);
        assert.match(result.err, message);
        assert.equal(result.out, '');
      }
    });
  });
});
