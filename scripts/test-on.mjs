// Runs the tests on another version of Node: npm run test:on -- 26 rpc/ storage/
// npm installs native binaries only for the Node that runs it, so the tests run in a copy of the tree, .build/node-26,
// with its own install.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [version, ...tests] = process.argv.slice(2);
if (version === undefined || !/^\d+(\.\d+)*$/.test(version)) {
  console.error('usage: npm run test:on -- <version of Node> [part of a test path …]');
  process.exit(2);
}

const copy = join(root, '.build', `node-${version}`);
mkdirSync(copy, { recursive: true });
for (const name of readdirSync(root)) {
  if (['.build', '.git', 'heddle-data', 'node_modules'].includes(name)) continue;
  rmSync(join(copy, name), { recursive: true, force: true });
  // With the times, so that the build in the copy finds nothing to do.
  cpSync(join(root, name), join(copy, name), { recursive: true, preserveTimestamps: true });
}
// The WebAssembly suite is outside the tree, so it is linked beside the copy.
const shared = join(root, '.build', 'shared');
rmSync(shared, { force: true });
if (existsSync(join(root, '..', 'shared'))) symlinkSync(join(root, '..', 'shared'), shared);

run('npm', 'ci', '--ignore-scripts');
run('node', 'scripts/tests/run.mjs', ...tests);

/** Runs a command in the copy, with that version of Node first in PATH; exits if it fails. */
function run(...command) {
  const options = { cwd: copy, stdio: 'inherit' };
  const { status } = spawnSync(
    'npm',
    ['exec', '--yes', `--package=node@${version}`, '--', ...command],
    options,
  );
  if (status !== 0) process.exit(status ?? 1);
}
