import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { SignJWT } from 'jose';
import type { Log } from '../../../src/config/log.js';
import { AccessError } from '../../../src/rpc/access/token-files.js';
import { createTokenFiles } from '../../../src/rpc/access/token-setup.js';
import { FakeRpc } from '../../support/http/fake-rpc.js';

const HOUR_MS = 3_600_000;

interface ErrorAnswer {
  readonly id: unknown;
  readonly error: { readonly code: number; readonly message: string; readonly data: Record<string, unknown> };
}

describe('access', async () => {
  let now = Date.UTC(2030, 0, 1);
  const rpc = await FakeRpc.create({ now: () => now });
  after(() => rpc.dispose());
  const admin = await rpc.tokens.adminToken();

  const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });

  test('public and paid methods need no token', async () => {
    assert.equal((await rpc.call('subtract', { minuend: 1, subtrahend: 1 })).status, 200);
    assert.equal((await rpc.call('expensive')).status, 200);
  });

  test('an admin method without a token is unauthorized, and the answer explains how to send one', async () => {
    const answer = await rpc.call('secret');
    assert.equal(answer.status, 401);
    assert.match(answer.headers['www-authenticate'] ?? '', /^Bearer/);
    const { error, id } = answer.json as ErrorAnswer;
    assert.equal(id, 1);
    assert.equal(error.code, -32001);
    assert.deepEqual(error.data, { kind: 'unauthorized', retryable: false, required: 'admin' });
  });

  test('an admin method with the admin token is answered', async () => {
    const answer = await rpc.call('secret', {}, bearer(admin));
    assert.equal(answer.text, '{"jsonrpc":"2.0","id":1,"result":"of operator"}');
  });

  test('a known token is accepted at once', async () => {
    await rpc.call('secret', {}, bearer(admin));
    assert.ok(!(rpc.access.identify(`Bearer ${admin}`, undefined, () => '192.0.2.1') instanceof Promise));
  });

  test('a token of a lesser tier is forbidden', async () => {
    for (const tier of ['public', 'paid'] as const) {
      const { token } = await rpc.tokens.issue({ subject: 'someone', tier, expiresAtMs: now + HOUR_MS });
      const answer = await rpc.call('secret', {}, bearer(token));
      assert.equal(answer.status, 403);
      assert.equal((answer.json as ErrorAnswer).error.code, -32002);
      assert.equal((await rpc.call('expensive', {}, bearer(token))).status, 200);
    }
  });

  test('an expired token is refused, even if it was valid before', async () => {
    const claims = { subject: 'x', tier: 'admin', expiresAtMs: now + HOUR_MS } as const;
    const { token } = await rpc.tokens.issue(claims);
    assert.equal((await rpc.call('secret', {}, bearer(token))).status, 200);
    now += 2 * HOUR_MS;
    const answer = await rpc.call('secret', {}, bearer(token));
    assert.equal(answer.status, 401);
    assert.match((answer.json as ErrorAnswer).error.message, /expired/);
  });

  const secret = Buffer.from((await readFile(join(rpc.directory, 'token.secret'), 'utf8')).trim(), 'hex');
  const later = Math.floor(now / 1000) + 100 * 3_600;
  const forged = {
    'of another node': await new SignJWT({ tier: 'admin' })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('x')
      .setExpirationTime(later)
      .sign(Buffer.alloc(32, 7)),
    'that is not signed': `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(
      `{"sub":"x","tier":"admin","exp":${later}}`,
    ).toString('base64url')}.`,
    'that has been changed': `${admin.slice(0, -3)}${admin.endsWith('AAA') ? 'BBB' : 'AAA'}`,
    'of a tier that does not exist': await new SignJWT({ tier: 'root' })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('x')
      .setExpirationTime(later)
      .sign(secret),
    'that never expires': await new SignJWT({ tier: 'admin' })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('x')
      .sign(secret),
    'that is none': 'xyz',
    'that is much too long': 'x'.repeat(100_000),
  };
  for (const [what, token] of Object.entries(forged)) {
    test(`a token ${what} is unauthorized, even for public methods`, async () => {
      for (const method of ['secret', 'health']) {
        const answer = await rpc.call(method, {}, bearer(token));
        assert.equal(answer.status, 401, method);
        assert.equal((answer.json as ErrorAnswer).error.code, -32001);
        assert.equal((answer.json as ErrorAnswer).id, 1);
      }
    });
  }

  test('a token has one spelling, whatever the header looks like', async () => {
    const last = admin.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    // The last of 43 characters has two bits that decoders ignore.
    const twin = alphabet[alphabet.indexOf(last) ^ 1] ?? '';
    for (const spelling of [`${admin.slice(0, -1)}${twin}`, `${admin}=`]) {
      assert.equal((await rpc.call('secret', {}, bearer(spelling))).status, 401, spelling);
    }
    await rpc.call('secret', {}, bearer(admin));
    for (const authorization of [`bearer ${admin}`, `BEARER   ${admin}  `]) {
      assert.ok(
        !(rpc.access.identify(authorization, undefined, () => '192.0.2.1') instanceof Promise),
        'it is known',
      );
    }
  });

  test('an Authorization header of another kind is unauthorized', async () => {
    for (const authorization of ['Basic eDp5', 'Bearer', 'Bearer ', `Bearer ${admin} x`, admin]) {
      assert.equal((await rpc.call('health', {}, { authorization })).status, 401, authorization);
    }
    assert.equal((await rpc.call('secret', {}, { authorization: `bearer  ${admin}` })).status, 200);
  });

  test('a batch with a bad token has every call refused', async () => {
    const call = '{"jsonrpc":"2.0","id":1,"method":"health"}';
    const answer = await rpc.post(`[${call},${call}]`, bearer('xyz'));
    assert.equal(answer.status, 200);
    assert.deepEqual(
      (answer.json as readonly ErrorAnswer[]).map(({ error }) => error.code),
      [-32001, -32001],
    );
  });
});

describe('the token files', () => {
  const directories: string[] = [];
  let directory: string;
  const lines: string[] = [];
  const note = (_fields: object, message: string): void => {
    lines.push(message);
  };
  const log: Log = { debug: note, info: note, warn: note, error: note };

  const registered: { tier: string; subject: string }[] = [];
  let isRevoked = false;
  const create = (dataDirectory = directory): Promise<string> =>
    createTokenFiles(
      { dataDirectory, log },
      {
        register: (token) => {
          registered.push({ tier: token.tier, subject: token.subject });
          return Promise.resolve({ ...token, left: 0, expiresMs: token.expiresAtMs });
        },
        isRevoked: () => Promise.resolve(isRevoked),
      },
    );

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'heddle-access-'));
    directories.push(directory);
    lines.length = 0;
  });
  after(async () => {
    for (const made of directories) await rm(made, { recursive: true });
  });

  const read = (file: string): Promise<string> => readFile(join(directory, file), 'utf8');

  test('are created at first start, readable by their owner only, and kept', async () => {
    const adminTokenPath = await create();
    assert.equal(adminTokenPath, join(directory, 'admin.token'));
    assert.ok(lines.some((line) => line.includes(adminTokenPath)));
    for (const file of ['token.secret', 'admin.token']) {
      assert.equal((await stat(join(directory, file))).mode & 0o777, 0o600, file);
    }
    const before = [await read('token.secret'), await read('admin.token')];
    await create();
    assert.deepEqual([await read('token.secret'), await read('admin.token')], before);
  });

  test('do not keep an admin token that the secret did not sign', async () => {
    await create();
    const before = await read('admin.token');
    await rm(join(directory, 'token.secret'));
    await create();
    const token = (await read('admin.token')).trim();
    assert.notEqual(token, before.trim());
    assert.deepEqual(registered.at(-1), { tier: 'admin', subject: 'operator' });
  });

  test('do not keep an admin token that was revoked', async () => {
    await create();
    const before = await read('admin.token');
    isRevoked = true;
    await create();
    isRevoked = false;
    assert.notEqual(await read('admin.token'), before);
  });

  test('cause a warning if others can read the secret', async () => {
    await create();
    await chmod(join(directory, 'token.secret'), 0o644);
    lines.length = 0;
    await create();
    assert.ok(lines.some((line) => line.includes('token.secret') && line.includes('chmod 600')));
  });

  test('cause an error with instructions if the secret is invalid', async () => {
    await writeFile(join(directory, 'token.secret'), 'abc');
    await assert.rejects(create(), (error) => {
      assert.ok(error instanceof AccessError);
      assert.equal(error.code, 'bad_secret');
      assert.match(error.message, /64 hex digits/);
      return true;
    });
  });

  test('cause an error that names the file if the directory is missing', async () => {
    await assert.rejects(create(join(directory, 'nowhere')), {
      name: 'AccessError',
      code: 'unusable_file',
      message: /nowhere/,
    });
  });
});
