import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { DeploymentFolder, expectContractName } from '../../../../src/cli/dev/script/deployment-folder.js';
import { removeDirectory, temporaryDirectory } from '../../../support/temporary-directory.js';

const CHAIN = { id: 77n, genesisHash: 'ab'.repeat(32) };
const CONTRACT = {
  address: `0x${'5f'.repeat(20)}`,
  code_hash: '01'.repeat(32),
  tx_hash: '02'.repeat(32),
  height: 5,
  script: 'scripts/deploy.mjs',
  run: 1,
};

function place(t: TestContext): string {
  const directory = temporaryDirectory();
  t.after(() => removeDirectory(directory));
  return directory;
}

describe('records of deployments', () => {
  it('are numbered for each script, and the newest one can be found', (t) => {
    const folder = new DeploymentFolder(place(t), CHAIN);
    assert.equal(folder.newest('scripts/deploy.mjs'), undefined);
    const files = [0, 1, 2].map(() => basename(folder.begin('scripts/deploy.mjs', 0).file));
    assert.deepEqual(files, ['deploy-1.json', 'deploy-2.json', 'deploy-3.json']);
    assert.equal(basename(folder.begin('scripts/other.mjs', 0).file), 'other-1.json');
    assert.equal(folder.newest('scripts/deploy.mjs')?.record.run, 3);
    // Another script with the same file name counts on, but is another script.
    assert.equal(basename(folder.begin('old/deploy.ts', 0).file), 'deploy-4.json');
    assert.equal(folder.newest('scripts/deploy.mjs')?.record.run, 3);
  });

  it('are written only inside their folder, whatever the names of script and contract', (t) => {
    const directory = place(t);
    const folder = new DeploymentFolder(join(directory, 'deployments'), CHAIN);
    for (const script of ['../../up.mjs', 'a/..', '.mjs', 'scripts/a b\u202e.mjs', 'C:\\x.mjs']) {
      const { file } = folder.begin(script, 0);
      assert.match(file.slice(folder.path.length), /^\/[A-Za-z0-9_-]+-\d+\.json$/);
    }
    assert.deepEqual(readdirSync(directory), ['deployments']);
    assert.deepEqual(readdirSync(join(directory, 'deployments')), ['77-abababab']);
    for (const name of ['../x', '__proto__', 'constructor', '', 'a'.repeat(65), 'x\n', undefined, 5]) {
      assert.throws(() => expectContractName(name), /expected a name such as Token/);
    }
  });

  it('keep the newest deployment of each name', (t) => {
    const folder = new DeploymentFolder(place(t), CHAIN);
    folder.begin('scripts/deploy.mjs', 0);
    folder.addDeployed('Token', CONTRACT);
    folder.addDeployed('valueOf', { ...CONTRACT, run: 2 });
    folder.addDeployed('Token', { ...CONTRACT, run: 3 });
    assert.equal(folder.deployed('Token')?.run, 3);
    assert.equal(folder.deployed('valueOf')?.run, 2);
    assert.equal(folder.deployed('toString'), undefined);
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.endsWith('.new')),
      [],
    );
  });

  it('of a fork are separate from those of its chain', (t) => {
    const directory = place(t);
    const chain = new DeploymentFolder(directory, CHAIN);
    chain.begin('scripts/deploy.mjs', 0);
    chain.addDeployed('Token', CONTRACT);
    const fork = new DeploymentFolder(directory, { ...CHAIN, genesisHash: 'cd'.repeat(32) });
    assert.equal(fork.deployed('Token'), undefined);
    assert.equal(fork.newest('scripts/deploy.mjs'), undefined);
  });

  it('name a damaged file and the member that is wrong', (t) => {
    const folder = new DeploymentFolder(place(t), CHAIN);
    const { file } = folder.begin('scripts/deploy.mjs', 0);
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, whole.replace('"running"', '"walking"'));
    assert.throws(
      () => folder.newest('scripts/deploy.mjs'),
      /deploy-1\.json: expected a record .*, but state is invalid$/,
    );
    writeFileSync(file, whole.slice(0, 20));
    assert.throws(() => folder.newest('scripts/deploy.mjs'), /deploy-1\.json: expected JSON: /);
    writeFileSync(join(folder.path, 'latest.json'), '{"version":2}');
    assert.throws(
      () => folder.deployed('Token'),
      /latest\.json: expected a record .*, but version is invalid$/,
    );
    // A run that ended before its first record.
    writeFileSync(file, '');
    assert.equal(folder.newest('scripts/deploy.mjs'), undefined);
  });

  it('fail before anything is sent if they cannot be written', (t) => {
    const directory = place(t);
    writeFileSync(join(directory, 'deployments'), '');
    const folder = new DeploymentFolder(join(directory, 'deployments'), CHAIN);
    assert.throws(() => folder.begin('scripts/deploy.mjs', 0), /cannot write .*77-abababab: /);
  });
});
