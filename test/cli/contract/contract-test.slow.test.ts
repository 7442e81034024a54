import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { contractTest, MAIN, projectWithRandomTest } from '../../support/contracts/contract-test-command.js';

const project = projectWithRandomTest();
const SNAPSHOT = join(project.folder, '.gas-snapshot');

after(() => project.remove());

test('a check passes, also without the coverage of the run that wrote the snapshot', () => {
  const written = contractTest(project, '--coverage', '--gas-snapshot');
  assert.equal(written.status, 0, written.text);
  const same = contractTest(project, '--gas-snapshot', '--check');
  assert.equal(same.status, 0, same.text);
  assert.match(same.text, /^gas is as in \.gas-snapshot$/m);
});

test('a check fails with a list when gas differs', () => {
  const text = readFileSync(SNAPSHOT, 'utf8');
  writeFileSync(SNAPSHOT, text.replace(/^(Counter\.init .*)max=\d+$/m, '$1max=50000'));
  const other = contractTest(project, '--gas-snapshot', '--check', '--tolerance', '1');
  assert.equal(other.status, 1);
  assert.match(other.text, /^~ Counter\.init: max gas 50,000 → [\d,]+ \(\+\d+\.\d\d %\)$/m);
  assert.match(other.text, /heddle: gas differs from \.gas-snapshot \(1 difference\);/);
});

test('with --watch a change runs the tests again, and an interrupt ends it', async () => {
  const child = spawn(
    process.execPath,
    [MAIN, 'contract', 'test', project.folder, 'test/counter.test.mjs', '--watch'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let printed = '';
  const waiting = (): number => printed.split('waiting for changes').length - 1;
  const add = (text: string): void => {
    printed += text;
  };
  child.stdout.setEncoding('utf8').on('data', add);
  child.stderr.setEncoding('utf8').on('data', add);
  const closed = once(child, 'close');
  const rounds = async (count: number): Promise<void> => {
    while (waiting() < count) {
      const ended = await Promise.race([
        once(child.stdout, 'data').then(() => false),
        closed.then(() => true),
      ]);
      assert.ok(!ended, printed);
    }
  };
  try {
    await rounds(1);
    assert.match(printed, /pass 3/);
    project.change('assembly/counter.ts', 'by > 0', 'by > 2');
    await rounds(2);
    assert.match(printed, /fail 1/);
    assert.match(printed, /at Counter#increment \(assembly\/counter\.ts:\d+:\d+\)/);
    assert.match(printed, /heddle: the tests failed/);
    project.change('assembly/counter.ts', 'by > 2', 'by >');
    await rounds(3);
    assert.match(printed, /ERROR TS\d+/);
    child.kill('SIGINT');
    const [code] = await closed;
    assert.equal(code, 0, printed);
  } finally {
    child.kill('SIGKILL');
  }
});
