// Every command that talks to a node sends the token that --token-file or HEDDLE_TOKEN_FILE names.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { heddle } from '../support/nodes/command-line.js';
import { FakeNode } from '../support/nodes/fake-node.js';
import { removeDirectory, temporaryDirectory } from '../support/temporary-directory.js';

const HASH = '11'.repeat(32);
const ADDRESS = `0x${'5f'.repeat(20)}`;
const directory = temporaryDirectory();
const file = join(directory, 'alice.token');

const COMMANDS: readonly (readonly string[])[] = [
  ['status', '--once'],
  ['balance', ADDRESS],
  ['receipt', HASH],
  ['trace', HASH],
  ['send', '--from-dev', '0', '--to', ADDRESS, '--amount', '1'],
  ['estimate', 'transfer', '--from-dev', '0', '--to', ADDRESS, '--amount', '1'],
  ['contract', 'show', ADDRESS],
  ['contract', 'view', ADDRESS, 'name'],
  ['contract', 'call', ADDRESS, 'name', '--from-dev', '0'],
  ['bundle', join(directory, 'payments.json')],
  ['replay', '--from', '1'],
  ['simulate', join(directory, 'calls.ndjson')],
  ['load', '--duration', '1'],
  ['dev', 'mine'],
  ['console', '--eval', 'await client.status()'],
];

describe('an access token', () => {
  let node: FakeNode;

  before(() => {
    writeFileSync(file, 'secret-of-alice\n');
    writeFileSync(
      join(directory, 'calls.ndjson'),
      `${JSON.stringify({ method: 'view_call', params: { contract: ADDRESS, input: '0x' } })}\n`,
    );
    const payment = { from: 'dev:0', to: ADDRESS, amount: 1 };
    writeFileSync(join(directory, 'payments.json'), JSON.stringify([payment]));
  });
  after(() => removeDirectory(directory));
  // Of its own for each test, because a command may ask once more while it ends.
  beforeEach(async () => {
    node = await FakeNode.start({});
  });
  afterEach(() => node.stop());

  const sent = () => new Set(node.requests.map(({ headers }) => headers.authorization));

  for (const command of COMMANDS) {
    test(`is sent with heddle ${command[0]} ${command[1]}`, async () => {
      const flags = [...command, '--url', node.url];
      await heddle(flags, { HEDDLE_TOKEN_FILE: file }, directory);
      assert.deepEqual([...sent()], ['Bearer secret-of-alice']);
      await heddle([...flags, '--token-file', 'alice.token'], {}, directory);
      assert.deepEqual([...sent()], ['Bearer secret-of-alice']);
    });
  }

  test('is not sent unless its file is named', async () => {
    await heddle(['balance', ADDRESS, '--url', node.url], {}, directory);
    assert.deepEqual([...sent()], [undefined]);
  });

  test('is refused if the file cannot be read, before anything is asked', async () => {
    const missing = { HEDDLE_TOKEN_FILE: 'missing.token' };
    const { code, err } = await heddle(['balance', ADDRESS, '--url', node.url], missing, directory);
    assert.equal(code, 1);
    assert.match(err, /--token-file: cannot read .*missing\.token/);
    assert.equal(node.requests.length, 0);
  });
});
