import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { heddle } from '../../support/command-line.js';
import { ContractNode } from '../../support/contract-node.js';
import { CONTRACTS } from '../../support/contract-world.js';
import { removeDirectory, temporaryDirectory } from '../../support/node-process.js';

const TOKEN = join(CONTRACTS, 'token');

/** Number of the line of the token's source with a text, from 1. */
function lineOf(text: string, from = 0): number {
  const lines = readFileSync(join(TOKEN, 'assembly', 'token.ts'), 'utf8').split('\n');
  return lines.findIndex((line, index) => index >= from && line.includes(text)) + 1;
}

describe('trace --project', () => {
  let world: ContractNode;
  let directory: string;
  let hashes: readonly string[];

  before(async () => {
    directory = temporaryDirectory();
    world = await ContractNode.start({ workers: '1' });
    hashes = await world.seal([world.pay(10), world.pay(10_000_000)]);
  });
  after(async () => {
    await world?.stop();
    removeDirectory(directory);
  });

  const trace = (tx = '', ...args: readonly string[]) =>
    heddle(['trace', tx, ...args, '--url', world.node.url], {}, directory);

  test('shows the lines that an included call stopped in', async () => {
    const { code, out, err } = await trace(hashes[1], '--project', TOKEN);
    assert.equal(code, 0, err);
    assert.match(out, /reverted: InsufficientBalance/);
    const line = lineOf('fail.InsufficientBalance');
    assert.match(
      out,
      new RegExp(
        `\nstopped\n    at Writer#revert \\(heddle/writer.ts.*\n.*\n    at Token#\\w+ \\(assembly/token.ts:${line}:`,
      ),
    );
    assert.doesNotMatch(out, /prestate:/);
  });

  test('says that a successful call stopped nowhere', async () => {
    assert.match((await trace(hashes[0], '--project', TOKEN)).out, /succeeded: it stopped nowhere/);
  });

  test('refuses the sources of another contract', async () => {
    const { code, err } = await trace(hashes[1], '--project', join(CONTRACTS, 'escrow'));
    assert.equal(code, 1);
    assert.match(err, /did not run the code of escrow: that is [0-9a-f]{64}, it ran [0-9a-f]{64}/);
    assert.equal((await trace(hashes[1], '--project', TOKEN, '--json')).code, 2);
  });
});
