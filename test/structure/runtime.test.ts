import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../src/config/package-info.js';

/** Code that the consensus simulator runs; its time and randomness come from `src/async/runtime.ts`. */
const SIMULATED = ['core.ts', 'core', 'shell', 'resharing'];

/** Clocks, timers, randomness and event loop of Node. */
const DIRECT =
  /\bNODE_RUNTIME\b|\bperformance\b|\bDate\b|\b(?:set|clear)(?:Timeout|Interval|Immediate)\b|\bMath\.random\b|\bAbortSignal\.timeout\b|\bprocess\b|\bgetRandomValues\b|\brandomUUID\b|['"]node:(?!buffer\b)/;

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}

test('simulated consensus code uses clock, timers and randomness only through its runtime', () => {
  const root = join(packageRoot(), 'src', 'consensus');
  const files = SIMULATED.flatMap((part) =>
    part.endsWith('.ts')
      ? [part]
      : readdirSync(join(root, part), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.ts'))
          .map((name) => join(part, name)),
  );
  assert.ok(files.length > 50, `${files.length} files`);
  for (const file of files) {
    assert.doesNotMatch(withoutComments(readFileSync(join(root, file), 'utf8')), DIRECT, file);
  }
});

test('the pattern matches every use of clock, timers and randomness', () => {
  for (const code of [
    'performance.now()',
    'Date.now()',
    'new Date()',
    'setTimeout(run, 1)',
    'clearInterval(timer)',
    'setImmediate(run)',
    "import { setTimeout as sleep } from 'node:timers/promises'",
    "import { randomBytes } from 'node:crypto'",
    "import { once } from 'node:events'",
    'AbortSignal.timeout(1)',
    'process.nextTick(run)',
    'crypto.getRandomValues(bytes)',
    'Math.random()',
    'const { now } = NODE_RUNTIME',
  ]) {
    assert.match(code, DIRECT, code);
  }
  for (const code of ['runtime.now()', "from 'node:buffer'", 'updateDate()', 'new AbortController()']) {
    assert.doesNotMatch(code, DIRECT, code);
  }
});
