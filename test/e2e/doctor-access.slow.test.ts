// heddle doctor on the keys of token issuers, on proxies, on the packages for traces, and on the Redis server of --quota-store.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { heddle } from '../support/nodes/command-line.js';
import { removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { assertFinding, doctor } from '../support/operations/doctor.js';
import { RedisServer, WITHOUT_REDIS } from '../support/tokens/redis-server.js';

const scratch = temporaryDirectory();
after(() => removeDirectory(scratch));
let made = 0;
const fresh = (): string => join(scratch, `${made++}`);
const args = (): string[] => ['--data-dir', fresh(), '--port', '0'];

describe('the keys of token issuers', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
  const fileOf = (text: string | Buffer): string => {
    const path = fresh();
    writeFileSync(path, text);
    return path;
  };

  test('pass if they are public Ed25519 keys', async () => {
    const file = fileOf(publicKey.export({ type: 'spki', format: 'pem' }));
    const examined = await doctor([...args(), '--token-issuer-key', file]);
    assert.equal(examined.code, 0, examined.text);
    assertFinding(examined, 'issuer keys', 'ok', /: keys [\w-]{43}$/);
    const without = await doctor(args());
    assert.ok(without.report.findings.every(({ check }) => check !== 'issuer keys'));
  });

  test('are a problem whenever the start would fail, with the same message', async () => {
    const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    for (const [text, says] of [
      [secret, /this is a private key/],
      [rsa.export({ type: 'spki', format: 'pem' }), /got a key of type rsa/],
      ['{"kty":', /neither PEM nor JSON/],
    ] as const) {
      const flags = [...args(), '--token-issuer-key', fileOf(text)];
      const examined = await doctor(flags);
      const { found } = assertFinding(examined, 'issuer keys', 'problem', says);
      const started = await heddle(['start', ...flags, '--log-level', 'fatal']);
      assert.notEqual(started.code, 0);
      const printed = started.out + started.err;
      assert.ok(printed.includes(found), printed);
      const [, line = ''] = secret.split('\n');
      assert.ok(!(examined.text + printed).includes(line.slice(0, 20)), 'it printed the key');
    }
  });
});

describe('a node behind a proxy on its machine', () => {
  test('should trust it', async () => {
    const behind = [...args(), '--allowed-hosts', 'rpc.example.com'];
    const { advice } = assertFinding(
      await doctor(behind),
      'proxy',
      'warning',
      /all clients without a token share one rate/,
    );
    assert.equal(advice, 'set --trusted-proxies 127.0.0.1');
    const believed = await doctor([...behind, '--trusted-proxies', '127.0.0.1']);
    assertFinding(believed, 'proxy', 'ok', /believes the proxies 127\.0\.0\.1$/);
  });

  test('is distinguished from one without, which expects only loopback names or listens on more', async () => {
    for (const flags of [
      [],
      ['--allowed-hosts', 'localhost:9545,node.localhost'],
      ['--host', '0.0.0.0', '--allowed-hosts', 'rpc.example.com'],
    ]) {
      assertFinding(await doctor([...args(), ...flags]), 'proxy', 'ok', /^none, judging by/);
    }
  });
});

describe('traces', () => {
  const flags = ['--otlp-endpoint', 'http://127.0.0.1:4318'];

  test('need no packages without --otlp-endpoint, and find them with it', async () => {
    const without = await doctor(args());
    assert.ok(without.report.findings.every(({ check }) => check !== 'tracing'));
    assertFinding(await doctor([...args(), ...flags]), 'tracing', 'ok', /the packages are installed/);
  });

  test('are a problem if the packages are missing', async () => {
    const hook = `export const resolve = (name, context, next) => {
      if (name.startsWith('@opentelemetry/')) throw new Error('Cannot find package ' + name);
      return next(name, context);
    };`;
    const moduleOf = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`;
    const register = `import { register } from 'node:module'; register(${JSON.stringify(moduleOf(hook))});`;
    const env = { NODE_OPTIONS: `--import=${moduleOf(register)}` };
    const examined = await doctor([...args(), ...flags], { env });
    assertFinding(examined, 'tracing', 'problem', /needs the optional @opentelemetry packages: Cannot find/);
  });
});

describe('the quota store', { skip: WITHOUT_REDIS, timeout: 600_000 }, () => {
  const dataDir = temporaryDirectory();
  let server: RedisServer;
  before(async () => {
    server = await RedisServer.start('right-horse');
  });
  after(async () => {
    await server.dispose();
    removeDirectory(dataDir);
  });
  const examine = (url: string) =>
    doctor(['--data-dir', dataDir, '--port', '0'], { env: { HEDDLE_QUOTA_STORE: url } });

  test('is embedded, or answers and keeps changes', async () => {
    assertFinding(await examine('embedded'), 'quota store', 'ok', /^embedded$/);
    assertFinding(await examine(server.url), 'quota store', 'ok', /answers and keeps changes/);
  });

  test('must accept the node’s password', async () => {
    const examined = await examine(`redis://:wrong-horse@127.0.0.1:${server.port}`);
    assertFinding(examined, 'quota store', 'problem', /refuses this node: WRONGPASS/);
    assert.doesNotMatch(examined.text, /-horse/);
  });

  test('should be reachable and sync each change', async () => {
    await server.command('CONFIG SET appendfsync everysec');
    assertFinding(await examine(server.url), 'quota store', 'warning', /appendfsync everysec: .* twice/);
    await server.stop('SIGTERM');
    assertFinding(
      await examine(server.url),
      'quota store',
      'warning',
      /does not answer: connect ECONNREFUSED/,
    );
  });
});
