import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CONTRACTS } from '../support/worlds/contract-world.js';

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-template-'));
  await cp(join(CONTRACTS, 'template'), folder, { recursive: true });
  await rm(join(folder, 'generated'), { recursive: true });
  await rm(join(folder, 'counter.wasm'));
  await renameAll(folder, 'my-vault', 'MyVault');
  await installPackage();
});

after(() => rm(folder, { recursive: true, force: true }));

/** Turns the template into a standalone project; see contracts/README.md. */
async function renameAll(at: string, file: string, contract: string): Promise<void> {
  for (const entry of await readdir(at, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll('counter', file).replaceAll('Counter', contract));
    await rename(path, join(dirname(path), entry.name.replaceAll('counter', file)));
  }
}

/** Links the package under test by its name. */
async function installPackage(): Promise<void> {
  const at = join(folder, 'node_modules', 'heddle');
  await mkdir(at, { recursive: true });
  const contracts = new URL('../../src/contract-sdk/contracts.js', import.meta.url);
  await writeFile(join(at, 'contracts.js'), `export * from ${JSON.stringify(contracts.href)};\n`);
  await writeFile(
    join(at, 'package.json'),
    JSON.stringify({ name: 'heddle', type: 'module', exports: { './contracts': './contracts.js' } }),
  );
  const programs = join(folder, 'node_modules', '.bin');
  await mkdir(programs);
  const main = fileURLToPath(new URL('../../bundle/main.js', import.meta.url));
  const start = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
  await writeFile(join(programs, 'heddle'), start, { mode: 0o755 });
  for (const name of ['assemblyscript', 'fast-check']) {
    await symlink(join(CONTRACTS, '..', 'node_modules', name), join(folder, 'node_modules', name));
  }
}

/** Runs a script of the project's package.json without npm. @returns its standard output */
async function runScript(name: string): Promise<string> {
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const { status, stdout, stderr } = spawnSync(scripts[name] ?? '', {
    cwd: folder,
    shell: true,
    encoding: 'utf8',
    env: { ...environment, PATH: `${join(folder, 'node_modules', '.bin')}:${environment['PATH']}` },
  });
  assert.equal(status, 0, `${stdout}${stderr}`);
  return stdout;
}

test('a project created from the template under another name builds and passes its tests', async () => {
  const output = await runScript('test');
  assert.match(output, /^wrote my-vault\.wasm, \d+ bytes$/m);
  assert.match(output, /pass 5/);
  assert.deepEqual((await readdir(join(folder, 'generated'))).sort(), ['entry.ts', 'my-vault.ts']);
});
