// The container file: its form, and a node that runs from the content of the image.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { OPTIONS } from '../../src/config/options.js';
import { packageRoot } from '../../src/config/package-info.js';
import { AllowedHosts } from '../../src/rpc/http/allowed-hosts.js';
import { eventually } from '../support/eventually.js';
import { freePorts } from '../support/free-ports.js';
import {
  configFrom,
  containerStages,
  deployFile,
  environmentOf,
} from '../support/operations/deploy-files.js';
import { removeDirectory, temporaryDirectory } from '../support/temporary-directory.js';

const root = packageRoot();
const stages = containerStages(deployFile('Containerfile'));
const image = stages.at(-1) ?? [];
const all = (name: string): string[] => image.filter((each) => each.name === name).map(({ rest }) => rest);
const last = (name: string): string => all(name).at(-1) ?? assert.fail(`the image lacks ${name}`);
const environment = environmentOf(last('ENV').split(/\s+/));
const healthCheck = JSON.parse(/CMD (.+)$/.exec(last('HEALTHCHECK'))?.[1] ?? '') as [string, ...string[]];

/** What the image takes from the build, from the root of the repository. */
const content = all('COPY').map(
  (rest) => /^--from=build \/build\/(\S+) \S+$/.exec(rest)?.[1] ?? assert.fail(rest),
);

describe('the container file', () => {
  test('is based on Node 24 and Debian 13, and downloads only packages', () => {
    assert.equal(stages.length, 2);
    for (const stage of stages) {
      assert.match(stage[0]?.rest ?? '', /^docker\.io\/library\/node:24-trixie-slim(?: AS build)?$/);
      for (const { name, rest } of stage) {
        assert.notEqual(name, 'ADD');
        assert.doesNotMatch(rest, /\b(?:curl|wget)\b|https:/);
      }
    }
  });

  test('runs without root, in exec form, with the data in a volume', () => {
    assert.match(last('USER'), /^[1-9]\d*:[1-9]\d*$/);
    assert.deepEqual(JSON.parse(last('ENTRYPOINT')), ['node', '/opt/heddle/dist/bundle/main.js']);
    assert.deepEqual(JSON.parse(last('CMD')), ['start']);
    assert.equal(last('STOPSIGNAL'), 'SIGTERM');
    const config = configFrom(environment);
    const [volume = ''] = JSON.parse(last('VOLUME')) as string[];
    assert.ok(config.dataDir.startsWith(`${volume}/`));
    assert.equal(config.port, OPTIONS.port.default);
    assert.equal(last('EXPOSE'), `${OPTIONS.port.default}`);
  });

  test('allows only loopback names as hosts, because its port is published on loopback', () => {
    const { host, allowedHosts } = configFrom(environment);
    const hosts = AllowedHosts.of(host, allowedHosts);
    assert.equal(hosts?.allows('localhost:9545'), true);
    assert.equal(hosts?.allows('127.0.0.1:9545'), true);
    assert.equal(hosts?.allows('rebound.example:9545'), false);
  });

  test('copies files that the package has', () => {
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] };
    for (const path of content.filter((each) => !['package.json', 'node_modules'].includes(each))) {
      assert.ok(files.includes(path), `${path} is not in the package`);
    }
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
    for (const name of ['node_modules', 'dist', '.git', 'heddle-data']) assert.ok(ignored.includes(name));
  });
});

test('a node runs from the content of the image, its health check passes, and SIGTERM ends it', async () => {
  const directory = temporaryDirectory();
  after(() => removeDirectory(directory));
  const opt = join(directory, 'opt');
  mkdirSync(opt);
  for (const path of content) {
    assert.ok(existsSync(join(root, path)), path);
    if (path === 'node_modules') symlinkSync(join(root, path), join(opt, path));
    else cpSync(join(root, path), join(opt, path), { recursive: true });
  }
  const [port] = await freePorts(1);
  const { HEDDLE_NATIVE: native = 'auto', PATH = '' } = process.env;
  const env = {
    PATH,
    HEDDLE_NATIVE: native,
    ...environment,
    HEDDLE_PORT: `${port}`,
    HEDDLE_HOST: '127.0.0.1',
    HEDDLE_DATA_DIR: join(directory, 'data'),
  };
  const check = async (): Promise<number> => {
    const [, ...args] = healthCheck;
    const [code] = await once(spawn(process.execPath, args, { env, stdio: 'ignore' }), 'exit');
    return code as number;
  };
  assert.equal(await check(), 1, 'the health check passes without a node');
  const node = spawn(process.execPath, [join(opt, 'dist/bundle/main.js'), 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(node, 'exit');
  const said = { text: '' };
  node.stdout.on('data', (chunk: Buffer) => {
    said.text += chunk.toString();
  });
  try {
    await eventually('the node listens', async () => /listening on/.test(said.text));
    await eventually('the health check passes', async () => (await check()) === 0);
  } finally {
    node.kill('SIGTERM');
  }
  assert.deepEqual(await exited, [null, 'SIGTERM']);
});
