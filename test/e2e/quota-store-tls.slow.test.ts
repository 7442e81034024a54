// A Redis server that takes only TLS, with a certificate of an authority that the machine does not know.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { RpcClient } from '../outside/rpc.js';
import { removeDirectory, runHeddle, temporaryDirectory } from '../support/nodes/node-process.js';
import { assertFinding, doctor } from '../support/operations/doctor.js';
import { callAccount, Fleet, PRICE } from '../support/tokens/fleet.js';
import { RedisServer, WITHOUT_REDIS } from '../support/tokens/redis-server.js';

const PASSWORD = 'right-horse';

/** Creates an authority, and a certificate of it for an address; returns the paths of the files. */
function certify(directory: string, name: string, address: string) {
  const file = (ending: string): string => join(directory, `${name}${ending}`);
  const openssl = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const [authority, authorityKey] = [file('-ca.pem'), file('-ca.key')];
  openssl(
    ...['req', '-x509', ...key, '-days', '2', '-subj', `/CN=${name} authority`],
    ...['-keyout', authorityKey, '-out', authority],
  );
  openssl(
    ...[
      'req',
      '-x509',
      ...key,
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      '-CA',
      authority,
      '-CAkey',
      authorityKey,
    ],
    ...['-addext', `subjectAltName=IP:${address}`, '-addext', 'basicConstraints=critical,CA:FALSE'],
    ...['-keyout', file('.key'), '-out', file('.pem')],
  );
  return { authority, certificate: file('.pem'), key: file('.key') };
}

/** Why these tests are skipped; false if they run. */
function withoutTls(): string | false {
  if (WITHOUT_REDIS !== false) return WITHOUT_REDIS;
  const openssl = spawnSync('openssl', ['req', '-help'], { encoding: 'utf8' });
  if (openssl.error !== undefined || !/-CAkey/.test(openssl.stderr)) return 'openssl 3 is not installed';
  // A server without TLS does not know the setting, and one with it ends for lack of the file.
  const args = ['--port', '0', '--tls-cert-file', '/nonexistent', '--tls-port', '1', '--dir', '/nonexistent'];
  const { stdout, stderr } = spawnSync('redis-server', args, { encoding: 'utf8', timeout: 10_000 });
  return /Bad directive/.test(stdout + stderr) ? 'redis-server is built without TLS' : false;
}

describe('a quota store with TLS', { skip: withoutTls(), timeout: 600_000 }, () => {
  const directory = temporaryDirectory();
  let server: RedisServer;
  let authority: string;
  let other: string;
  before(async () => {
    const files = certify(directory, 'redis', '127.0.0.1');
    authority = files.authority;
    other = certify(directory, 'other', '127.0.0.1').authority;
    server = await RedisServer.start(PASSWORD, files);
  });
  after(async () => {
    await server.dispose();
    removeDirectory(directory);
  });
  const examine = (url: string, environment: Readonly<Record<string, string>> = {}) =>
    doctor(['--data-dir', directory, '--port', '0'], { env: { HEDDLE_QUOTA_STORE: url, ...environment } });

  test('serves a node that trusts the authority', async () => {
    const environment = { NODE_EXTRA_CA_CERTS: authority };
    assertFinding(await examine(server.url, environment), 'quota store', 'ok', /answers and keeps changes/);
    const fleet = new Fleet(server.url, environment);
    try {
      const node = await fleet.add();
      const { token } = await fleet.token(node.dataDir, 'issue', '--tier', 'paid', '--units', '20');
      const rpc = new RpcClient(node.url, token);
      const statuses: number[] = [];
      for (let call = 0; call <= 20 / PRICE; call++) statuses.push(await callAccount(rpc));
      rpc.close();
      assert.deepEqual(statuses, [...Array.from({ length: 20 / PRICE }, () => 200), 402]);
    } finally {
      await fleet.dispose();
    }
  });

  test('is refused by a node that does not trust the authority, or trusts another', async () => {
    for (const environment of [{}, { NODE_EXTRA_CA_CERTS: other }]) {
      const examined = await examine(server.url, environment);
      const refusal = /--quota-store rediss:\/\/127\.0\.0\.1:\d+\/0 refuses this node: .*certificate/;
      const { advice } = assertFinding(examined, 'quota store', 'problem', refusal);
      assert.match(advice ?? '', /NODE_EXTRA_CA_CERTS/);
      assert.doesNotMatch(examined.text, /right-horse/);
      const dataDir = temporaryDirectory();
      const { code, stdout, stderr } = await runHeddle(['start', '--port', '0', '--data-dir', dataDir], {
        env: { HEDDLE_QUOTA_STORE: server.url, ...environment },
        timeoutMs: 120_000,
      });
      removeDirectory(dataDir);
      assert.equal(code, 1, stderr);
      assert.match(stderr, refusal);
      assert.doesNotMatch(stdout + stderr, /right-horse/);
    }
  });

  test('is refused under a name that its certificate does not hold', async () => {
    const url = server.url.replace('127.0.0.1', 'localhost');
    const examined = await examine(url, { NODE_EXTRA_CA_CERTS: authority });
    assertFinding(examined, 'quota store', 'problem', /refuses this node: .*(altnames|does not match)/);
  });

  test('cannot be reached by a node without TLS, and the password stays secret', async () => {
    const examined = await examine(server.url.replace('rediss:', 'redis:'), {});
    assertFinding(examined, 'quota store', 'warning', /does not answer/);
    assert.doesNotMatch(examined.text, /right-horse/);
  });
});
