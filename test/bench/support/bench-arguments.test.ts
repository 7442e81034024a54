import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const BENCHMARK = fileURLToPath(new URL('../../../bench/growth/conflicts.bench.js', import.meta.url));

function run(...given: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BENCHMARK, ...given], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('a benchmark prints its options with their defaults', () => {
  const { status, stdout } = run('--help');
  assert.equal(status, 0);
  assert.match(stdout, /^Options:\n {2}--calls <VALUE> +default 300\n/);
});

test('wrong usage of a benchmark is reported in one line, with exit code 2', () => {
  for (const [given, message] of [
    [['--call', '3'], /^error: Unknown option '--call'.*\n$/],
    [['--calls', 'many'], /^error: --calls takes a number, got "many"\n$/],
    [['--calls='], /^error: --calls takes a number, got ""\n$/],
    [['many'], /^error: Unexpected argument 'many'.*\n$/],
  ] as const) {
    const { status, stderr } = run(...given);
    assert.match(stderr, message);
    assert.equal(status, 2);
  }
});
