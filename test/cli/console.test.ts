import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consoleOn } from '../../src/cli/console.js';
import { recordLines, recordTable } from '../../src/cli/token/token-view.js';
import { heddle } from '../support/nodes/command-line.js';
import { FakeNode, FakeRpcError } from '../support/nodes/fake-node.js';

const HASH = 'ab'.repeat(32);

test('a console escapes all text except what it is told to write as is', () => {
  const written: string[] = [];
  const streams = {
    out: (text: string) => void written.push(`out ${text}`),
    err: (text: string) => void written.push(`err ${text}`),
    isTerminal: true,
    size: () => ({ columns: 80, rows: 24 }),
  };
  const console = consoleOn(streams);
  console.out('\u001b[2Ja\n');
  console.err('\u001b[2Jb\n');
  console.control('\u001b[2J');
  assert.deepEqual(written, ['out \\u001b[2Ja\n', 'err \\u001b[2Jb\n', 'out \u001b[2J']);
});

test('a node can neither control the terminal nor forge a line', async () => {
  const node = await FakeNode.start({
    tx_by_hash: () => ({ status: { type: 'rejected', value: 'no\u001b[8m\nstatus       success, final' } }),
    account: () => {
      throw new FakeRpcError(-32_011, 'not\u009b2J_found');
    },
  });
  try {
    const { out } = await heddle(['tx', HASH, '--url', node.url]);
    assert.deepEqual(out.split('\n').slice(1), [
      'status       rejected: no\\u001b[8m\\u000astatus       success, final',
      'action       sealed',
      '',
    ]);
    const { err } = await heddle(['account', 'dev:0', '--url', node.url]);
    assert.match(err, /not\\u009b2J_found/);
  } finally {
    await node.stop();
  }
});

test('the subject or id of a token cannot forge a row of the list', () => {
  const expiresMs = 2_000_000_000_000;
  const record = { id: 'a\u001b[1A', tier: 'admin', subject: 'x\nb  admin  y', left: 0, expiresMs } as const;
  const table = recordTable([record], 0).split('\n');
  assert.equal(table.length, 3);
  assert.match(table[1] ?? '', /^a\\u001b\[1A {2}admin {2}x\\u000ab {2}admin {2}y {2}unlimited/);
  assert.match(recordLines(record, 0), /^subject {2}x\\u000ab {2}admin {2}y$/m);
});
