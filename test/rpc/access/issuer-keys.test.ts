import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { IssuerKeys } from '../../../src/rpc/access/issuer-keys.js';
import { AccessError } from '../../../src/rpc/access/token-files.js';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';

describe('issuer keys', () => {
  const directory = temporaryDirectory();
  after(() => removeDirectory(directory));
  let made = 0;
  const fileOf = (content: string | object): string => {
    const path = join(directory, `${made++}`);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };

  const pair = generateKeyPairSync('ed25519');
  const publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const privatePem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const publicJwk = pair.publicKey.export({ format: 'jwk' });
  const privateJwk = pair.privateKey.export({ format: 'jwk' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;

  describe('files of --token-issuer-key', () => {
    for (const [form, content] of [
      ['PEM', publicPem],
      ['a JWK', publicJwk],
      ['a JWK Set', { keys: [publicJwk] }],
    ] as const) {
      test(`may have ${form}`, async () => {
        const keys = await IssuerKeys.read([fileOf(content)]);
        assert.deepEqual(keys.find(undefined).export({ format: 'jwk' }), publicJwk);
        assert.equal(keys.ids.length, 1);
      });
    }

    for (const [form, content, says] of [
      ['a private key as PEM', privatePem, /a private key/],
      ['a private key after the public one', publicPem + privatePem, /a private key/],
      ['a private key as JWK', privateJwk, /a private key/],
      ['a private key in a JWK Set', { keys: [publicJwk, privateJwk] }, /a private key/],
      ['an RSA key as PEM', rsa.export({ type: 'spki', format: 'pem' }).toString(), /got a key of type rsa/],
      ['an RSA key as JWK', rsa.export({ format: 'jwk' }), /got a key of type rsa/],
      ['broken JSON', '{"kty":', /neither PEM nor JSON/],
      ['a bare private key', privatePem.split('\n')[1] ?? '', /neither PEM nor JSON/],
      ['no object', 'null', /neither a key nor a set of keys/],
      ['a set of nothing', { keys: [null] }, /neither a key nor a set of keys/],
    ] as const) {
      test(`must not have ${form}, and the error quotes nothing of it`, async () => {
        const path = fileOf(content);
        await assert.rejects(IssuerKeys.read([path]), (error: unknown) => {
          assert.ok(error instanceof AccessError);
          assert.equal(error.code, 'bad_issuer_key');
          assert.match(error.message, says);
          assert.ok(error.message.startsWith(path));
          const secret = privatePem.split('\n')[1] ?? '';
          for (const part of [secret.slice(0, 8), secret.slice(-8), privateJwk.d ?? '']) {
            assert.ok(!error.message.includes(part), error.message);
          }
          return true;
        });
      });
    }
  });
});
