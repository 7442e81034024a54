import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ownDependency } from '../../../src/cli/contract/contract-project.js';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';

const scratch = temporaryDirectory();
after(() => removeDirectory(scratch));
const folder = join(scratch, 'work', 'counter');

/** The folder of the package as a project installs it. */
function installed(dependencies: object): string {
  const project = join(scratch, 'work', 'token');
  const root = join(project, 'node_modules', 'heddle-contracts');
  mkdirSync(root, { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify(dependencies));
  return root;
}

const dependency = (root: string) => ownDependency('heddle-contracts', root, folder);

test('a new project depends on the checkout by a relative path', () => {
  assert.equal(dependency(join(scratch, 'heddle')), 'file:../../heddle');
  assert.equal(dependency(join(scratch, 'work', 'counter-tools')), 'file:../counter-tools');
});

test('a program installed in another project comes from the same place as there', () => {
  const archive = { 'heddle-contracts': 'file:../../packages/heddle-contracts-0.1.0.tgz' };
  assert.equal(
    dependency(installed({ devDependencies: archive })),
    'file:../../packages/heddle-contracts-0.1.0.tgz',
  );
  assert.equal(dependency(installed({ dependencies: { 'heddle-contracts': '^0.1.0' } })), '^0.1.0');
});

test('without such a project the dependency is on the folder', () => {
  assert.equal(dependency(installed({})), 'file:../token/node_modules/heddle-contracts');
  const alone = join(scratch, 'lib', 'node_modules', 'heddle-contracts');
  assert.equal(dependency(alone), 'file:../../lib/node_modules/heddle-contracts');
});
