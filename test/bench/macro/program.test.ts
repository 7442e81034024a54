import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ethereumProgram, findProgram, parseVersion } from '../../../bench/macro/ethereum/program.js';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';

test('the version of a program is read from what it prints', () => {
  assert.equal(parseVersion('anvil', 'anvil Version: 1.7.1\nCommit SHA: 4072e48705af\n'), '1.7.1');
  assert.equal(parseVersion('anvil', 'anvil Version: 1.3.0-nightly\n'), '1.3.0-nightly');
  assert.equal(
    parseVersion('ganache', 'ganache v7.9.2 (@ganache/cli: 0.10.2, @ganache/core: 0.10.2)\n'),
    '7.9.2',
  );
  assert.equal(parseVersion('anvil', 'usage: anvil'), undefined);
  assert.equal(parseVersion('anvil', 'ganache v7.9.2'), undefined);
});

test('a program that is not installed is reported as not found', () => {
  assert.equal(findProgram('no-such-program-of-this-name'), undefined);
});

/** Calls `use` with a program that prints a line. */
async function withProgram(line: string, use: (path: string) => Promise<void>): Promise<void> {
  const folder = temporaryDirectory();
  try {
    const path = join(folder, 'node');
    writeFileSync(path, `#!/bin/sh\necho "${line}"\n`);
    chmodSync(path, 0o755);
    await use(path);
  } finally {
    removeDirectory(folder);
  }
}

test('a named program is taken with its version', () =>
  withProgram('anvil Version: 9.8.7', async (path) => {
    assert.deepEqual(await ethereumProgram('anvil', path), { kind: 'anvil', path, version: '9.8.7' });
  }));

test('a named program that turns out to be a different one is refused', () =>
  withProgram('ganache v7.9.2', async (path) => {
    await assert.rejects(ethereumProgram('anvil', path), {
      code: 'program_unusable',
      message: `${path} --version: expected the version of anvil, got "ganache v7.9.2\\n"`,
    });
  }));

test('a named program that does not exist is refused', async () => {
  await assert.rejects(
    ethereumProgram('ganache', '/nowhere/ganache'),
    /\/nowhere\/ganache --version does not run: .*ENOENT/,
  );
});
