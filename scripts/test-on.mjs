// Runs the tests on another version of Node: npm run test:on -- 26 rpc/ storage/
// npm installs only the binaries for the Node that runs it, so .build/node-26 gets its own install from the lock file.
// Packages that the project's node_modules lack are found there through NODE_PATH.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [version, ...tests] = process.argv.slice(2);
if (version === undefined || !/^\d+(\.\d+)*$/.test(version)) {
  console.error('usage: npm run test:on -- <version of Node> [part of a test path …]');
  process.exit(2);
}

const install = join(root, '.build', `node-${version}`);
mkdirSync(install, { recursive: true });
for (const name of ['package.json', 'package-lock.json']) copyFileSync(join(root, name), join(install, name));
const packages = join(install, 'node_modules');
const env = { ...process.env, NODE_PATH: [packages, process.env.NODE_PATH].filter(Boolean).join(delimiter) };

run(install, 'npm', 'install', '--no-save', '--omit=dev', '--ignore-scripts');
run(root, 'node', 'scripts/run-tests.mjs', ...tests);

/** Runs a command with that version of Node first in PATH; ends the process when it fails. */
function run(cwd, ...command) {
  const { status } = spawnSync('npm', ['exec', '--yes', `--package=node@${version}`, '--', ...command], {
    cwd,
    env,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
