// heddle doctor on genesis, keys, tokens and clocks.
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { connect } from '../../src/client/client.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import type { Genesis } from '../../src/generated/ledger.js';
import type { Status } from '../../src/generated/node-rpc-v1.js';
import { ledger } from '../../src/ledger/codecs.js';
import { devGenesis } from '../../src/ledger/dev-genesis.js';
import { ValidatorNet } from '../support/networks/validator-net.js';
import { heddle, heddleOk } from '../support/nodes/command-line.js';
import { FakeNode } from '../support/nodes/fake-node.js';
import { NodeProcess, removeDirectory, temporaryDirectory } from '../support/nodes/node-process.js';
import { assertFinding, doctor, type Examination } from '../support/operations/doctor.js';

const scratch = temporaryDirectory();
after(() => removeDirectory(scratch));
let made = 0;
const fresh = (): string => join(scratch, `${made++}`);

/** Data directory of a stopped node of the development chain. */
const stopped = fresh();
/** Status of that node, and what the doctor said of its clock. */
let status: Status;
let honest: Examination;
before(async () => {
  const node = await NodeProcess.start({ dataDir: stopped });
  status = await connect(node.url).status();
  honest = await doctor(['--data-dir', fresh(), '--port', '0', '--url', node.url]);
  await node.stop();
});

/** A copy of {@link stopped}. */
function copied(): string {
  const dataDir = fresh();
  cpSync(stopped, dataDir, { recursive: true });
  return dataDir;
}

function genesisFile(change: Partial<Genesis>, base: Genesis): string {
  const path = `${fresh()}.json`;
  writeFileSync(path, ledger.Genesis.toJson({ ...base, ...change }));
  return path;
}

describe('a node that seals its own chain', () => {
  const key = `${fresh()}.json`;
  let genesis: string;
  let development: Genesis;
  let secret: string;
  before(async () => {
    const shown = await heddleOk(['keys', 'new-validator', '--out', key]);
    const publicKey = /0x([0-9a-f]{96})/.exec(shown)?.[1] ?? assert.fail(shown);
    secret = /"private_key": "0x([0-9a-f]{64})"/.exec(readFileSync(key, 'utf8'))?.[1] ?? assert.fail();
    development = devGenesis(await loadCrypto('auto'));
    const set = { ...development.validator_set, group_public_key: Buffer.from(publicKey, 'hex') };
    genesis = genesisFile({ chain_id: 77n, validator_set: set }, development);
  });

  const examine = async (...flags: string[]) => {
    const examined = await doctor(['--data-dir', fresh(), '--port', '0', ...flags]);
    assert.ok(!examined.text.includes(secret), 'it printed the key');
    return examined;
  };

  test('passes with its genesis and key', async () => {
    const examined = await examine('--genesis', genesis, '--validator-key', key);
    assert.equal(examined.code, 0, examined.text);
    assertFinding(
      examined,
      'genesis',
      'ok',
      /^chain 77, block 0 [0-9a-f]{64}; the data directory names no chain/,
    );
    assertFinding(examined, 'validator key', 'ok', /holds the key [0-9a-f]{96}$/);
    assertFinding(examined, 'configuration', 'ok', /seals its own chain/);
  });

  test('needs the key', async () => {
    const examined = await examine('--genesis', genesis);
    assertFinding(examined, 'configuration', 'problem', /--validator-key is missing/);
  });

  test('must keep the key file private', async () => {
    for (const [mode, result] of [
      [0o644, 'problem'],
      [0o640, 'warning'],
    ] as const) {
      chmodSync(key, mode);
      const examined = await examine('--genesis', genesis, '--validator-key', key);
      const says = new RegExp(`has mode 0${mode.toString(8)}: `);
      const { advice } = assertFinding(examined, 'validator key', result, says);
      assert.equal(advice, `chmod 600 '${key}'`);
    }
    chmodSync(key, 0o600);
  });

  test('may have the key as a systemd credential, where the mode shows the mask of an access control list', async () => {
    const credentials = fresh();
    mkdirSync(credentials);
    const credential = join(credentials, 'validator.json');
    copyFileSync(key, credential);
    const flags = ['--data-dir', fresh(), '--port', '0', '--genesis', genesis, '--validator-key', credential];
    const resultWith = async (mode: number, directory: string) => {
      chmodSync(credential, mode);
      const { report } = await doctor(flags, { env: { CREDENTIALS_DIRECTORY: directory } });
      return report.findings.find(({ check }) => check === 'validator key')?.result;
    };
    assert.equal(await resultWith(0o440, credentials), 'ok');
    assert.equal(await resultWith(0o440, `${credentials}/`), 'ok');
    assert.equal(await resultWith(0o440, `${credentials}-of-others`), 'warning');
    assert.equal(await resultWith(0o444, credentials), 'problem');
  });

  test('must have the key of the genesis', async () => {
    const other = genesisFile({}, development);
    assertFinding(
      await examine('--genesis', other, '--validator-key', key),
      'validator key',
      'problem',
      /not the key of the genesis/,
    );
    assertFinding(
      await examine('--genesis', genesis, '--validator-key', join(scratch, 'none.json')),
      'validator key',
      'problem',
      /none\.json: cannot read the validator's key/,
    );
    const damaged = `${fresh()}.json`;
    writeFileSync(damaged, readFileSync(key, 'utf8').replace('"scheme"', '"scheme'), { mode: 0o600 });
    const examined = await examine('--genesis', genesis, '--validator-key', damaged);
    assertFinding(examined, 'validator key', 'problem', /not a validator's key/);
  });

  test('needs a genesis that is valid', async () => {
    const invalid = genesisFile({ base_fee: 0n }, development);
    const examined = await examine('--genesis', invalid, '--validator-key', key);
    assertFinding(examined, 'genesis', 'problem', /not a genesis: base_fee: expected at least 1/);
    assertFinding(examined, 'validator key', 'problem', /could not be compared/);
    const missing = await examine('--genesis', join(scratch, 'none.json'));
    assertFinding(missing, 'genesis', 'problem', /none\.json: no such file/);
  });

  test('must not open the directory of another chain', async () => {
    const dataDir = copied();
    const args = ['--data-dir', dataDir, '--port', '0'];
    assertFinding(await doctor(args), 'genesis', 'ok', /the data directory holds this chain/);
    const wrong = await doctor([...args, '--genesis', genesis, '--validator-key', key]);
    assertFinding(wrong, 'genesis', 'problem', /chain 77, .* but .* holds chain 9545, block 0 [0-9a-f]{64}$/);
    const follower = ['--follow', 'http://127.0.0.1:9', '--trust', genesis];
    assertFinding(await doctor([...args, ...follower]), 'genesis', 'problem', /holds chain 9545/);
    const byKey = ['--follow', 'http://127.0.0.1:9', '--trust'];
    const trusted = Buffer.from(development.validator_set.group_public_key).toString('hex');
    const fits = await doctor([...args, ...byKey, trusted]);
    assertFinding(fits, 'genesis', 'ok', /^trusted key .*; the data directory holds this chain/);
  });
});

describe('the token files', () => {
  let dataDir: string;
  before(() => {
    dataDir = copied();
  });
  const examine = () => doctor(['--data-dir', dataDir, '--port', '0']);

  test('must be private', async () => {
    for (const name of ['token.secret', 'admin.token']) {
      const path = join(dataDir, name);
      chmodSync(path, 0o604);
      const examined = await examine();
      assertFinding(
        examined,
        'token files',
        'problem',
        new RegExp(`${name} has mode 0604: others can use it`),
      );
      assert.ok(!examined.text.includes(readFileSync(path, 'utf8').trim()), 'it printed the token');
      chmodSync(path, 0o600);
    }
    assertFinding(await examine(), 'token files', 'ok', /both are private and valid/);
  });

  test('must be valid, and may be missing', async () => {
    const path = join(dataDir, 'token.secret');
    writeFileSync(path, 'short');
    assertFinding(await examine(), 'token files', 'problem', /token\.secret: expected 64 hex digits/);
    rmSync(path);
    assertFinding(await examine(), 'token files', 'ok', /missing so far: .*token\.secret$/);
  });
});

describe('one of several validators', () => {
  let net: ValidatorNet;
  before(async () => {
    net = await ValidatorNet.make();
  });
  after(() => net.dispose());
  const examine = (index: number, ...flags: string[]) =>
    doctor(['--validator', net.directory(index), '--port', '0', ...flags]);

  test('passes with its files', async () => {
    const examined = await examine(0);
    assert.equal(examined.code, 0, examined.text);
    assertFinding(
      examined,
      'validator files',
      'ok',
      /index 0; its share from epoch 0 on matches the genesis$/,
    );
    assertFinding(examined, 'p2p port', 'ok', /^127\.0\.0\.1:\d+ is free$/);
    const secret = /"private_key": "0x([0-9a-f]+)"/.exec(
      readFileSync(join(net.directory(0), 'identity.json'), 'utf8'),
    );
    assert.ok(secret?.[1] !== undefined && !examined.text.includes(secret[1]));
  });

  test('must have private secrets', async () => {
    const path = join(net.directory(0), 'share.json');
    chmodSync(path, 0o644);
    assertFinding(await examine(0), 'validator files', 'problem', /share\.json: others can read it/);
    chmodSync(path, 0o600);
    const passphrase = fresh();
    writeFileSync(passphrase, 'correct horse\n');
    chmodSync(passphrase, 0o644);
    const examined = await examine(0, '--passphrase-file', passphrase);
    assertFinding(examined, 'validator files', 'problem', /has mode 0644/);
    assert.ok(!examined.text.includes('correct horse'));
  });

  test('must have its own share', async () => {
    const [own, other] = [net.directory(1), net.directory(2)];
    const path = join(own, 'share.json');
    const share = readFileSync(path);
    writeFileSync(path, readFileSync(join(other, 'share.json')));
    assertFinding(await examine(1), 'validator files', 'problem', /is not the share of this validator/);
    rmSync(path);
    assertFinding(await examine(1), 'validator files', 'warning', /has no share of the group key/);
    writeFileSync(path, share, { mode: 0o600 });
  });

  test('needs all its files', async () => {
    rmSync(join(net.directory(3), 'peers.json'));
    assertFinding(await examine(3), 'validator files', 'problem', /peers\.json: there is no such file/);
    rmSync(join(net.directory(3), 'identity.json'));
    assertFinding(await examine(3), 'validator files', 'problem', /identity\.json: there is no identity/);
  });
});

describe('the clock', () => {
  /** A directory with a `timedatectl` that prints this. */
  function reporter(output: string): Readonly<Record<string, string>> {
    const directory = fresh();
    mkdirSync(directory);
    const path = join(directory, 'timedatectl');
    writeFileSync(path, `#!/bin/sh\necho '${output}'\n`, { mode: 0o755 });
    return { PATH: `${directory}${delimiter}${process.env['PATH'] ?? ''}` };
  }
  const args = () => ['--data-dir', fresh(), '--port', '0'];

  test('should be synchronized, as the system says', async () => {
    assertFinding(
      await doctor(args(), { env: reporter('yes') }),
      'clock',
      'ok',
      /^timedatectl says .* is synch/,
    );
    const unsynchronized = await doctor(args(), { env: reporter('no') });
    assertFinding(
      unsynchronized,
      'clock',
      'warning',
      /^timedatectl says that the clock is not synchronized$/,
    );
  });

  test('is reported as unchecked if no program knows', async () => {
    const examined = await doctor(args(), { env: { PATH: scratch } });
    assertFinding(
      examined,
      'clock',
      'warning',
      /could not be checked: none of timedatectl, chronyc, adjtimex/,
    );
  });

  async function nodeWithClock(
    offsetMs: number,
    group_public_key: Uint8Array = new Uint8Array(48).fill(1),
  ): Promise<FakeNode> {
    const validator_set = { ...status.validator_set, group_public_key };
    return FakeNode.start({
      status: () => ({ ...status, validator_set, now_ms: BigInt(Date.now() + offsetMs) }),
    });
  }

  test('agrees with that of a node on this machine', () => {
    assertFinding(
      honest,
      'clocks of nodes',
      'ok',
      /^the clock of http:.* is \d+ ms (?:behind|ahead of) this one/,
    );
  });

  test('should agree with other nodes, and must not differ by more than validators accept', async () => {
    for (const [offsetMs, result] of [
      [3_600_000, 'problem'],
      [-3_600_000, 'problem'],
    ] as const) {
      const node = await nodeWithClock(offsetMs);
      const direction = offsetMs > 0 ? 'ahead of' : 'behind';
      const examined = await doctor([...args(), '--url', node.url]);
      await node.stop();
      assertFinding(examined, 'clocks of nodes', result, new RegExp(`is \\d{7} ms ${direction} this one`));
    }
  });

  test('may differ from that of a development chain, which has controls', async () => {
    const node = await nodeWithClock(3_600_000, status.validator_set.group_public_key);
    const examined = await doctor([...args(), '--url', node.url]);
    await node.stop();
    assertFinding(examined, 'clocks of nodes', 'ok', /is \d{7} ms ahead of this one .*controls set it/);
  });

  test('is not compared with a node that sends nonsense, which cannot reach the terminal either', async () => {
    const node = await FakeNode.start();
    const error = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32_603,
        message: '\u001b[2Jcleared',
        data: { kind: 'internal_error', retryable: false },
      },
    });
    for (const body of ['{', '[]', '"x"', error, '{"jsonrpc":"2.0","id":1,"result":{"now_ms":-1}}']) {
      node.interfere = () => ({ kind: 'answer', status: 200, body });
      const examined = await doctor([...args(), '--url', node.url]);
      assertFinding(examined, 'clocks of nodes', 'warning', /^could not be compared: /);
      const { out } = await heddle(['doctor', ...args(), '--url', node.url]);
      assert.ok(!out.includes('\u001b'), out);
    }
    await node.stop();
  });

  test('is compared with followed nodes and with HEDDLE_URL; one that does not answer is a warning', async () => {
    const node = await nodeWithClock(3_600_000);
    const { url } = node;
    const followed = await doctor([...args(), '--follow', url, '--trust', 'dev']);
    const named = await doctor(args(), { env: { HEDDLE_URL: url } });
    await node.stop();
    for (const examined of [followed, named]) {
      assertFinding(examined, 'clocks of nodes', 'problem', /ahead of this one/);
    }
    const silent = await doctor([...args(), '--url', url]);
    assertFinding(silent, 'clocks of nodes', 'warning', /could not be compared: no node answers at/);
    assertFinding(await doctor(args()), 'clocks of nodes', 'ok', /not compared: no nodes are followed/);
  });
});
