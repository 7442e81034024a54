// The files of deploy/ name only what exists.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { checkProxy } from '../../src/cli/node/doctor/network.js';
import { variableName } from '../../src/config/option.js';
import { OPTIONS } from '../../src/config/options.js';
import { packageRoot } from '../../src/config/package-info.js';
import { removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import {
  configFrom,
  DEPLOY,
  deployFile,
  environmentOf,
  missing,
  withoutComments,
} from '../support/operations/deploy-files.js';

const names = readdirSync(DEPLOY).sort();
const variables = new Set(Object.values(OPTIONS).map(variableName));
const flags = new Set<string>(Object.values(OPTIONS).map(({ flag }) => flag));

describe('deploy/', () => {
  test('is part of the package, and the guide describes each file', () => {
    const { files } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
      files: string[];
    };
    assert.ok(files.includes('deploy'));
    const guide = readFileSync(join(packageRoot(), 'docs/operations.md'), 'utf8');
    for (const name of names) assert.ok(guide.includes(`\`${name}\``), `the guide leaves out ${name}`);
  });

  for (const name of names) {
    test(`${name} names existing variables`, () => {
      for (const [variable] of deployFile(name).matchAll(/HEDDLE_[A-Z0-9_]+/g)) {
        assert.ok(variables.has(variable), `${name}: no option has the variable ${variable}`);
      }
    });
  }

  test('has no secret on a command line or in a variable', () => {
    for (const name of names) assert.doesNotMatch(deployFile(name), /PASSPHRASE|private_key|0x[0-9a-f]{64}/);
  });
});

describe('heddle.env', () => {
  const text = deployFile('heddle.env');

  test('is a valid configuration behind the proxy of nginx.conf', () => {
    const environment = environmentOf(withoutComments(text).split('\n').filter(Boolean));
    const config = configFrom(environment);
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.port, OPTIONS.port.default);
    const [host = ''] = config.allowedHosts;
    const proxy = deployFile('nginx.conf');
    assert.ok(proxy.includes(`server_name ${host};`));
    // nginx reaches the node from this address, and says which client it speaks for.
    assert.ok(proxy.includes(`server ${config.host}:${config.port};`));
    assert.deepEqual(config.trustedProxies, [config.host]);
    assert.equal(checkProxy(config).result, 'ok');
    assert.equal(checkProxy({ ...config, trustedProxies: [] }).result, 'warning');
  });

  test('shows further options as comments that are valid too', () => {
    const shown = [...text.matchAll(/^#(HEDDLE_.+)$/gm)].map(([, line = '']) => line);
    assert.ok(shown.length > 0);
    // The trust anchor has to be a file that is there.
    const environment = { ...environmentOf(shown), HEDDLE_TRUST: 'dev' };
    assert.equal(configFrom(environment).follow.length, 2);
  });
});

describe('nginx.conf', () => {
  const text = deployFile('nginx.conf');
  const setting = (name: string): string =>
    new RegExp(`^\\s*${name} (.+);$`, 'm').exec(text)?.[1] ?? assert.fail(`it lacks ${name}`);

  test('names existing flags', () => {
    const named = [...text.matchAll(/--([a-z][a-z-]+)/g)].map(([, flag = '']) => flag);
    assert.ok(named.length > 2);
    for (const flag of named) assert.ok(flags.has(flag), `there is no --${flag}`);
  });

  test('has the address, the body size and the timeouts of the node', () => {
    assert.ok(text.includes(`  server 127.0.0.1:${OPTIONS.port.default};\n`));
    assert.equal(setting('client_max_body_size'), `${(OPTIONS.maxBodyBytes.default as number) / 2 ** 20}m`);
    assert.equal(setting('client_body_timeout'), `${(OPTIONS.requestTimeoutMs.default as number) / 1_000}s`);
    // tx_submit waits for up to a minute; the node closes a connection after ten idle seconds.
    assert.ok(Number.parseInt(setting('proxy_read_timeout'), 10) > 60);
    assert.ok(Number.parseInt(setting('keepalive_timeout'), 10) < 10);
  });

  test('passes each request to the node with its host and the address of the client', () => {
    const locations = [...text.matchAll(/^ {2}location (?:= )?(\S+) \{\n([\s\S]*?)^ {2}\}/gm)];
    assert.deepEqual(
      locations.map(([, path]) => path),
      ['/', '/v2/ws', '/metrics'],
    );
    for (const [, path, body = ''] of locations) {
      for (const line of [
        'proxy_pass http://heddle;',
        'proxy_set_header Host $http_host;',
        'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;',
        path === '/v2/ws' ? 'proxy_set_header Connection upgrade;' : 'proxy_set_header Connection "";',
      ]) {
        assert.ok(body.includes(`    ${line}\n`), `${path} lacks ${line}`);
      }
    }
  });

  test('listens on IPv6 wherever it listens on IPv4', () => {
    const listening = [...text.matchAll(/^ {2}listen (.+);$/gm)].map(([, address]) => address);
    assert.deepEqual(listening, ['80', '[::]:80', '443 ssl', '[::]:443 ssl']);
  });

  test('is accepted by nginx', { skip: missing('nginx', '-v') }, () => assertAccepted(text));
});

describe('the nginx configuration of docs/followers.md', () => {
  const guide = readFileSync(join(packageRoot(), 'docs/followers.md'), 'utf8');
  const text = /^```nginx\n([\s\S]*?)^```$/m.exec(guide)?.[1] ?? '';

  test('passes on the host, the address of the client, and WebSockets', () => {
    const locations = [...text.matchAll(/^ {2}location (?:= )?(\S+) \{\n([\s\S]*?)^ {2}\}/gm)];
    assert.deepEqual(
      locations.map(([, path]) => path),
      ['/', '/v2/ws'],
    );
    const inFront = deployFile('nginx.conf');
    for (const [, path, body = ''] of locations) {
      const headers = [...body.matchAll(/^ {4}proxy_set_header .+;$/gm)].map(([line]) => line);
      assert.equal(headers.length, path === '/v2/ws' ? 4 : 3);
      for (const header of headers) assert.ok(inFront.includes(header), header);
    }
  });

  test('is accepted by nginx', { skip: missing('nginx', '-v') }, () => assertAccepted(text));
});

/** Checks that nginx takes a configuration of servers, with a certificate made for it. */
function assertAccepted(servers: string): void {
  const directory = temporaryDirectory();
  try {
    const tls = join(directory, 'tls');
    mkdirSync(tls);
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=rpc.example.com', '-days', '1'],
      ...['-keyout', join(tls, 'privkey.pem'), '-out', join(tls, 'fullchain.pem')],
    ]);
    assert.equal(made.status, 0, made.stderr.toString());
    writeFileSync(join(directory, 'heddle.conf'), servers.replaceAll('/etc/ssl/heddle', tls));
    const main = `pid ${directory}/pid;\nerror_log stderr;\nevents {}\nhttp { access_log off; include ${directory}/heddle.conf; }\n`;
    const path = join(directory, 'nginx.conf');
    writeFileSync(path, main);
    const { status, stderr } = spawnSync('nginx', ['-t', '-p', directory, '-c', path]);
    assert.equal(status, 0, stderr.toString());
  } finally {
    removeDirectory(directory);
  }
}
