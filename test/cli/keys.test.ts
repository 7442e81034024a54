import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { CliError } from '../../src/cli/cli-error.js';
import { readKeyFile } from '../../src/cli/key-file.js';
import { devAccount, devPrivateKey, formatAddress } from '../../src/client/client.js';
import { heddle } from '../support/command-line.js';

const directory = mkdtempSync(join(tmpdir(), 'heddle-keys-'));
after(() => rmSync(directory, { recursive: true, force: true }));

let files = 0;
function freshPath(): string {
  return join(directory, `key-${files++}.json`);
}

function keyFile(content: string | object, mode = 0o600): string {
  const path = freshPath();
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode });
  return path;
}

describe('keys new', () => {
  for (const scheme of ['ed25519', 'secp256k1']) {
    it(`writes a ${scheme} key that only its owner can read, and keys address reads it`, async () => {
      const out = freshPath();
      const made = await heddle(['keys', 'new', '--scheme', scheme, '--out', out]);
      assert.equal(made.code, 0);
      assert.equal(statSync(out).mode & 0o777, 0o600);
      const content = JSON.parse(readFileSync(out, 'utf8')) as Record<string, string>;
      assert.equal(content['scheme'], scheme);
      assert.match(content['private_key'] ?? '', /^0x[0-9a-f]{64}$/);
      assert.ok(!made.out.includes(content['private_key'] ?? ''), 'the key itself is not shown');
      const shown = await heddle(['keys', 'address', out]);
      assert.equal(shown.out, `${content['address']}\n`);
      assert.equal(shown.err, '');
      assert.match(made.out, new RegExp(`^address  ${content['address']}$`, 'm'));
    });
  }

  it('does not overwrite a file without --force', async () => {
    const out = keyFile('precious');
    const refused = await heddle(['keys', 'new', '--out', out]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /there is a file already; choose another name, or --force/);
    assert.equal(readFileSync(out, 'utf8'), 'precious');
    const validator = await heddle(['keys', 'new-validator', '--out', out]);
    assert.equal(validator.code, 1);
    assert.match(
      validator.err,
      /there is a file already; choose another name$/m,
      'no flag that it does not take',
    );
    assert.equal(readFileSync(out, 'utf8'), 'precious');
    const forced = await heddle(['keys', 'new', '--out', out, '--force']);
    assert.equal(forced.code, 0);
    assert.match(readFileSync(out, 'utf8'), /private_key/);
  });

  it('with --force, makes a file that others can read private', async () => {
    const out = keyFile('old', 0o644);
    await heddle(['keys', 'new', '--out', out, '--force']);
    assert.equal(statSync(out).mode & 0o777, 0o600);
  });

  it('does not write through a symbolic link', async () => {
    const target = join(directory, 'target');
    const link = freshPath();
    symlinkSync(target, link);
    assert.equal((await heddle(['keys', 'new', '--out', link])).code, 1);
    assert.throws(() => statSync(target));
  });

  it('reports a missing directory', async () => {
    const { code, err } = await heddle(['keys', 'new', '--out', join(directory, 'no', 'key.json')]);
    assert.equal(code, 1);
    assert.match(err, /cannot write the key file: no such file or directory/);
  });
});

describe('key files', () => {
  const private_key = `0x${Buffer.from(devPrivateKey(0)).toString('hex')}`;
  const address = formatAddress(devAccount(0).address);

  it('readable by others cause a warning with the command that fixes it', async () => {
    for (const mode of [0o644, 0o640, 0o604, 0o666]) {
      const path = keyFile({ scheme: 'ed25519', private_key });
      chmodSync(path, mode);
      const { code, out, err } = await heddle(['keys', 'address', path]);
      assert.equal(code, 0);
      assert.equal(out, `${address}\n`);
      assert.equal(
        err,
        `warning: ${path} can be read by others (mode 0${mode.toString(8)}); run: chmod 600 ${path}\n`,
      );
    }
  });

  it('quote odd names for the shell', () => {
    const path = join(directory, "it's a key");
    writeFileSync(path, JSON.stringify({ scheme: 'ed25519', private_key }));
    chmodSync(path, 0o644);
    assert.match(readKeyFile(path).warnings.join(), /chmod 600 '.*it'\\''s a key'$/);
  });

  it('with an address that does not match the key are refused', () => {
    const path = keyFile({ scheme: 'ed25519', private_key, address: `0x${'00'.repeat(20)}` });
    assert.throws(() => readKeyFile(path), new RegExp(`says address 0x0+, but its key has ${address}`));
  });

  it('that are invalid are refused without showing their contents', () => {
    const secret = 'a'.repeat(63);
    for (const content of [
      '',
      `{"scheme": "ed25519", "private_key": ${secret}`,
      { scheme: 'ed25519', private_key: `0x${secret}` },
      { scheme: 'rsa', private_key },
      { private_key },
      { scheme: 'ed25519', private_key, extra: secret },
      [],
      'null',
    ]) {
      const path = keyFile(content);
      assert.throws(
        () => readKeyFile(path),
        (error: unknown) => {
          assert.ok(error instanceof CliError);
          assert.match(error.message, /not a key file/);
          assert.ok(!error.message.includes('aaa') && !error.message.includes(private_key.slice(2)));
          return true;
        },
      );
    }
  });

  it('that are missing are named', async () => {
    const { code, err } = await heddle(['keys', 'address', join(directory, 'none')]);
    assert.equal(code, 1);
    assert.match(err, /none: cannot read the key file: no such file or directory\n$/);
  });
});
