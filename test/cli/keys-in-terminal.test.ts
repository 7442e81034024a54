// Keys that ask a terminal for their passphrase.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { readKeyFile } from '../../src/cli/key-file.js';
import { packageRoot } from '../../src/config/package-info.js';
import { Passphrase } from '../../src/consensus/files/passphrase.js';
import { removeDirectory, temporaryDirectory } from '../support/temporary-directory.js';

test('encrypted key files ask a terminal for the passphrase, and show none of it', async (t) => {
  const directory = temporaryDirectory();
  t.after(() => removeDirectory(directory));
  const path = join(directory, 'key.json');
  const made = await inTerminal(['keys', 'new', '--out', path, '--encrypt'], ['typed', 'typed']);
  assert.match(made, /new passphrase of .*: /);
  assert.match(made, /the same again: /);
  assert.ok(!made.includes('typed'));
  const read = await readKeyFile(path, async () => new Passphrase('typed'));
  assert.equal(read.isEncrypted, true);
  const differing = await inTerminal(
    ['keys', 'new', '--out', join(directory, 'other.json'), '--encrypt'],
    ['one', 'two'],
  );
  assert.match(differing, /the two passphrases differ; nothing was written/);
});

/** Runs the command line in a terminal and answers each of its questions. @returns the terminal's content */
async function inTerminal(args: readonly string[], answers: readonly string[]): Promise<string> {
  const main = join(packageRoot(), 'dist', 'bundle', 'main.js');
  const command = [process.execPath, main, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...process.env, HEDDLE_PASSPHRASE: '' },
  });
  let [shown, asked] = ['', 0];
  child.stdout.on('data', (bytes: Buffer) => {
    shown += bytes.toString();
    const questions = shown.match(/(passphrase of \S+|the same again): /g)?.length ?? 0;
    if (questions > asked && asked < answers.length) child.stdin.write(`${answers[asked++]}\r`);
  });
  await once(child, 'close');
  return shown;
}
