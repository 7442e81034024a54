import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { heddle } from '../support/nodes/command-line.js';
import { removeDirectory, temporaryDirectory } from '../support/temporary-directory.js';

describe('heddle token without a running node', () => {
  const directory = temporaryDirectory();
  const token = (...args: readonly string[]) => heddle(['token', ...args, '--data-dir', directory]);
  after(() => removeDirectory(directory));

  let issued: Readonly<Record<string, unknown>>;
  before(async () => {
    const { out, err, code } = await token(
      'issue',
      '--tier',
      'paid',
      '--units',
      '7',
      '--ttl',
      '90s',
      '--json',
    );
    assert.equal(code, 0, err);
    issued = JSON.parse(out) as typeof issued;
  });

  test('issues a token in a new directory', () => {
    assert.deepEqual(Object.keys(issued), [
      'id',
      'token',
      'tier',
      'sub',
      'units',
      'rate',
      'expires_ms',
      'gas',
      'time',
    ]);
    assert.equal(issued['units'], 7);
    assert.equal(issued['rate'], null);
    assert.match(String(issued['sub']), /^client-[0-9a-f]{8}$/);
    assert.ok(existsSync(join(directory, 'token.secret')));
  });

  test('prints a token alone', async () => {
    const { out, err } = await token('issue', '--tier', 'admin', '--sub', 'ops');
    assert.match(out, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    assert.equal(err, '');
  });

  test('never prints a token again', async () => {
    const [, , signature = ''] = String(issued['token']).split('.');
    for (const args of [['list'], ['list', '--json'], ['show', String(issued['id'])]]) {
      const { out } = await token(...args);
      assert.ok(!out.includes(signature));
      assert.ok(out.includes(String(issued['id'])));
    }
  });

  const mistakes: readonly (readonly [args: readonly string[], code: number, message: RegExp])[] = [
    [['issue'], 2, /--tier/],
    [['issue', '--tier', 'root'], 2, /public, paid, admin/],
    [['issue', '--tier', 'paid', '--units', '-1'], 2, /integer from 0/],
    [['issue', '--tier', 'paid', '--rate', '0'], 2, /integer from 1/],
    [['issue', '--tier', 'paid', '--ttl', '30'], 2, /lifetime such as 30d/],
    [['issue', '--tier', 'paid', '--ttl', '9999d'], 2, /at most ten years/],
    [['issue', '--tier', 'paid', '--sub', ''], 2, /1 to 128 characters/],
    [['show'], 2, /missing required argument/],
    [['show', 'nobody'], 1, /there is no token nobody/],
    [['revoke', 'nobody'], 1, /there is no token nobody/],
    [['top-up', 'nobody'], 2, /--units/],
    [['top-up', 'nobody', '--units', '5'], 1, /there is no token nobody/],
  ];
  for (const [args, code, message] of mistakes) {
    test(`refuses "${args.join(' ')}" and says why`, async () => {
      const result = await token(...args);
      assert.equal(result.code, code, result.err);
      assert.match(result.err, message);
      assert.equal(result.out, '');
    });
  }
});
