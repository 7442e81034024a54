import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { TestProject } from '../../support/test-project.js';

const main = fileURLToPath(new URL('../../../bundle/main.js', import.meta.url));
const project = new TestProject();
const SNAPSHOT = join(project.folder, '.gas-snapshot');

// Calls with random arguments: the snapshot must not have them.
writeFileSync(
  join(project.folder, 'test', 'random.fuzz.test.mjs'),
  `import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ContractSandbox, contractAbi, readContractProject } from 'heddle/contracts';
test('random', async () => {
  const abi = contractAbi(await readContractProject('.'));
  const counter = (await ContractSandbox.create()).deploy(new Uint8Array(20), readFileSync('counter.wasm'), abi);
  counter.init({ owner: '0x' + '01'.repeat(20), start: Math.floor(Math.random() * 1e9) });
});
`,
);

after(() => project.remove());

function contractTest(...args: readonly string[]): { readonly status: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [main, 'contract', 'test', project.folder, ...args],
    { encoding: 'utf8', cwd: project.folder, timeout: 120_000 },
  );
  return { status, text: `${stdout}${stderr}` };
}

test('one run builds, tests, and writes coverage, gas and a snapshot', () => {
  const { status, text } = contractTest(
    ...['--coverage', '--lcov', 'lcov.info', '--gas-report', '--gas-json', 'gas.json', '--gas-snapshot'],
  );
  assert.equal(status, 0, text);
  assert.match(text, /^wrote counter\.wasm, \d+ bytes$/m);
  assert.match(text, /fail 0/);
  const uncovered = project.lineOf('let rest');
  assert.match(text, new RegExp(`^assembly/counter\\.ts +15/21 +71\\.4 % +${uncovered}–`, 'm'));
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
  assert.ok(existsSync(join(project.folder, 'counter.wasm.map')));
});

test('a check passes without coverage, and fails with a list when gas differs', () => {
  const same = contractTest('--gas-snapshot', '--check');
  assert.equal(same.status, 0, same.text);
  assert.match(same.text, /^gas is as in \.gas-snapshot$/m);
  const text = readFileSync(SNAPSHOT, 'utf8');
  writeFileSync(SNAPSHOT, text.replace(/^(Counter\.init .*)max=\d+$/m, '$1max=50000'));
  const other = contractTest('--gas-snapshot', '--check', '--tolerance', '1');
  assert.equal(other.status, 1);
  assert.match(other.text, /^~ Counter\.init: max gas 50,000 → [\d,]+ \(\+\d+\.\d\d %\)$/m);
  assert.match(other.text, /heddle: gas is not as in \.gas-snapshot: 1 difference;/);
});

test('options that need each other are refused, and so are missing files', () => {
  for (const [args, status, message] of [
    [['--check'], 2, /--check compares gas: give it with --gas-snapshot/],
    [['--watch', '--gas-snapshot'], 2, /--gas-snapshot is of one run/],
    [['--tolerance', 'x'], 2, /expected a number from 0 to 100/],
  ] as const) {
    const refused = contractTest(...args);
    assert.equal(refused.status, status, refused.text);
    assert.match(refused.text, message);
  }
});

test('with --watch a change runs the tests again, and an interrupt ends it', async () => {
  const child = spawn(
    process.execPath,
    [main, 'contract', 'test', project.folder, 'test/counter.test.mjs', '--watch'],
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
