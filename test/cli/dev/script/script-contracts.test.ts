import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readDeployable } from '../../../../src/cli/dev/script/run-pass.js';
import { removeDirectory, temporaryDirectory } from '../../../support/temporary-directory.js';
import { CONTRACTS } from '../../../support/worlds/contract-world.js';

const NO_FILES = { wasm: undefined, idl: undefined };

/** A contract project that was built after its last change, and a script in it. */
function project(t: TestContext) {
  const folder = temporaryDirectory();
  t.after(() => removeDirectory(folder));
  cpSync(join(CONTRACTS, 'template'), folder, { recursive: true });
  mkdirSync(join(folder, 'scripts'), { recursive: true });
  const wasm = join(folder, 'counter.wasm');
  const later = new Date(Date.now() + 60_000);
  utimesSync(wasm, later, later);
  return {
    folder,
    wasm,
    script: { path: join(folder, 'scripts', 'deploy.mjs'), shown: 'scripts/deploy.mjs' },
  };
}

describe('the contract of a deployment', () => {
  it('is that of the project that contains the script', async (t) => {
    const { folder, wasm, script } = project(t);
    const { code, idl, warning } = await readDeployable(script, 'Counter', NO_FILES);
    assert.deepEqual(Buffer.from(code), readFileSync(wasm));
    assert.equal(idl, readFileSync(join(folder, 'counter.idl'), 'utf8'));
    assert.equal(warning, undefined);
  });

  it('is reported if its source changed after the build', async (t) => {
    const { folder, script } = project(t);
    const later = new Date(Date.now() + 120_000);
    utimesSync(join(folder, 'assembly', 'counter.ts'), later, later);
    const { warning } = await readDeployable(script, 'Counter', NO_FILES);
    assert.match(
      warning ?? '',
      /^counter\.wasm is older than assembly\/counter\.ts: run "heddle contract build"$/,
    );
  });

  it('comes from named files, relative to the script, with the interface beside the code', async (t) => {
    const { folder, wasm, script } = project(t);
    for (const file of ['../counter.wasm', wasm, pathToFileURL(wasm)]) {
      const { idl } = await readDeployable(script, 'Gold', { wasm: file, idl: undefined });
      assert.equal(idl, readFileSync(join(folder, 'counter.idl'), 'utf8'));
    }
    const token = join(CONTRACTS, 'token', 'token.idl');
    const { idl } = await readDeployable(script, 'Gold', { wasm: '../counter.wasm', idl: token });
    assert.equal(idl, readFileSync(token, 'utf8'));
  });

  it('is refused, with a hint, if it cannot be found', async (t) => {
    const { folder, script } = project(t);
    const refused = (name: string, files: { readonly wasm?: string; readonly idl?: string }, why: RegExp) =>
      assert.rejects(readDeployable(script, name, { ...NO_FILES, ...files }), why);
    await refused('Token', {}, /deploy Token: the project in .* has the contract Counter; /);
    await refused('Token', { idl: 'x.idl' }, /got idl without wasm; give both or neither/);
    await refused('Token', { wasm: 'none.wasm' }, /none\.wasm: no such file/);
    await refused('Token', { wasm: '../counter.idl' }, /expected a compiled contract \(WebAssembly\)/);
    removeDirectory(join(folder, 'counter.wasm'));
    await refused('Counter', {}, /counter\.wasm: no such file; run "heddle contract build" first/);
    removeDirectory(join(folder, 'contract.json'));
    await refused(
      'Counter',
      {},
      /no folder above scripts\/deploy\.mjs has a contract\.json; name the files: /,
    );
    writeFileSync(join(folder, 'contract.json'), '{');
    await refused('Counter', {}, /contract\.json: expected JSON/);
  });
});
