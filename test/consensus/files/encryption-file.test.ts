import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import {
  newEncryptionKey,
  readEncryptionFile,
  writeEncryptionFile,
} from '../../../src/consensus/files/encryption-file.js';
import { Passphrase } from '../../../src/consensus/files/passphrase.js';
import { eraseSecretFile } from '../../../src/consensus/files/secret-file.js';
import { validatorPaths } from '../../../src/consensus/files/validator-directory.js';
import { EncryptionKeeper } from '../../../src/consensus/resharing/encryption-keeper.js';
import { hex } from '../../support/hex.js';
import { validatorWorld } from '../../support/networks/validators.js';

describe('the file of encryption keys', () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-encryption-'));
  after(() => rmSync(directory, { recursive: true }));
  const { bls, random } = validatorWorld(17);
  const keys = [newEncryptionKey(bls, random), newEncryptionKey(bls, random)];
  const lock = new Passphrase('correct horse', 10);

  test('keys are restored in their order, plain or under a passphrase', async () => {
    for (const passphrase of [undefined, lock]) {
      const path = join(directory, `keys ${passphrase === undefined}`);
      await writeEncryptionFile(path, keys, passphrase);
      assert.equal(statSync(path).mode & 0o777, 0o600);
      assert.deepEqual(await readEncryptionFile(bls, path, passphrase), keys);
      const isPlain = readFileSync(path, 'utf8').includes(hex(keys[0]?.privateKey ?? assert.fail()));
      assert.equal(isPlain, passphrase === undefined);
    }
  });

  test('a missing file, no key and halves that do not match are refused', async () => {
    const path = join(directory, 'bad');
    const refused = (code: string) => assert.rejects(readEncryptionFile(bls, path), { code });
    await refused('missing');
    await writeEncryptionFile(path, []);
    await refused('malformed');
    const [one, other] = keys;
    assert.ok(one && other);
    await writeEncryptionFile(path, [{ ...one, publicKey: other.publicKey }]);
    await refused('mismatch');
    await writeEncryptionFile(path, [{ ...one, privateKey: new Uint8Array(32) }]);
    await refused('malformed');
  });

  test('a keeper syncs each new key, and drops the others only if it knows the one to keep', async () => {
    const paths = validatorPaths(directory);
    const [one, other] = keys;
    assert.ok(one && other);
    await writeEncryptionFile(paths.encryption, [one]);
    const keeper = new EncryptionKeeper([one], (all) => writeEncryptionFile(paths.encryption, all));
    await keeper.add(other);
    const stored = () => readEncryptionFile(bls, paths.encryption);
    assert.deepEqual(await stored(), [one, other]);
    await keeper.keepOnly(newEncryptionKey(bls, random).publicKey);
    await keeper.keepOnly(undefined);
    assert.deepEqual(await stored(), [one, other]);
    await keeper.keepOnly(one.publicKey, other.publicKey);
    assert.deepEqual(await stored(), [one, other]);
    await keeper.keepOnly(other.publicKey);
    assert.deepEqual(await stored(), [other]);
    assert.deepEqual(keeper.privateKeys, [other.privateKey]);
  });

  test('a file of an earlier version is read, and its members about complaints are dropped', async () => {
    const path = join(directory, 'earlier');
    const [one] = keys;
    assert.ok(one);
    await writeEncryptionFile(path, [one]);
    const written = readFileSync(path, 'utf8');
    const { keys: [key] = [] } = JSON.parse(written) as { keys?: object[] };
    const earlier = { keys: [{ ...key, max_complaints: 1, complaints: [{ epoch: '3', dealer: 2 }] }] };
    writeFileSync(path, JSON.stringify(earlier));
    const read = await readEncryptionFile(bls, path);
    assert.deepEqual(read, [one]);
    await writeEncryptionFile(path, read);
    assert.equal(readFileSync(path, 'utf8'), written);
  });

  test('erasing a file also removes the copy that a crash left in mid-write', async () => {
    const path = join(directory, 'erased');
    for (const name of [path, `${path}.new`]) writeFileSync(name, 'secret');
    await eraseSecretFile(path);
    assert.ok(!existsSync(path) && !existsSync(`${path}.new`));
  });
});
