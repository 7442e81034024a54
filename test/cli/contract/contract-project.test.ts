import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { packageRoot } from '../../../src/config/package-info.js';
import type { RunningNode } from '../../../src/node.js';
import { type CommandOutcome, heddle } from '../../support/nodes/command-line.js';
import { devNode } from '../../support/nodes/dev-node.js';
import { NodeParts } from '../../support/nodes/node-parts.js';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';

describe('the project of a contract', () => {
  const scratch = temporaryDirectory();
  const source = join(scratch, 'tally-2', 'assembly', 'tally-2.ts');
  const parts = new NodeParts();
  let node: RunningNode;
  let contract = '';

  before(async () => {
    node = await devNode(parts, { seal: 'instant' });
  });
  after(async () => {
    await parts.close();
    removeDirectory(scratch);
  });

  const run = (...args: string[]) => heddle(args, { HEDDLE_URL: node.url }, scratch);
  const inside = (...args: string[]) => run('contract', ...args);
  const change = (from: string, to: string): void => {
    const text = readFileSync(source, 'utf8');
    assert.ok(text.includes(from), from);
    writeFileSync(source, text.replace(from, to));
  };
  /** Sends a call, even if it fails. @returns its transaction */
  async function called(...args: string[]): Promise<string> {
    const { out, err } = await inside('call', contract, ...args, '--force');
    return /^transaction +(\w+)/m.exec(out)?.[1] ?? assert.fail(err);
  }
  const traced = (hash: string, ...args: string[]): Promise<CommandOutcome> =>
    run('trace', hash, '--project', 'tally-2', ...args);

  it('scaffolds a contract under a new name that builds, deploys and answers', async () => {
    const made = await inside('new', 'tally-2');
    assert.equal(made.code, 0, made.err);
    const project: { name: string; devDependencies: Record<string, string>; allowScripts: object } =
      JSON.parse(readFileSync(join(scratch, 'tally-2', 'package.json'), 'utf8'));
    assert.equal(project.name, 'tally-2');
    assert.equal(
      project.devDependencies['heddle'],
      `file:${relative(join(scratch, 'tally-2'), packageRoot())}`,
    );
    assert.deepEqual(Object.values(project.allowScripts), [false]);
    const built = await inside('build', 'tally-2');
    assert.equal(built.code, 0, built.err);
    assert.match(built.out, /^tally-2\/tally-2\.wasm, \d+ bytes\n$/);
    const idl = 'tally-2/tally-2.idl';
    const deployment = await inside(
      'deploy',
      'tally-2/tally-2.wasm',
      '--idl',
      idl,
      '--from-dev',
      '0',
      'dev:0',
      '5',
    );
    assert.equal(deployment.code, 0, deployment.err);
    const [, address = ''] = /^contract +(0x[0-9a-f]{40}) \(Tally2\)$/m.exec(deployment.out) ?? [];
    const called = await inside('call', address, 'increment', 'by=2', '--from-dev', '1');
    assert.match(called.out, /^result +7$/m, called.err);
    contract = address;
  });

  it('lets trace show the lines at which an included call stopped', async () => {
    const hash = await called('reset', '--from-dev', '1');
    const { code, out, err } = await traced(hash);
    assert.equal(code, 0, err);
    assert.match(out, /reverted: NotOwner/);
    const lines = readFileSync(source, 'utf8').split('\n');
    const line = lines.findIndex((text) => text.includes('fail.NotOwner')) + 1;
    assert.match(
      out,
      new RegExp(
        `\nstopped\n    at Writer#revert \\(heddle/writer.ts.*\n.*\n    at Tally2#\\w+ \\(assembly/tally-2.ts:${line}:`,
      ),
    );
    assert.doesNotMatch(out, /prestate:/);
    assert.equal((await traced(hash, '--json')).code, 2);
  });

  it('lets trace say that a successful call stopped nowhere, and refuses other sources', async () => {
    const success = await called('increment', 'by=1', '--from-dev', '1');
    assert.match((await traced(success)).out, /succeeded: it stopped nowhere/);
    const failure = await called('reset', '--from-dev', '1');
    change('by > 0', 'by > 1');
    const { code, err } = await traced(failure);
    assert.equal(code, 1);
    assert.match(err, /did not run the code of tally-2: expected [0-9a-f]{64}, got [0-9a-f]{64}/);
  });

  it('generates the imports of a contract that does not compile, and refuses a second contract with the same name', async () => {
    // Editors need the generated imports most while the contract does not compile yet.
    rmSync(join(scratch, 'tally-2', 'generated'), { recursive: true });
    change('reset()', 'rest()');
    assert.equal((await inside('build', 'tally-2')).code, 1);
    assert.deepEqual(readdirSync(join(scratch, 'tally-2', 'generated')).sort(), ['entry.ts', 'tally-2.ts']);
    const again = await inside('new', 'tally-2');
    assert.equal(again.code, 1);
    assert.match(again.err, /a file or folder of that name exists already/);
    assert.equal((await inside('new', '../escape')).code, 2);
  });
});
