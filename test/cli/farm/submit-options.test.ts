// Options of `heddle farm submit` that would have no effect are refused before anything is asked.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { heddle } from '../../support/nodes/command-line.js';

const REFUSED: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [[], /expected a FILE of calls, --sweep FILE or --trace-blocks A\.\.B/],
  [
    ['calls.ndjson', '--sweep', 'sweep.json'],
    /expected a FILE of calls, --sweep FILE or --trace-blocks A\.\.B/,
  ],
  [['calls.ndjson', '--seed', '7'], /--seed: only with --sweep/],
  [['calls.ndjson', '--tracer', 'call_tree'], /--tracer: only with --trace-blocks/],
  [['--trace-blocks', '1..2', '--keep-bad-lines'], /--keep-bad-lines: not with --trace-blocks/],
  [['calls.ndjson', '--resume', 'one', '--at', 'latest'], /--at: not with --resume/],
];

describe('heddle farm submit', () => {
  for (const [args, message] of REFUSED) {
    test(`refuses ${args.join(' ') || 'nothing to submit'}`, async () => {
      const { code, err } = await heddle(['farm', 'submit', ...args]);
      assert.equal(code, 2, err);
      assert.match(err, message);
    });
  }
});
