import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { CliError } from '../../src/cli/cli-error.js';
import { readKeyFile, writeKeyFile } from '../../src/cli/key-file.js';
import { devAccount, devPrivateKey, formatAddress } from '../../src/client/client.js';
import { Passphrase } from '../../src/consensus/files/passphrase.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { heddle } from '../support/nodes/command-line.js';
import { FakeNode } from '../support/nodes/fake-node.js';
import { FakeChain } from '../support/worlds/fake-chain.js';

describe('heddle keys', () => {
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

  /** For key files that are not encrypted. */
  const NOT_ASKED = (): never => assert.fail('asked for a passphrase');

  describe('keys --json', () => {
    it('prints what was made, without the key', async () => {
      const file = freshPath();
      const made = JSON.parse((await heddle(['keys', 'new', '--out', file, '--json'])).out);
      const { address, private_key } = JSON.parse(readFileSync(file, 'utf8'));
      assert.deepEqual(made, { address, scheme: 'ed25519', file, encrypted: false });
      assert.ok(!JSON.stringify(made).includes(private_key));
      assert.deepEqual(JSON.parse((await heddle(['keys', 'address', file, '--json'])).out), { address });
      const passphrase = freshPath();
      writeFileSync(passphrase, 'a long enough passphrase\n', { mode: 0o600 });
      const encrypted = await heddle(['keys', 'encrypt', file, '--passphrase-file', passphrase, '--json']);
      assert.deepEqual(JSON.parse(encrypted.out), { address, scheme: 'ed25519', file, encrypted: true });
      const validator = freshPath();
      const group = JSON.parse((await heddle(['keys', 'new-validator', '--out', validator, '--json'])).out);
      assert.match(group.group_public_key, /^0x[0-9a-f]{96}$/);
      assert.equal(group.file, validator);
    });
  });

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
      assert.match(refused.err, /the file exists; choose another name, or --force/);
      assert.equal(readFileSync(out, 'utf8'), 'precious');
      const validator = await heddle(['keys', 'new-validator', '--out', out]);
      assert.equal(validator.code, 1);
      assert.match(validator.err, /the file exists; choose another name$/m, 'no flag that it does not take');
      assert.equal(readFileSync(out, 'utf8'), 'precious');
      const forced = await heddle(['keys', 'new', '--out', out, '--force']);
      assert.equal(forced.code, 0);
      assert.match(readFileSync(out, 'utf8'), /private_key/);
    });

    it('with --force, makes a file private that others could read', async () => {
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

    it('quote odd names for the shell', async () => {
      const path = join(directory, "it's a key");
      writeFileSync(path, JSON.stringify({ scheme: 'ed25519', private_key }));
      chmodSync(path, 0o644);
      assert.match((await readKeyFile(path, NOT_ASKED)).warnings.join(), /chmod 600 '.*it'\\''s a key'$/);
    });

    it('with an address that does not match the key are refused', async () => {
      const path = keyFile({ scheme: 'ed25519', private_key, address: `0x${'00'.repeat(20)}` });
      await assert.rejects(
        readKeyFile(path, NOT_ASKED),
        new RegExp(`says address 0x0+, but its key has ${address}`),
      );
    });

    it('that are invalid are refused without showing their contents', async () => {
      const secret = 'a'.repeat(63);
      for (const content of [
        '',
        `{"scheme": "ed25519", "private_key": ${secret}`,
        { scheme: 'ed25519', private_key: `0x${secret}` },
        { scheme: 'rsa', private_key },
        { private_key },
        { scheme: 'ed25519', private_key, extra: secret },
        { scheme: 'ed25519', address },
        { scheme: 'ed25519', encrypted: {} },
        [],
        'null',
      ]) {
        const path = keyFile(content);
        await assert.rejects(readKeyFile(path, NOT_ASKED), (error: unknown) => {
          assert.ok(error instanceof CliError);
          assert.match(error.message, /not a key file/);
          assert.ok(!error.message.includes('aaa') && !error.message.includes(private_key.slice(2)));
          return true;
        });
      }
    });

    it('that are missing are named', async () => {
      const { code, err } = await heddle(['keys', 'address', join(directory, 'none')]);
      assert.equal(code, 1);
      assert.match(err, /none: cannot read the key file: no such file or directory\n$/);
    });
  });

  describe('encrypted key files', () => {
    const SECRET = { HEDDLE_PASSPHRASE: 'correct horse' };
    const passphraseFile = (text: string): string => keyFile(`${text}\n`);

    /** A file that costs little to decrypt, because it has nothing to protect. */
    async function encrypted(): Promise<{ readonly path: string; readonly address: string }> {
      const path = freshPath();
      const passphrase = new Passphrase(SECRET.HEDDLE_PASSPHRASE, 10);
      const key = { scheme: 'ed25519' as const, privateKey: devPrivateKey(0), passphrase };
      const { address } = await writeKeyFile(path, key, false);
      return { path, address: formatAddress(address) };
    }

    it('tell their address without the passphrase', async () => {
      const path = freshPath();
      const made = await heddle(['keys', 'new', '--out', path], SECRET);
      assert.match(made.out, /\(ed25519, encrypted, mode 0600\)$/m);
      const content = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
      assert.deepEqual(Object.keys(content), ['scheme', 'encrypted', 'public_key', 'address']);
      const { address } = content;
      assert.deepEqual(await heddle(['keys', 'address', path]), { code: 0, out: `${address}\n`, err: '' });
    });

    it('sign with the passphrase of the environment or of a file, and with no other', async () => {
      const { path, address } = await encrypted();
      const chain = new FakeChain(await loadCrypto('off'));
      const node = await FakeNode.start(chain.handlers());
      try {
        const send = (environment: Record<string, string>, ...flags: string[]) =>
          heddle(
            ['send', '--url', node.url, '--to', address, '--amount', '1', '--key', path, ...flags],
            environment,
          );
        assert.equal((await send(SECRET)).code, 0);
        const file = passphraseFile(SECRET.HEDDLE_PASSPHRASE);
        assert.equal((await send({}, '--passphrase-file', file)).code, 0);
        assert.equal(chain.taken.length, 2);
        for (const outcome of [
          await send({ HEDDLE_PASSPHRASE: 'Correct horse' }),
          await send(SECRET, '--passphrase-file', passphraseFile('wrong')),
        ]) {
          assert.equal(outcome.code, 1);
          assert.match(outcome.err, /the passphrase is wrong, or the file was changed\n$/);
        }
        const silent = await send({});
        assert.equal(silent.code, 2);
        assert.match(silent.err, /no terminal to ask: give --passphrase-file FILE or HEDDLE_PASSPHRASE/);
        assert.equal(chain.taken.length, 2);
      } finally {
        await node.stop();
      }
    });

    it('are refused after any change', async () => {
      const { path } = await encrypted();
      const content = JSON.parse(readFileSync(path, 'utf8')) as {
        encrypted: { ciphertext: string };
        address: string;
      };
      const { ciphertext } = content.encrypted;
      const last = ciphertext.endsWith('0') ? '1' : '0';
      const changed = { ...content.encrypted, ciphertext: ciphertext.slice(0, -1) + last };
      const read = (file: object) => heddle(['keys', 'encrypt', keyFile(file)], SECRET);
      assert.match((await read({ ...content, encrypted: changed })).err, /the file was changed/);
      const other = formatAddress(devAccount(1).address);
      assert.match((await read({ ...content, address: other })).err, /but its key has/);
    });

    it('are made from plain ones, and can get another passphrase', async () => {
      const path = freshPath();
      await heddle(['keys', 'new', '--scheme', 'secp256k1', '--out', path]);
      const { privateKey } = await readKeyFile(path, NOT_ASKED);
      assert.equal((await heddle(['keys', 'encrypt', path], SECRET)).code, 0);
      assert.ok(!readFileSync(path, 'utf8').includes('private_key'));
      const next = passphraseFile('second');
      const changed = await heddle(['keys', 'encrypt', path, '--new-passphrase-file', next], SECRET);
      assert.equal(changed.code, 0, changed.err);
      await assert.rejects(
        readKeyFile(path, async () => new Passphrase(SECRET.HEDDLE_PASSPHRASE)),
        /the passphrase is wrong/,
      );
      const read = await readKeyFile(path, async () => new Passphrase('second'));
      assert.deepEqual([read.privateKey, read.scheme], [privateKey, 'secp256k1']);
    });
  });
});
