import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { writeKeyFile } from '../../../src/cli/key-file.js';
import {
  identityOf,
  readIdentityFile,
  writeIdentityFile,
} from '../../../src/consensus/files/identity-file.js';
import { Passphrase } from '../../../src/consensus/files/passphrase.js';
import {
  ceremonyRecordFile,
  ResharingFile,
  resharingRecordFile,
} from '../../../src/consensus/files/record-file.js';
import { SecretFileError } from '../../../src/consensus/files/secret-file.js';
import {
  readShareFile,
  type ValidatorShare,
  writeShareFile,
} from '../../../src/consensus/files/share-file.js';
import { CRYPTO as crypto } from '../../support/crypto/loaded-crypto.js';
import { hex } from '../../support/hex.js';
import { validatorWorld } from '../../support/networks/validators.js';
import { randomSource } from '../../support/random-source.js';

describe('files of secrets', () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-secrets-'));
  after(() => rmSync(directory, { recursive: true }));
  const world = validatorWorld(9);

  const share: ValidatorShare = {
    epoch: 2n ** 64n - 1n,
    index: 3,
    share: new Uint8Array(32).fill(0x5a),
    journalId: randomSource(1).bytes(32),
  };
  const SECRET = '5a'.repeat(32);
  /** Cheap key derivation, because the test secrets need no protection. */
  const passphrase = (text = 'correct horse', log2Cost = 10) => new Passphrase(text, log2Cost);
  const place = (name: string) => join(directory, name);

  async function errorOf(work: Promise<unknown>): Promise<SecretFileError> {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof SecretFileError, String(error));
    return error;
  }

  for (const [name, lock] of [
    ['in the clear', undefined],
    ['under a passphrase', passphrase()],
  ] as const) {
    describe(`secrets ${name}`, () => {
      const path = place(`share ${name}`);

      test('a share survives a round trip through a file readable only by its owner', async () => {
        assert.equal(await readShareFile(path, lock), undefined);
        await writeShareFile(path, share, lock);
        assert.deepEqual(await readShareFile(path, lock), share);
        assert.equal(statSync(path).mode & 0o777, 0o600);
      });

      test('a new share replaces the old one and leaves no other file', async () => {
        writeFileSync(`${path}.new`, 'half', { mode: 0o644 });
        const next = { ...share, epoch: 4n, share: new Uint8Array(32).fill(1) };
        await writeShareFile(path, next, lock);
        assert.deepEqual(await readShareFile(path, lock), next);
        assert.equal(statSync(path).mode & 0o777, 0o600);
        assert.ok(!readdirSync(directory).some((file) => file.endsWith('.new')));
      });

      test('resharing secrets are restored, and erased when their epoch ends', async () => {
        const kept = resharingRecordFile(place(`resharing ${name}`), lock);
        const file = await ResharingFile.open(kept, 5n);
        assert.deepEqual(file.record, { epoch: 5n, received: [] });
        const own = {
          polynomial: [share.share],
          seed: share.share,
          encryption_key: new Uint8Array(48).fill(9),
        };
        await file.keep({ own });
        const received = [{ dealer: 1, commitments_digest: share.journalId, share: share.share }];
        await file.keep({ received });
        const again = await ResharingFile.open(kept, 5n);
        assert.deepEqual(again.record, { epoch: 5n, own, received });
        await ResharingFile.open(kept, 6n);
        assert.deepEqual((await ResharingFile.open(kept, 5n)).record.received, []);
        await again.keep({ received });
        await again.erase();
        assert.ok(!readdirSync(directory).includes(`resharing ${name}`));
      });

      test('ceremony secrets are restored', async () => {
        const file = ceremonyRecordFile(place(`ceremony ${name}`), lock);
        assert.equal(await file.read(), undefined);
        const { dealerGenesis } = await import('../../../src/consensus/dealer-genesis.js');
        const { genesis } = dealerGenesis(world, world.configuration([0, 1]));
        const signatures = [new Uint8Array(64).fill(1), new Uint8Array(64).fill(2)];
        const record = {
          attempt: 3,
          genesis,
          index: 1,
          share: share.share,
          vote: new Uint8Array(5),
          confirmed: signatures,
          confirmations: signatures,
        };
        await file.write(record);
        assert.deepEqual(await file.read(), record);
        await file.erase();
        assert.equal(await file.read(), undefined);
      });

      test('an identity is restored', async () => {
        const identity = identityOf(crypto, new Uint8Array(32).fill(7));
        await writeIdentityFile(place(`identity ${name}`), identity, lock);
        assert.deepEqual(await readIdentityFile(crypto, place(`identity ${name}`), lock), identity);
      });
    });
  }

  test('a key file of "heddle keys new" serves as identity', async () => {
    const seed = new Uint8Array(32).fill(8);
    await writeKeyFile(place('user key'), { scheme: 'ed25519', privateKey: seed }, false);
    const identity = await readIdentityFile(crypto, place('user key'));
    assert.equal(hex(identity.seed), hex(seed));
  });

  test('an encrypted file hides its secret and opens only with its passphrase', async () => {
    const path = place('locked');
    await writeShareFile(path, share, passphrase());
    const text = readFileSync(path, 'utf8');
    assert.ok(!text.includes(SECRET) && !text.includes(hex(share.journalId)));
    assert.equal((await errorOf(readShareFile(path, passphrase('another')))).code, 'passphrase');
    assert.equal((await errorOf(readShareFile(path))).code, 'passphrase');
    assert.deepEqual(await readShareFile(path, passphrase('correct horse', 12)), share);
    await writeShareFile(path, share, passphrase());
    assert.notEqual(readFileSync(path, 'utf8'), text, 'the same nonce twice');
  });

  test('an encrypted file opens only as its own kind of secret', async () => {
    const path = place('wrong kind');
    await writeShareFile(path, share, passphrase());
    assert.equal((await errorOf(readIdentityFile(crypto, path, passphrase()))).code, 'passphrase');
  });

  test('an unencrypted secret readable by others is refused', async () => {
    const path = place('exposed');
    await writeShareFile(path, share);
    chmodSync(path, 0o640);
    const error = await errorOf(readShareFile(path));
    assert.equal(error.code, 'exposed');
    assert.ok(error.message.includes('chmod 600'));
  });

  test('no error reveals a secret', async () => {
    const path = place('broken');
    await writeShareFile(path, share);
    const good = readFileSync(path, 'utf8');
    const broken = [
      good.slice(0, -4),
      good.replace('"index": 3', '"index": -1'),
      good.replace('"epoch"', '"epoche"'),
      good.replace(SECRET, SECRET.slice(2)),
      good.replace(SECRET, 'ff'.repeat(32)),
      good.replace(SECRET, '00'.repeat(32)),
      '',
      'null',
      `${SECRET}{`,
    ];
    for (const text of broken) {
      writeFileSync(path, text);
      const error = await errorOf(readShareFile(path));
      assert.equal(error.code, 'malformed', text);
      assert.ok(!inspect(error).includes('5a5a5a'), inspect(error));
    }
    const record = place('broken record');
    writeFileSync(record, JSON.stringify({ record: `0x${SECRET}` }), { mode: 0o600 });
    const error = await errorOf(ResharingFile.open(resharingRecordFile(record), 1n));
    assert.equal(error.code, 'malformed');
    assert.ok(!inspect(error).includes('5a5a5a'));
    const wrong = await errorOf(writeShareFile(path, { ...share, journalId: new Uint8Array(0) }));
    assert.ok(!inspect(wrong).includes('5a5a5a'));
  });

  test('a file that asks for more than a gigabyte of memory is refused', async () => {
    const path = place('expensive');
    await writeShareFile(path, share, passphrase());
    writeFileSync(path, readFileSync(path, 'utf8').replace('"log2_cost": 10', '"log2_cost": 30'));
    assert.equal((await errorOf(readShareFile(path, passphrase()))).code, 'malformed');
  });

  test('a missing identity or a mismatched public key is reported', async () => {
    assert.equal((await errorOf(readIdentityFile(crypto, place('none')))).code, 'missing');
    const identity = identityOf(crypto, new Uint8Array(32).fill(7));
    await writeIdentityFile(place('mixed'), { ...identity, publicKey: new Uint8Array(32) });
    const error = await errorOf(readIdentityFile(crypto, place('mixed')));
    assert.equal(error.code, 'mismatch');
    assert.ok(!inspect(error).includes('07070707'));
  });

  test('read and write failures are reported', async () => {
    assert.equal((await errorOf(writeShareFile(join(directory, 'no', 'such'), share))).code, 'unreadable');
    assert.equal((await errorOf(readShareFile(directory))).code, 'unreadable');
  });
});
