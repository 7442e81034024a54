import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import * as v from 'valibot';
import { type Config, loadConfig } from '../../src/config/config.js';
import { ConfigError } from '../../src/config/config-error.js';
import { defaultText, variableName } from '../../src/config/option.js';
import { OPTIONS } from '../../src/config/options.js';
import { sweep } from '../support/sweep.js';

describe('the configuration', () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-config-'));
  after(() => rmSync(directory, { recursive: true, force: true }));

  let files = 0;
  function configFile(content: string | object): string {
    const path = join(directory, `config-${files++}.json`);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  type Flags = Record<string, string | readonly string[]>;

  function load(flags: Flags = {}, environment: Record<string, string> = {}): Config {
    return loadConfig({ flags, environment, workingDirectory: '/work-dir' });
  }

  /** The full message of the error from loading. */
  function refusal(flags: Flags, environment: Record<string, string> = {}): string {
    try {
      load(flags, environment);
    } catch (error) {
      assert.ok(error instanceof ConfigError, `expected a ConfigError, got ${String(error)}`);
      return error.message;
    }
    return assert.fail('expected the configuration to be refused');
  }

  describe('sources of the configuration', () => {
    it('gives every option its documented default when nothing is set', () => {
      const config = load();
      assert.equal(config.host, '127.0.0.1');
      assert.equal(config.port, 9545);
      assert.equal(config.dataDir, '/work-dir/heddle-data');
      assert.equal(config.genesisFile, undefined);
      assert.equal(config.blockTimeMs, 250);
      assert.equal(config.idleBlockTimeMs, 5_000);
      assert.equal(config.seal, 'timer');
      assert.equal(config.native, 'auto');
      assert.equal(config.stateRetention, 10_000);
      assert.equal(config.poolSize, 100_000);
      assert.equal(config.poolBytes, 256 * 1024 * 1024);
      assert.equal(config.maxBodyBytes, 4 * 1024 * 1024);
      assert.equal(config.maxBatchCalls, 200);
      assert.equal(config.maxAccounts, 1_000);
      assert.equal(config.maxPageSize, 500);
      assert.equal(config.maxRangeHeights, 1_000);
      assert.deepEqual(config.corsOrigins, []);
      assert.ok(config.workers >= 1);
    });

    it('prefers flags to variables, variables to the file, the file to defaults', () => {
      const file = configFile({ port: 1, 'block-time': 2, 'pool-size': 3 });
      const config = load({ config: file, port: '1001' }, { HEDDLE_PORT: '1002', HEDDLE_BLOCK_TIME: '1003' });
      assert.equal(config.port, 1001);
      assert.equal(config.blockTimeMs, 1003);
      assert.equal(config.poolSize, 3);
      assert.equal(config.seal, 'timer');
    });

    it('reads every option from a flag, a variable and the file alike', () => {
      const samples: Record<string, [text: string, json: unknown]> = {
        'data-dir': ['/d', '/d'],
        genesis: ['/g.json', '/g.json'],
        'validator-key': ['/key.json', '/key.json'],
        'await-snapshot': ['/light.json', '/light.json'],
        native: ['off', 'off'],
        mnemonic: [`${'test '.repeat(11)}junk`, `${'test '.repeat(11)}junk`],
        host: ['0.0.0.0', '0.0.0.0'],
        'base-url': ['/heddle', '/heddle'],
        'cors-origin': ['https://a.example', ['https://a.example']],
        explorer: ['off', 'off'],
        'allowed-hosts': ['a.example,*.b.example:80', ['a.example', '*.b.example:80']],
        'paid-access': ['token', 'token'],
        'trusted-proxies': ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
        'token-issuer-key': ['/dev/null', ['/dev/null']],
        'quota-store': ['redis://a.example', 'redis://a.example'],
        'quota-fallback': ['local', 'local'],
        fork: ['http://a.example:9545@7', 'http://a.example:9545@7'],
        'fork-token-file': ['/t', '/t'],
        seal: ['instant', 'instant'],
        follow: ['http://a.example:9545,http://b.example', ['http://a.example:9545', 'http://b.example']],
        trust: ['dev', 'dev'],
        'sync-from': ['genesis', 'genesis'],
        'no-certificates': ['true', true],
        validator: ['/v', '/v'],
        'p2p-host': ['0.0.0.0', '0.0.0.0'],
        peers: ['1@a.example:9645,2@b.example:9645', ['1@a.example:9645', '2@b.example:9645']],
        'passphrase-file': ['/p', '/p'],
        'log-level': ['debug', 'debug'],
        'log-format': ['json', 'json'],
        'otlp-endpoint': ['http://a.example:4318', 'http://a.example:4318'],
      };
      // 70,000 is within the bounds of most numeric options, and not a default.
      const numbers: Record<string, number> = {
        port: 80,
        'rate-burst': 9,
        'p2p-port': 80,
        'otlp-percent': 80,
        accounts: 9,
        workers: 99,
        'checkpoints-kept': 9,
        'block-workers': 9,
        'front-threads': 9,
        'max-batch': 9,
        'follow-poll': 500,
        'pool-bytes': 2_000_000,
        'max-buffered-bytes': 2_000_000,
      };
      for (const [member, spec] of Object.entries(OPTIONS)) {
        const number = numbers[spec.flag] ?? 70_000;
        const [text, json] = samples[spec.flag] ?? [String(number), number];
        const pick = (config: Config) => config[member as keyof Config];
        const flag = spec.repeatable ? [text] : text;
        const byFlag = pick(load({ [spec.flag]: flag }));
        assert.deepEqual(pick(load({}, { [variableName(spec)]: text })), byFlag, member);
        assert.deepEqual(pick(load({ config: configFile({ [spec.flag]: json }) })), byFlag, member);
        assert.notDeepEqual(byFlag, pick(load()), `${member}: the sample must differ from the default`);
      }
    });

    it('defaults genesis and data to the directory of a validator', () => {
      const { dataDir, genesisFile } = load({ validator: '/v' });
      assert.deepEqual([dataDir, genesisFile], ['/v/data', '/v/genesis.json']);
      assert.equal(load({ validator: '/v', 'data-dir': '/d' }).dataDir, '/d');
      assert.equal(load({ validator: '/v' }, { HEDDLE_GENESIS: '/g.json' }).genesisFile, '/g.json');
    });

    it('takes a passphrase from the environment only', () => {
      assert.equal(load({}, { HEDDLE_PASSPHRASE: 'battery staple' }).passphrase, 'battery staple');
      assert.equal(load({}, { HEDDLE_PASSPHRASE: '' }).passphrase, undefined);
      assert.match(refusal({ config: configFile({ passphrase: 'x' }) }), /unknown key "passphrase"/);
    });

    it('takes addresses of validators, with an index or without', () => {
      const peers = ['0@node.example:9645', '10.0.0.1:80', '[::1]:9545'];
      assert.deepEqual(load({ peers: [peers.join(', ')] }).peers, peers);
      for (const bad of ['', 'node.example', 'x@node.example:1', '1@:', 'a:0', '1000@a:1']) {
        assert.match(refusal({ peers: [bad] }), /^peers: expected where validators listen/, bad);
      }
    });

    it('takes hosts one by one or several at a time, and refuses invalid ones', () => {
      const hosts = ['node.example', '*.under.example', '10.0.0.1:80', '[::1]:9545', '::1', '*'];
      assert.deepEqual(load({ 'allowed-hosts': hosts }).allowedHosts, hosts);
      assert.deepEqual(load({ 'allowed-hosts': [hosts.join(', ')] }).allowedHosts, hosts);
      for (const bad of [
        '',
        'a b',
        'http://a.example',
        'a/b',
        '256.1.1.1',
        '[::1',
        '*.',
        'a:b',
        'a:123456',
      ]) {
        assert.match(refusal({ 'allowed-hosts': [bad] }), /^allowed-hosts: expected names/, bad);
      }
    });

    it('takes an empty variable as not set', () => {
      assert.equal(load({}, { HEDDLE_PORT: '', HEDDLE_CONFIG: '' }).port, 9545);
    });

    it('resolves relative paths from the working directory, those in the file from the file', () => {
      const file = configFile({ 'data-dir': 'chain', genesis: 'g.json' });
      const config = load({ config: file }, { HEDDLE_DATA_DIR: 'here' });
      assert.equal(config.dataDir, '/work-dir/here');
      assert.equal(config.genesisFile, join(directory, 'g.json'));
    });

    it('takes the file from HEDDLE_CONFIG too', () => {
      assert.equal(load({}, { HEDDLE_CONFIG: configFile({ port: 7 }) }).port, 7);
    });

    it('splits a list in a variable at commas, and takes repeated flags', () => {
      const origins = ['https://a.example', 'http://b.example:8080'];
      assert.deepEqual(load({ 'cors-origin': origins }).corsOrigins, origins);
      assert.deepEqual(load({}, { HEDDLE_CORS_ORIGIN: origins.join(', ') }).corsOrigins, origins);
    });

    it('measures the cache in MiB', () => {
      assert.equal(load({ 'cache-size': '8' }).cacheBytes, 8 * 1024 * 1024);
    });
  });

  describe('refused values', () => {
    const cases: [flag: string, value: string, expected: RegExp][] = [
      ['port', 'abc', /^port: expected an integer from 0 to 65535, got "abc" \(from the flag --port\)$/],
      ['port', '65536', /^port: expected an integer from 0 to 65535, got "65536"/],
      ['port', '-1', /^port: .*got "-1"/],
      ['port', '1.5', /^port: .*got "1.5"/],
      ['port', '0x10', /^port: .*got "0x10"/],
      ['port', '', /^port: .*got ""/],
      ['port', ' 80', /^port: .*got " 80"/],
      ['port', '9'.repeat(40), /^port: .*got "9{40}"/],
      [
        'block-time',
        '0',
        /^block-time: expected an integer number of milliseconds from 1 to 3600000, got "0"/,
      ],
      ['idle-block-time', '2147483648', /^idle-block-time: expected .* milliseconds from 0 to 2147483647/],
      ['seal', 'Instant', /^seal: expected one of timer, instant, got "Instant"/],
      ['native', 'yes', /^native: expected one of auto, require, off, got "yes"/],
      ['workers', '0', /^workers: expected an integer number of threads from 1 to 256, got "0"/],
      ['host', '', /^host: expected an address or host name/],
      ['host', 'http://x', /^host: expected an address or host name/],
      ['base-url', 'heddle', /^base-url: expected nothing, or a path such as \/heddle/],
      ['base-url', '/heddle/', /^base-url: .*without a slash at its end/],
      ['data-dir', '', /^data-dir: expected the path of a directory, got ""/],
      ['log-level', 'verbose', /^log-level: expected one of fatal, error, warn, info, debug, trace, silent/],
      ['pool-size', '1e3', /^pool-size: .*got "1e3"/],
    ];
    for (const [flag, value, expected] of cases) {
      it(`--${flag} ${JSON.stringify(value.slice(0, 12))}`, () => {
        assert.match(refusal({ [flag]: value }), expected);
      });
    }

    it('every option refuses nonsense with its name, its source and the expected value', () => {
      for (const spec of Object.values(OPTIONS)) {
        const nonsense = spec.path ? '' : ' ? ';
        const message = spec.path
          ? refusal({ [spec.flag]: nonsense })
          : refusal({}, { [variableName(spec)]: nonsense });
        assert.ok(message.startsWith(`${spec.flag}: expected `), message);
        assert.ok(message.includes(spec.path ? `the flag --${spec.flag}` : variableName(spec)), message);
      }
    });

    it('a follower takes distinct node addresses, and a key, a file or dev', () => {
      const expected = /^follow: expected addresses of nodes/;
      for (const bad of ['ftp://a.example', 'a.example:9545', 'http://a.example,http://a.example', '']) {
        assert.match(refusal({ follow: [bad] }), expected, bad);
      }
      const urls = load({ follow: ['http://a.example, http://b.example', 'http://c.example'] }).follow;
      assert.deepEqual(urls, ['http://a.example', 'http://b.example', 'http://c.example']);
      const key = '97'.repeat(48);
      assert.equal(load({ trust: key }).trust, key);
      const file = fileURLToPath(import.meta.url);
      assert.equal(load({ trust: file }).trust, file);
      for (const nonsense of ['nonsense', `${key}00`, '0xabcd', 'Dev', '/no/such/genesis.json']) {
        const said = refusal({ trust: nonsense });
        assert.match(
          said,
          /^trust: expected a public key of 48 bytes .* genesis file that is there, or dev, got "/,
        );
        assert.ok(said.includes(nonsense.slice(0, 90)), said);
      }
    });

    it('an origin with a path is refused, and a star is accepted', () => {
      assert.match(
        refusal({ 'cors-origin': ['https://a.example/'] }),
        /^cors-origin: expected origins such as/,
      );
      assert.deepEqual(load({ 'cors-origin': ['*'] }).corsOrigins, ['*']);
    });

    it('the message names the variable, or the key and file, of a value', () => {
      const file = configFile({ 'block-time': '250', port: true });
      const message = refusal({ config: file }, { HEDDLE_WORKERS: 'many' });
      assert.ok(message.includes('got "many" (from the environment variable HEDDLE_WORKERS)'), message);
      assert.ok(message.includes(`got "250" (from the key "block-time" in ${file})`), message);
      assert.ok(message.includes(`got true (from the key "port" in ${file})`), message);
      assert.equal(message.split('\n').length, 3);
    });

    it('the message explains the variable that Kubernetes sets for a service of this name', () => {
      assert.match(refusal({}, { HEDDLE_PORT: 'tcp://10.0.0.7:9545' }), /enableServiceLinks: false/);
    });
  });

  describe('misspelt names', () => {
    it('an unknown key of the file is refused with the nearest name', () => {
      const file = configFile({ 'blok-time': 100 });
      assert.equal(refusal({ config: file }), `${file}: unknown key "blok-time"; did you mean block-time?`);
    });

    it('a key in another spelling gets the right one suggested', () => {
      assert.match(refusal({ config: configFile({ blockTime: 1 }) }), /did you mean block-time\?/);
      assert.match(refusal({ config: configFile({ block_time: 1 }) }), /did you mean block-time\?/);
    });

    it('__proto__ in the file is an ordinary key', () => {
      assert.match(refusal({ config: configFile('{"__proto__": {"port": 1}}') }), /unknown key "__proto__"/);
    });

    it('a misspelt variable is refused with the nearest name', () => {
      assert.equal(
        refusal({}, { HEDDLE_PROT: '80' }),
        'HEDDLE_PROT: no such environment variable is read; did you mean HEDDLE_PORT?',
      );
    });

    it('a variable that looks like a limit is refused, even if no name is near', () => {
      assert.equal(
        refusal({}, { HEDDLE_MAX_RANGE_HEIGHTS: '80' }),
        'HEDDLE_MAX_RANGE_HEIGHTS: no such environment variable is read',
      );
    });

    it('variables unlike ours are ignored', () => {
      const foreign = [
        'HEDDLE_SERVICE_HOST',
        'HEDDLE_SERVICE_PORT',
        'HEDDLE_PORT_9545_TCP_ADDR',
        'HEDDLE_CRASH_ROUNDS',
      ];
      assert.equal(load({}, Object.fromEntries(foreign.map((name) => [name, '1']))).port, 9545);
    });
  });

  describe('the configuration file', () => {
    it('that is missing is named, with the source of its path', () => {
      assert.equal(
        refusal({ config: 'no.json' }),
        '/work-dir/no.json: no such file (named by the flag --config)',
      );
      assert.match(
        refusal({}, { HEDDLE_CONFIG: '/no.json' }),
        /^\/no.json: no such file \(named by the environment variable HEDDLE_CONFIG\)$/,
      );
    });

    it('that is a directory is reported as one', () => {
      assert.match(refusal({ config: directory }), /it is a directory, expected a file/);
    });

    it('with a syntax error is refused with line and column', () => {
      const file = configFile('{\n  "port": 80\n  "host": "x"\n}\n');
      assert.match(refusal({ config: file }), /: not valid JSON: .*\(line 3, column 3\)/);
      const quoted = refusal({ config: configFile('{\n  "port": 80,\n  "host": nope\n}\n') });
      assert.match(quoted, /: not valid JSON: .*"host": nope/);
      assert.ok(!quoted.includes('\n'));
    });

    it('that does not hold an object is refused', () => {
      for (const content of ['[]', 'null', '"x"', '3']) {
        assert.match(refusal({ config: configFile(content) }), /expected a JSON object, got/);
      }
    });
  });

  it('for any text in a flag or variable, loading gives a config or a ConfigError', () => {
    const flags = Object.values(OPTIONS).map((spec) => spec.flag);
    fc.assert(
      fc.property(fc.constantFrom(...flags), fc.string(), fc.boolean(), (flag, value, byVariable) => {
        try {
          load(
            byVariable ? {} : { [flag]: value },
            byVariable ? { [`HEDDLE_${flag.toUpperCase().replaceAll('-', '_')}`]: value } : {},
          );
        } catch (error) {
          assert.ok(error instanceof ConfigError);
        }
      }),
      { numRuns: sweep(200) },
    );
  });

  it('every option has help and a default that passes its own check', () => {
    for (const [member, spec] of Object.entries(OPTIONS)) {
      assert.ok(spec.help.length > 10, member);
      assert.ok(v.safeParse(spec.schema, spec.default).success, member);
      assert.notEqual(defaultText(spec), '', member);
    }
  });
});
