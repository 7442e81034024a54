// heddle doctor on the machine and the data directory: each check with a good and a bad case.
import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { loadUws } from '../../src/rpc/http/native/load-uws.js';
import { freePorts } from '../support/free-ports.js';
import { heddle } from '../support/nodes/command-line.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { assertFinding, doctor } from '../support/operations/doctor.js';

const scratch = temporaryDirectory();
after(() => removeDirectory(scratch));
let made = 0;
const fresh = (): string => join(scratch, `${made++}`);

const isRoot = process.getuid?.() === 0;
const onLinux = process.platform === 'linux' ? false : 'it reads /proc';
const TMPFS = '/dev/shm';
const isTmpfs = existsSync(TMPFS) && statfsSync(TMPFS).type === 0x0102_1994;

describe('the report', () => {
  test('is one JSON object whose findings say what was found, what was expected, and how to fix it', async () => {
    const directory = fresh();
    const [port] = await freePorts(1);
    const { code, report } = await doctor(['--data-dir', directory, '--port', `${port}`]);
    assert.equal(code, 0);
    assert.deepEqual(Object.keys(report), ['version', 'problems', 'warnings', 'findings']);
    assert.match(report.version, /^\d+\.\d+\.\d+/);
    assert.equal(report.problems, 0);
    assert.equal(report.warnings, report.findings.filter(({ result }) => result === 'warning').length);
    for (const finding of report.findings) {
      const members = ['check', 'result', 'found', 'expected'];
      assert.deepEqual(Object.keys(finding), finding.result === 'ok' ? members : [...members, 'advice']);
      for (const text of Object.values(finding)) assert.ok(typeof text === 'string' && text !== '');
    }
    const checks = new Set(report.findings.map(({ check }) => check));
    for (const check of ['node version', 'user', 'open files', 'disk space', 'memory', 'clock', 'genesis']) {
      assert.ok(
        [...checks].some((each) => each === check),
        `no ${check}`,
      );
    }
    assert.ok(!existsSync(directory), 'it created the data directory');
  });

  test('as text names result, check and advice, and ends with the counts', async () => {
    const path = fresh();
    writeFileSync(path, 'not a directory');
    const { code, out } = await heddle(['doctor', '--data-dir', path, '--port', '0']);
    assert.equal(code, 1);
    assert.match(out, /^heddle \d+\.\d+\.\d+\n\n(?:ok|warning) +node version {5}Node /);
    assert.match(out, /^problem {2}data directory .* is not a directory.*\n +expected: .*\n +to do: /m);
    assert.match(out, /\n\d+ problems?, \d+ warnings?\n$/);
  });

  test('is not printed for wrong usage, which exits with code 2', async () => {
    const broken = fresh();
    writeFileSync(broken, '{"port": "http"}');
    for (const [args, says] of [
      [['--prot', '1'], /unknown option '--prot'/],
      [['--config', broken], /port: expected an integer .* got "http" \(from the key "port" in /],
      [['--config', join(scratch, 'nowhere.json')], /no such file \(named by the flag --config\)/],
      [['--url', 'localhost'], /expected a URL/],
    ] as const) {
      const { code, out, err } = await heddle(['doctor', ...args]);
      assert.equal(code, 2, err);
      assert.equal(out, '');
      assert.match(err, says);
    }
  });

  test('takes options from variables and the file, as heddle start does', async () => {
    const [directory, file] = [fresh(), `${fresh()}.json`];
    writeFileSync(file, JSON.stringify({ port: 0 }));
    const env = { HEDDLE_CONFIG: file, HEDDLE_DATA_DIR: directory };
    const examined = await doctor([], { env });
    assertFinding(
      examined,
      'data directory',
      'ok',
      new RegExp(`^${directory} is missing; the node creates it`),
    );
    assertFinding(examined, 'RPC port', 'ok', /picks a free port/);
  });
});

describe('beside a running node', () => {
  const directory = fresh();
  let node: NodeProcess;
  let port: string;
  before(async () => {
    node = await NodeProcess.start({ dataDir: directory, flags: ['--idle-block-time', '0'] });
    ({ port } = new URL(node.url));
  });
  after(() => node.dispose());

  test('the doctor reports it healthy, and changes nothing', { skip: onLinux }, async () => {
    const content = () => readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();
    const earlier = content();
    const examined = await doctor(['--data-dir', directory, '--port', port]);
    assert.equal(examined.code, 0, examined.text);
    assertFinding(
      examined,
      'data directory',
      'ok',
      new RegExp(`in use by process ${node.pid}, the running node`),
    );
    assertFinding(
      examined,
      'RPC port',
      'ok',
      new RegExp(`used by the running node \\(process ${node.pid}\\)`),
    );
    assertFinding(examined, 'genesis', 'ok', /chain 9545, .*the data directory holds this chain/);
    assertFinding(examined, 'token files', 'ok', /both are private and valid/);
    assertFinding(examined, 'open files', 'ok', new RegExp(`for the running node \\(process ${node.pid}\\)`));
    assert.deepEqual(content(), earlier);
    assert.ok((await fetch(`${node.url}/health`)).ok);
  });

  test('another port in the options is a warning: it may be another node', async () => {
    const [other] = await freePorts(1);
    const examined = await doctor(['--data-dir', directory, '--port', `${other}`]);
    const says = new RegExp(`in use by process ${node.pid}, which does not listen on port ${other}`);
    assertFinding(examined, 'data directory', 'warning', says);
  });

  test('a lock file of a dead process counts as no node, and stays', async () => {
    const other = fresh();
    mkdirSync(other, { mode: 0o700 });
    writeFileSync(join(other, 'lock.999999-1-00000000'), '');
    const examined = await doctor(['--data-dir', other, '--port', '0']);
    assertFinding(examined, 'data directory', 'ok', /, not in use$/);
    assert.deepEqual(readdirSync(other), ['lock.999999-1-00000000']);
  });
});

describe('the data directory', () => {
  test('must not be a file, nor below one', async () => {
    const path = fresh();
    writeFileSync(path, '');
    for (const each of [path, join(path, 'below')]) {
      const examined = await doctor(['--data-dir', each, '--port', '0']);
      assertFinding(examined, 'data directory', 'problem', /is not a directory/);
    }
  });

  test('must be writable', { skip: onLinux }, async () => {
    const path = fresh();
    mkdirSync(path, { mode: 0o500 });
    // Root ignores modes by this capability.
    const under = isRoot ? ['setpriv', '--bounding-set=-dac_override'] : [];
    const options = isRoot ? { under } : {};
    for (const each of [path, join(path, 'missing')]) {
      const examined = await doctor(['--data-dir', each, '--port', '0'], options);
      assertFinding(examined, 'data directory', 'problem', /cannot be created or written to: EACCES/);
    }
  });

  test('must have the format of this version', async () => {
    const path = fresh();
    mkdirSync(path, { mode: 0o700 });
    writeFileSync(join(path, 'FORMAT'), 'heddle data directory, format 999\n');
    const examined = await doctor(['--data-dir', path, '--port', '0']);
    assertFinding(examined, 'data directory', 'problem', /data in another format: .*format 999/);
  });

  test('must not be open to everyone', async () => {
    const path = fresh();
    mkdirSync(path);
    chmodSync(path, 0o777);
    const examined = await doctor(['--data-dir', path, '--port', '0']);
    assertFinding(examined, 'data directory', 'problem', /has mode 0777: every user can replace its files/);
  });

  test('should belong to the user', { skip: isRoot ? false : 'only root can give it away' }, async () => {
    const path = fresh();
    mkdirSync(path, { mode: 0o700 });
    assertFinding(
      await doctor(['--data-dir', path, '--port', '0']),
      'user',
      'warning',
      /runs as root .*user id 0$/,
    );
    const missing = await doctor(['--data-dir', '/no/such/directory', '--port', '0']);
    const { advice: made = '' } = assertFinding(missing, 'user', 'warning', /user id 0$/);
    assert.match(made, / install -d -m 700 -o heddle '\/no\/such\/directory'$/);
    chownSync(path, 65_534, 65_534);
    const examined = await doctor(['--data-dir', path, '--port', '0']);
    const { advice = '' } = assertFinding(examined, 'user', 'warning', /belongs to user id 65534/);
    assert.match(advice, /sudo -u '#65534' heddle doctor/);
  });

  test('should not be in memory', { skip: isTmpfs ? false : `${TMPFS} is not a tmpfs` }, async () => {
    const examined = await doctor(['--data-dir', join(TMPFS, 'heddle-none'), '--port', '0']);
    assertFinding(examined, 'file system', 'warning', /on tmpfs: its content is lost at a restart/);
  });
});

describe('the machine', () => {
  test('must allow enough open files', { skip: onLinux }, async () => {
    const limited = (count: number) => ({
      under: ['bash', '-c', `ulimit -n ${count}; exec "$@"`, 'bash'],
    });
    const args = ['--data-dir', fresh(), '--port', '0'];
    assertFinding(await doctor(args, limited(200)), 'open files', 'problem', /^200 open files allowed/);
    assertFinding(await doctor(args, limited(1_024)), 'open files', 'warning', /^1024 open files/);
    const many = ['--max-connections', '1000000', ...args];
    const { advice = '' } = assertFinding(await doctor(many), 'open files', 'warning', /open files allowed/);
    assert.match(advice, /lower --max-connections/);
  });

  test('needs memory for the budgets', async () => {
    const args = ['--data-dir', fresh(), '--port', '0'];
    const examined = await doctor(['--tree-memory', '1048576', ...args]);
    const { expected } = assertFinding(examined, 'memory', 'problem', /(?:MiB|GiB) \((?:memory of|limit of)/);
    assert.match(expected, /--tree-memory 1024\.0 GiB/);
    const wide = await doctor(['--max-buffered-bytes', `${2 ** 40}`, ...args]);
    assertFinding(wide, 'memory', 'warning', /GiB/);
    const small = await doctor(['--tree-memory', '16', '--pool-bytes', '1048576', ...args]);
    assertFinding(small, 'memory', 'ok', /GiB/);
  });

  test('should load the native parts; a fallback is named with its reason', async () => {
    const args = ['--data-dir', fresh(), '--port', '0'];
    assertFinding(
      await doctor(['--native', 'off', ...args]),
      'native parts',
      'ok',
      /^fallbacks by --native off: http, store, .*bls12-381/,
    );
    const broken = `${fresh()}.cjs`;
    writeFileSync(
      broken,
      `const Module = require('node:module');
       const load = Module._load;
       Module._load = (name, ...rest) => {
         if (name === 'sodium-native' || name === '@nxtedition/rocksdb/binding.js') throw new Error('made to fail');
         return load(name, ...rest);
       };`,
    );
    const env = { NODE_OPTIONS: `--require ${broken}` };
    const fallen = await doctor(['--native', 'auto', ...args], { env });
    assertFinding(fallen, 'native parts', 'warning', /^ed25519 falls back to node:crypto: made to fail$/);
    assertFinding(fallen, 'native parts', 'warning', /^store falls back to .*: cannot load .*made to fail$/);
    const required = await doctor(['--native', 'require', ...args], { env });
    assertFinding(required, 'native parts', 'problem', /ed25519: .* sodium-native is required but unusable/);
    assertFinding(required, 'native parts', 'problem', /cannot load @nxtedition\/rocksdb/);
    if ('reason' in loadUws()) return;
    assertFinding(fallen, 'native parts', 'ok', /http: uWebSockets\.js/);
  });
});

describe('the ports', () => {
  test('a taken one is a problem that names the process', { skip: onLinux }, async () => {
    const server = createServer();
    // Not one that the system picks: a connection of another test could take it once it is free again.
    const [port = 0] = await freePorts(1);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const args = ['--data-dir', fresh(), '--port', `${port}`];
    const says = new RegExp(`^127\\.0\\.0\\.1:${port} is in use by process ${process.pid} \\(`);
    assertFinding(await doctor(args), 'RPC port', 'problem', says);
    await new Promise((resolve) => server.close(resolve));
    assertFinding(await doctor(args), 'RPC port', 'ok', /is free$/);
  });

  test('an address of another machine is a problem', async () => {
    const examined = await doctor(['--data-dir', fresh(), '--host', '203.0.113.7']);
    assertFinding(examined, 'RPC port', 'problem', /203\.0\.113\.7 is not an address of this machine/);
  });

  test('a public address is a warning that says what to do, a private one is not', async () => {
    const host = async (name: string) => doctor(['--data-dir', fresh(), '--port', '0', '--host', name]);
    const { advice = '' } = assertFinding(
      await host('203.0.113.7'),
      'public address',
      'warning',
      /203\.0\.113\.7/,
    );
    assert.match(advice, /listen on 127\.0\.0\.1 behind a proxy/);
    assertFinding(await host('2001:db8::1'), 'public address', 'warning', /2001:db8::1/);
    for (const name of ['127.0.0.1', '::1', 'localhost', '10.1.2.3', '192.168.0.9', 'fd00::7']) {
      assertFinding(await host(name), 'public address', 'ok', /which is not public/);
    }
  });
});
