// Runs the test suite: every dist/test/**/*.test.js, or those whose path contains one of the arguments.
// Runs one test file per core at a time, and names the skipped tests at the end.
import { spawn } from 'node:child_process';
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

const child = spawn(
  process.execPath,
  [
    '--test',
    ...['spec', './scripts/skipped-reporter.mjs'].flatMap((reporter) => [
      `--test-reporter=${reporter}`,
      '--test-reporter-destination=stdout',
    ]),
    `--test-concurrency=${availableParallelism()}`,
    ...options,
    ...files,
  ],
  { cwd: root, stdio: 'inherit' },
);
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
