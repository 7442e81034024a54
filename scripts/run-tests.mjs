// Runs the test suite: every dist/test/**/*.test.js, or those whose path contains one of the arguments. Arguments that
// begin with -- are options of node --test.
// Runs one test file per core at a time, then one by one those that need all cores. A summary ends each part: skipped
// tests, slow files and failed ones.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tests = join(root, 'dist', 'test');
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const names = readdirSync(tests, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.js'))
  // A renamed or removed test leaves its old output behind.
  .filter((name) => existsSync(join(root, 'test', name.replace(/\.js$/, '.ts'))));
const files = names
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .sort()
  .map((name) => relative(root, join(tests, name)));

// An argument without a match, as after a rename, would silently shrink the run.
const unmatched = (wanted.length === 0 ? [''] : wanted).filter(
  (part) => !names.some((name) => name.includes(part)),
);
if (unmatched.length > 0) {
  console.error(
    `no test file in dist/test matches ${unmatched.join(' ') || '*.test.js'}; has the project been built?`,
  );
  process.exit(1);
}

/**
 * Networks of five to ten processes, which wait for each other's blocks; shutdowns within a promised time; and the
 * commands of the pages, whose loads and simulations use all cores.
 */
const ALONE = /\/(e2e\/(validators-|localnet|end-under-flood)|docs\/commands)/;

const alone = files.filter((file) => ALONE.test(file));
const others = files.filter((file) => !alone.includes(file));
const passed = [runFiles(others, availableParallelism()), runFiles(alone, 1)];
process.exitCode = passed.every(Boolean) ? 0 : 1;

/** @returns true if all tests passed */
function runFiles(files, concurrency) {
  if (files.length === 0) return true;
  const reporters = ['spec', './scripts/summary-reporter.mjs'].flatMap((reporter) => [
    `--test-reporter=${reporter}`,
    '--test-reporter-destination=stdout',
  ]);
  const args = ['--test', ...reporters, `--test-concurrency=${concurrency}`, ...options, ...files];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status === 0;
}
