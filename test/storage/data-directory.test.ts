import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { DataDirectory } from '../../src/storage/data-directory.js';

const MODULE = new URL('../../src/storage/data-directory.js', import.meta.url).href;

async function temporaryPath(t: TestContext): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'data-directory-test-'));
  t.after(() => rm(parent, { recursive: true, force: true }));
  return join(parent, 'made', 'data');
}

function locks(path: string): string[] {
  return readdirSync(path).filter((name) => name.startsWith('lock.'));
}

/** Starts a process that tries to own the directory, says "owned" or the error's code, and then stays. */
function startOwner(t: TestContext, path: string): ChildProcess {
  const script = `
    const { DataDirectory } = await import(${JSON.stringify(MODULE)});
    try { await DataDirectory.open(${JSON.stringify(path)}); console.log('owned'); }
    catch (error) { console.log(error.code); }
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

async function answerOf(child: ChildProcess): Promise<string> {
  assert.ok(child.stdout);
  const [line] = await once(child.stdout, 'data');
  return String(line).trim();
}

describe('a data directory', () => {
  it('is created with its parents, for its owner only', async (t) => {
    const path = await temporaryPath(t);
    const directory = await DataDirectory.open(path);
    assert.equal(statSync(path).mode & 0o777, 0o700);
    assert.equal(directory.path, path);
    await directory.close();
    assert.deepEqual(readdirSync(path), ['FORMAT']);
    await (await DataDirectory.open(path)).close();
  });

  it('has one owner at a time, even within a process', async (t) => {
    const path = await temporaryPath(t);
    const first = await DataDirectory.open(path);
    await assert.rejects(DataDirectory.open(path), {
      name: 'DataDirectoryError',
      code: 'in_use',
      pid: process.pid,
    });
    await first.close();
    await (await DataDirectory.open(path)).close();
  });

  it('names the process that owns it, and is free as soon as that is killed', async (t) => {
    const path = await temporaryPath(t);
    const child = startOwner(t, path);
    assert.equal(await answerOf(child), 'owned');
    await assert.rejects(DataDirectory.open(path), {
      code: 'in_use',
      pid: child.pid,
      message: new RegExp(`in use by process ${child.pid}`),
    });
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    assert.equal(locks(path).length, 1);
    const directory = await DataDirectory.open(path);
    assert.equal(locks(path).length, 1);
    await directory.close();
  });

  it('is free for a process that reuses the pid of a dead owner', async (t) => {
    const path = await temporaryPath(t);
    await (await DataDirectory.open(path)).close();
    const { ppid } = process;
    for (const name of [
      `lock.${ppid}-1-00000000`,
      `lock.${ppid}`,
      `lock.${process.pid}-1-00000000`,
      'lock.junk',
    ]) {
      await writeFile(join(path, name), '');
    }
    const directory = await DataDirectory.open(path);
    assert.equal(locks(path).length, 1);
    await directory.close();
  });

  it('goes to at most one of several processes that start together', async (t) => {
    const path = await temporaryPath(t);
    const answers = await Promise.all([1, 2, 3].map(() => answerOf(startOwner(t, path))));
    assert.equal(answers.length, 3);
    const owners = answers.filter((answer) => answer === 'owned').length;
    assert.ok(owners <= 1, answers.join(', '));
    assert.ok(answers.every((answer) => answer === 'owned' || answer === 'in_use'));
    if (owners === 1) await assert.rejects(DataDirectory.open(path), { code: 'in_use' });
  });

  it('is refused when it has another format', async (t) => {
    const path = await temporaryPath(t);
    await (await DataDirectory.open(path)).close();
    for (const text of ['heddle data directory, format 4\n', '', 'something else']) {
      await writeFile(join(path, 'FORMAT'), text);
      await assert.rejects(DataDirectory.open(path), {
        code: 'wrong_version',
        message: /expected format 5 in FORMAT/,
      });
      assert.deepEqual(locks(path), []);
    }
  });

  it('is refused when the path is a file, or below one', async (t) => {
    const path = await temporaryPath(t);
    await (await DataDirectory.open(path)).close();
    const file = join(path, 'file');
    await writeFile(file, '');
    await assert.rejects(DataDirectory.open(file), { code: 'not_a_directory' });
    await assert.rejects(DataDirectory.open(join(file, 'below')), { code: 'not_a_directory' });
  });

  it('is refused when it cannot be created', async () => {
    await assert.rejects(DataDirectory.open('/proc/heddle-data'), {
      code: 'not_writable',
      message: /\/proc\/heddle-data/,
    });
  });
});
