import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { contractTest, projectWithRandomTest } from '../../support/contracts/contract-test-command.js';
import { heddle } from '../../support/nodes/command-line.js';

const project = projectWithRandomTest();

after(() => project.remove());

test('one run builds, tests, and writes coverage, gas and a snapshot', () => {
  const { status, text } = contractTest(
    project,
    ...['--coverage', '--lcov', 'lcov.info', '--gas-report', '--gas-json', 'gas.json', '--gas-snapshot'],
  );
  assert.equal(status, 0, text);
  assert.match(text, /^wrote counter\.wasm, \d+ bytes$/m);
  assert.match(text, /fail 0/);
  const uncovered = project.lineOf('let rest');
  assert.match(text, new RegExp(`^assembly/counter\\.ts +15/23 +65\\.2 % +${uncovered}–`, 'm'));
  assert.match(text, /^Counter\.increment +1 +1 +[\d,]+ +[\d,]+ +[\d,]+$/m);
  assert.match(readFileSync(join(project.folder, 'lcov.info'), 'utf8'), /^SF:assembly\/counter\.ts$/m);
  const gas = JSON.parse(readFileSync(join(project.folder, 'gas.json'), 'utf8')) as {
    method: string;
    calls: number;
  }[];
  assert.deepEqual(
    gas.map(({ method, calls }) => `${method} ${calls}`),
    ['count 2', 'increment 1', 'init 3', 'reset 1'],
    'without those of the fuzz test',
  );
  assert.match(readFileSync(join(project.folder, '.gas-snapshot'), 'utf8'), /^Counter\.init .*max=\d+$/m);
  assert.ok(existsSync(join(project.folder, 'counter.wasm.map')));
});

test('wrong options are refused', async () => {
  for (const [args, status, message] of [
    [['--check'], 2, /--check compares gas: give it with --gas-snapshot/],
    [['--watch', '--gas-snapshot'], 2, /--gas-snapshot records one run/],
    [['--tolerance', 'x'], 2, /expected a number from 0 to 100/],
  ] as const) {
    const refused = await heddle(['contract', 'test', project.folder, ...args]);
    assert.equal(refused.code, status, refused.err);
    assert.match(refused.err, message);
  }
});
