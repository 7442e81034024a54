import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageRoot } from '../../src/config/package-info.js';

/** Ways to evaluate text as code, which pages under a strict Content-Security-Policy refuse. */
const MAKES_CODE =
  /\bnew\s+Function\b|(?<![\w.])Function\s*\(|\beval\s*\(|\bset(?:Timeout|Interval)\s*\(\s*['"`]/;

test('the program never evaluates text as code', () => {
  const root = packageRoot();
  const files = ['src', 'workers', 'native-free'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.([cm]?[jt]s|tsx)$/.test(name))
      .map((name) => join(folder, name)),
  );
  assert.ok(files.length > 300, `${files.length} files`);
  for (const file of files) {
    const code = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    assert.doesNotMatch(code, MAKES_CODE, file);
  }
});

test('the pattern matches every way to evaluate text as code', () => {
  for (const code of ["new Function('a')", "Function ('a')", 'eval(text)', "setTimeout('run()', 1)"]) {
    assert.match(code, MAKES_CODE);
  }
  for (const code of ['new FunctionAbi(x)', 'isFunction(x)', 'evaluate(x)', 'setTimeout(run, 1)']) {
    assert.doesNotMatch(code, MAKES_CODE);
  }
});
