import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heddle } from '../support/nodes/command-line.js';

test('simulate-consensus runs a range of seeds and reports the result', async () => {
  const { code, out } = await heddle(['simulate-consensus', '--seeds', '1..4', '--validators', '4']);
  assert.equal(code, 0);
  assert.match(out, /^4 runs of 4 validators in [\d.]+ s \(\d+\/s\): no violation$/m);
});

test('simulate-consensus prints JSON', async () => {
  const { code, out } = await heddle(['simulate-consensus', '--seeds', '1..2', '--json']);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(out), { runs: 2, violations: [] });
});

test('simulate-consensus traces one run, the same each time', async () => {
  const args = ['simulate-consensus', '--seed', '5', '--validators', '4', '--byzantine', 'none', '--trace'];
  const { code, out } = await heddle(args);
  assert.equal(code, 0);
  assert.match(out, /^ +\d+ \d votes (notarize|nullify) \d+\/\d+/m);
  assert.match(out, /^seed 5: 4 validators, faulty: none; /m);
  assert.equal((await heddle(args)).out, out);
});

test('simulate-consensus runs and traces resharing', async () => {
  const all = await heddle(['simulate-consensus', '--resharing', '--seeds', '1..2']);
  assert.equal(all.code, 0);
  assert.match(all.out, /^2 runs of 4 validators in [\d.]+ s \(\d+\/s\): no violation$/m);
  const args = ['simulate-consensus', '--resharing', '--seed', '5', '--byzantine', 'garbler', '--trace'];
  const { code, out } = await heddle(args);
  assert.equal(code, 0);
  assert.match(out, /^ +\d+ \d sends dealt_share of epoch \d+ to \d/m);
  assert.match(out, /^seed 5: 4 validators at first, faulty: /m);
  assert.equal((await heddle(args)).out, out);
});

test('simulate-consensus runs networks with envelopes at every height', async () => {
  const { code, out } = await heddle([
    'simulate-consensus',
    '--sealed',
    '--seed',
    '5',
    '--byzantine',
    'none',
  ]);
  assert.equal(code, 0);
  assert.match(out, /^seed 5: 4 validators, faulty: none; transactions in \d+ of \d+ blocks; work busy; /m);
});

test('simulate-consensus reports invalid options', async () => {
  for (const [args, expected] of [
    [['--seeds', '9..1'], /the first seed must not be above the last/],
    [['--seeds', 'all'], /expected two seeds with \.\. between them/],
    [['--seed', '-1'], /expected an integer from 0 to 4294967295/],
    [['--seed', '1', '--seeds', '1..2'], /not both/],
    [['--trace'], /say which with --seed/],
    [['--seed', '1', '--trace', '--json'], /give it without --json/],
    [['--validators', '0'], /expected an integer from 1 to 40/],
    [['--byzantine', 'twins,ghost'], /"ghost" is not one of equivocator/],
    [['--byzantine', 'twins', '--resharing'], /"twins" is not one of garbler/],
    [['--validators', '1', '--resharing'], /--resharing needs at least 2 validators/],
    [['--validators', '1', '--sealed'], /--sealed needs at least 2 validators/],
    [['--resharing', '--sealed'], /give --resharing or --sealed, not both/],
  ] as const) {
    const { code, err } = await heddle(['simulate-consensus', ...args]);
    assert.equal(code, 2);
    assert.match(err, expected);
  }
});
