import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { packageRoot } from '../../../src/config/package-info.js';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';

const scratch = temporaryDirectory();
after(() => removeDirectory(scratch));

/** The package as `npm install` puts it into a project: published files only, without sources and development tools. */
function installedPackage(): string {
  const root = packageRoot();
  const folder = join(scratch, 'app', 'node_modules', 'heddle');
  const { files, dependencies }: { files: string[]; dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const shipped = files.map((pattern) => pattern.replace(/\/[^/]*\*$/, ''));
  for (const name of ['package.json', ...shipped]) {
    const from = join(root, name);
    if (existsSync(from)) {
      cpSync(from, join(folder, name), {
        recursive: true,
        filter: (path) => !path.includes('node_modules/'),
      });
    }
  }
  for (const name of Object.keys(dependencies)) {
    const place = join(scratch, 'app', 'node_modules', name);
    mkdirSync(join(place, '..'), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), place);
  }
  return folder;
}

function run(command: string, args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', timeout: 180_000 });
  return { status, text: `${stdout}\n${stderr}` };
}

test('a new contract outside any checkout installs its dependencies, builds and passes its test', (t) => {
  const main = join(installedPackage(), 'dist', 'bundle', 'main.js');
  const made = run(process.execPath, [main, 'contract', 'new', 'tally'], scratch);
  assert.equal(made.status, 0, made.text);
  const project = join(scratch, 'tally');
  assert.match(readFileSync(join(project, '.gitignore'), 'utf8'), /^node_modules\/$/m);
  const installed = run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], project);
  if (/ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(installed.text)) {
    t.skip('the compiler of contracts is in no cache, and no registry answers');
    return;
  }
  assert.equal(installed.status, 0, installed.text);
  const tested = run('npm', ['test'], project);
  assert.equal(tested.status, 0, tested.text);
  assert.match(tested.text, /wrote tally\.wasm, \d+ bytes/);
});
