import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { freePorts } from '../support/free-ports.js';
import { initValidator } from '../support/networks/init-validator.js';
import { heddle } from '../support/nodes/command-line.js';
import { removeDirectory, temporaryDirectory } from '../support/temporary-directory.js';

describe('validators', () => {
  const directory = temporaryDirectory();
  after(() => removeDirectory(directory));

  let names = 0;
  const fresh = (): string => join(directory, `${names++}`);

  const validator = (endpoint: string, flags: readonly string[] = [], env = {}) =>
    initValidator(fresh(), endpoint, flags, env);

  describe('init of a validator', () => {
    it('creates a key that only its owner can read, and prints only the public identity', async () => {
      const { home, line } = await validator('validator-0.example:9645');
      const path = join(home, 'identity.json');
      assert.equal(statSync(path).mode & 0o777, 0o600);
      const { private_key: secret, public_key: key } = JSON.parse(readFileSync(path, 'utf8')) as Record<
        string,
        string
      >;
      const encryption = readFileSync(join(home, 'encryption.json'), 'utf8');
      const [, encryptionSecret, encryptionKey] =
        /"private_key": "0x(\w{64})",\s+"public_key": "(0x\w{96})"/.exec(encryption) ?? [];
      assert.deepEqual(JSON.parse(line), {
        identity_key: key?.slice(2),
        encryption_key: encryptionKey,
        endpoint: 'validator-0.example:9645',
      });
      assert.equal(statSync(join(home, 'encryption.json')).mode & 0o777, 0o600);
      assert.ok(encryptionSecret !== undefined && !line.includes(encryptionSecret));
      assert.ok(secret !== undefined && !line.includes(secret.slice(2)));
    });

    it('never overwrites an identity', async () => {
      const { home } = await validator('127.0.0.1:9645');
      const { code, err } = await heddle(['init', home, '--endpoint', '127.0.0.1:9645']);
      assert.equal(code, 1);
      assert.match(err, /there is an identity already/);
    });

    it('encrypts the key under a passphrase from a file or the environment', async () => {
      const file = fresh();
      writeFileSync(file, 'correct horse\n', { mode: 0o600 });
      const ways = [
        await validator('127.0.0.1:9645', ['--passphrase-file', file]),
        await validator('127.0.0.1:9645', [], { HEDDLE_PASSPHRASE: 'correct horse' }),
      ];
      for (const { home } of ways) {
        for (const name of ['identity.json', 'encryption.json']) {
          const text = readFileSync(join(home, name), 'utf8');
          assert.match(text, /"cipher": "xchacha20-poly1305"/);
          assert.doesNotMatch(text, /private_key/);
        }
      }
    });

    for (const [what, args, problem] of [
      ['neither directory nor chain', [], /give DIR to make a validator/],
      ['no endpoint', ['x'], /--endpoint: expected .* got nothing/],
      ['an endpoint without a port', ['x', '--endpoint', 'example.org'], /HOST:PORT, got "example.org"/],
      ['a chain id that is none', ['--validators', 'x', '--chain-id', '0'], /expected an integer from 1/],
      ['an account that is none', ['--validators', 'x', '--account', '0x1=5'], /'0x1=5' is invalid/],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const { code, err } = await heddle(['init', ...args]);
        assert.equal(code, 2, err);
        assert.match(err, problem);
      });
    }
  });

  describe('init of a chain', () => {
    const list = (content: string): string => {
      const path = fresh();
      writeFileSync(path, content);
      return path;
    };

    it('writes the input of the ceremony', async () => {
      const validators = [await validator('127.0.0.1:9645'), await validator('127.0.0.1:9646')];
      const file = list(`[${validators.map(({ line }) => line).join(',')}]`);
      const out = fresh();
      const account = `0x${'5f'.repeat(20)}=1e6`;
      const args = ['--chain-id', '77', '--epoch-length', '500', '--account', account, '--out', out];
      const { code, err } = await heddle(['init', '--validators', file, ...args]);
      assert.equal(code, 0, err);
      const written = JSON.parse(readFileSync(out, 'utf8')) as Record<string, unknown>;
      assert.equal(written['chain_id'], 77);
      assert.equal(written['epoch_length'], 500);
      assert.deepEqual(written['accounts'], [{ address: `0x${'5f'.repeat(20)}`, balance: '1000000' }]);
      assert.deepEqual(
        written['validators'],
        validators.map(({ line }) => JSON.parse(line)),
      );
    });

    it('reports mistakes in the list', async () => {
      const { line } = await validator('127.0.0.1:9645');
      for (const [content, problem] of [
        ['{}', /expected a list of 1 to/],
        ['[]', /expected a list of 1 to/],
        [`[${line}, ${line}]`, /appears twice/],
        [`[${line.replace('127.0.0.1:9645', 'nowhere')}]`, /endpoint: expected host:port/],
        [`[${line.replace(/(encryption_key":"0x)\w{96}/, `$1${'ff'.repeat(48)}`)}]`, /\[0\]\.encryption_key/],
        ['[', /not a valid list of validators/],
      ] as const) {
        const { code, err } = await heddle(['init', '--validators', list(content)]);
        assert.equal(code, 1);
        assert.match(err, problem);
      }
      const missing = await heddle(['init', '--validators', fresh()]);
      assert.match(missing.err, /there is no list of validators/);
    });
  });

  describe('dkg', () => {
    it('makes one group key among participants, and its files suffice to start', async () => {
      // One with a passphrase, whose derivation takes long on purpose.
      const environments = [{ HEDDLE_PASSPHRASE: 'battery staple' }, {}, {}];
      const ports = await freePorts(3);
      const validators = await Promise.all(
        environments.map((env, i) => validator(`127.0.0.1:${ports[i]}`, [], env)),
      );
      const file = fresh();
      writeFileSync(file, `[${validators.map(({ line }) => line).join(',')}]`);
      const config = fresh();
      const args = ['init', '--validators', file, '--dev-accounts', '--out', config, '--json'];
      const made = await heddle(args);
      assert.equal(made.code, 0, made.err);
      assert.deepEqual(JSON.parse(made.out), { file: config, chain_id: 9545, validators: 3 });
      const ends = await Promise.all(
        validators.map(({ home }, i) =>
          heddle(['dkg', '--config', config, '--validator', home, '--json'], environments[i]),
        ),
      );
      for (const { code, err } of ends) assert.equal(code, 0, err);
      const [first] = ends;
      assert.match(first?.out ?? '', /^\{"group_public_key":"[0-9a-f]{96}"\}\n$/);
      for (const { out, err } of ends) {
        assert.equal(out, first?.out);
        assert.match(err, /attempt 1, finished: connected with/);
      }
      for (const { home } of validators) {
        assert.equal(statSync(join(home, 'share.json')).mode & 0o777, 0o600);
        assert.ok(!existsSync(join(home, 'ceremony-record.json')), 'nothing secret stays behind');
        assert.ok(existsSync(join(home, 'genesis.json')) && existsSync(join(home, 'peers.json')));
      }
      const [{ home = '' } = {}] = validators;
      assert.match(readFileSync(join(home, 'share.json'), 'utf8'), /xchacha20-poly1305/);
      const again = await heddle(['dkg', '--config', config, '--validator', home], environments[0]);
      assert.equal(again.code, 1);
      assert.match(again.err, /the ceremony of this directory has ended; start the validator/);
      const locked = await heddle(['start', '--validator', home, '--port', '0', '--log-level', 'silent']);
      assert.equal(locked.code, 1);
      assert.match(locked.err, /encrypted, and no passphrase was given/);
    });

    it('names the missing participants after a timeout', async () => {
      const [own, other] = await freePorts(2);
      const validators = [await validator(`127.0.0.1:${own}`), await validator(`127.0.0.1:${other}`)];
      const file = fresh();
      writeFileSync(file, `[${validators.map(({ line }) => line).join(',')}]`);
      const config = fresh();
      await heddle(['init', '--validators', file, '--out', config]);
      const [{ home = '' } = {}] = validators;
      const args = ['dkg', '--config', config, '--validator', home, '--timeout', '1'];
      const { code, err } = await heddle(args);
      assert.equal(code, 1);
      assert.match(err, new RegExp(`no group key within 1 s: .*waiting for 1 \\(127.0.0.1:${other}\\)`));
    });

    it('refuses invalid input', async () => {
      const { home, line } = await validator('127.0.0.1:9645');
      const other = await validator('127.0.0.1:9646');
      const file = fresh();
      writeFileSync(file, `[${line}]`);
      const config = fresh();
      await heddle(['init', '--validators', file, '--out', config]);
      const without = await heddle(['dkg', '--config', config]);
      assert.equal(without.code, 2);
      assert.match(without.err, /give --validator DIR, the directory/);
      const alone = await heddle(['dkg', '--config', config, '--validator', home]);
      assert.equal(alone.code, 1);
      assert.match(alone.err, /validators: expected at least 2 to make a key together, got 1/);
      const stranger = await heddle(['dkg', '--config', config, '--validator', other.home]);
      assert.equal(stranger.code, 1);
      assert.match(stranger.err, /is not among its validators/);
      const nobody = fresh();
      mkdirSync(nobody);
      const empty = await heddle(['dkg', '--config', config, '--validator', nobody]);
      assert.match(empty.err, /there is no identity key of a validator/);
      const missing = await heddle(['dkg', '--config', fresh(), '--validator', home]);
      assert.match(missing.err, /there is no such file/);
    });
  });

  describe('validator', () => {
    // The encryption key is the generator of G1.
    const key =
      `${'ab'.repeat(32)}:97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac58` +
      '6c55e83ff97a1aeffb3af00adb22c6bb';
    const address = `0x${'5f'.repeat(20)}`;

    it('keeps its operator’s approvals until they are withdrawn', async () => {
      const { home } = await validator('127.0.0.1:9645');
      const run = (...args: string[]) =>
        heddle(['validator', args[0] ?? '', '--validator', home, ...args.slice(1)]);
      assert.equal((await run('approve', '--add', `${key}@example.org:9645`)).code, 0);
      assert.equal((await run('approve', '--remove', address)).code, 0);
      const { out } = await run('approvals');
      assert.equal(out, `add ${key}@example.org:9645\nremove ${address}\n`);
      const added = {
        type: 'add',
        value: {
          identity_key: 'ab'.repeat(32),
          encryption_key: `0x${key.slice(65)}`,
          endpoint: 'example.org:9645',
        },
      };
      const removed = { type: 'remove', value: address };
      assert.deepEqual(JSON.parse((await run('approvals', '--json')).out), [added, removed]);
      assert.match((await run('approve', '--remove', address)).err, /already approved/);
      const withdrawn = await run('withdraw', '--remove', address, '--json');
      assert.deepEqual(JSON.parse(withdrawn.out), { withdrawn: removed });
      const approved = await run('approve', '--remove', address, '--json');
      assert.deepEqual(JSON.parse(approved.out), { approved: removed });
      assert.equal((await run('withdraw', '--remove', address)).code, 0);
      assert.match((await run('withdraw', '--remove', address)).err, /not approved/);
      assert.equal((await run('approvals')).out, `add ${key}@example.org:9645\n`);
    });

    it('refuses invalid changes', async () => {
      for (const [change, problem] of [
        [[], /expected one change/],
        [['--add', `${key}@example.org:1`, '--remove', address], /expected one change/],
        [['--add', 'abc@example.org:1'], /expected 64 hex digits/],
        [['--add', `${'ab'.repeat(32)}@example.org:1`], /expected 64 hex digits/],
        [['--add', `${'ab'.repeat(32)}:${'ff'.repeat(48)}@example.org:1`], /is not an encryption key/],
        [['--add', `${key}@example.org`], /HOST:PORT/],
        [['--remove', '0x12'], /invalid/],
      ] as const) {
        const { code, err } = await heddle(['validator', 'approve', '--validator', 'x', ...change]);
        assert.equal(code, 2);
        assert.match(err, problem);
      }
    });
  });

  describe('localnet', () => {
    it('refuses impossible numbers and foreign directories', async () => {
      for (const args of [
        ['--validators', '0'],
        ['--validators', '101'],
        ['--port', '0'],
        ['--epoch-length', '1'],
      ]) {
        const { code, err } = await heddle(['localnet', '--data-dir', fresh(), ...args]);
        assert.equal(code, 2);
        assert.match(err, /expected an integer from/);
      }
      const taken = fresh();
      mkdirSync(taken);
      writeFileSync(join(taken, 'thesis.txt'), 'precious');
      const { code, err } = await heddle(['localnet', '--data-dir', taken]);
      assert.equal(code, 1);
      assert.match(err, /holds files that are not a localnet's, such as thesis.txt/);
    });
  });

  describe('start', () => {
    it('of a validator names the files that its directory lacks, and creates none', async () => {
      const nowhere = fresh();
      const empty = await heddle(['start', '--validator', nowhere, '--port', '0']);
      assert.equal(empty.code, 1);
      assert.match(empty.err, /identity\.json: there is no identity; "heddle init .*" makes one/);
      assert.ok(!existsSync(nowhere));
      const { home } = await validator('127.0.0.1:9645');
      const early = await heddle(['start', '--validator', home, '--port', '0']);
      assert.equal(early.code, 1);
      assert.match(early.err, /genesis\.json: there is no such file; "heddle dkg" makes it/);
      assert.deepEqual(readdirSync(home).sort(), ['encryption.json', 'identity.json']);
    });
  });
});
