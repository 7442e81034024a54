import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { CliCommand, type CommandContext } from '../../src/cli/cli-command.js';
import { LOADERS } from '../../src/cli/commands.js';
import { consoleOn } from '../../src/cli/console.js';
import { OPTIONS } from '../../src/config/options.js';
import { heddle } from '../support/nodes/command-line.js';

const CONTEXT: CommandContext = {
  console: consoleOn({
    out: () => undefined,
    err: () => undefined,
    isTerminal: false,
    size: () => ({ columns: 80, rows: 24 }),
  }),
  environment: {},
  workingDirectory: '.',
};

/** The names that lead to each command, such as `keys new`. */
function pathsBelow(command: Command, path: readonly string[] = []): readonly (readonly string[])[] {
  return command.commands.flatMap((sub) => {
    const own = [...path, sub.name()];
    return [own, ...pathsBelow(sub, own)];
  });
}

describe('help', () => {
  it('names every command', async () => {
    const { code, out, err } = await heddle(['--help']);
    assert.equal(code, 0);
    assert.equal(err, '');
    for (const command of [
      'start',
      'send',
      'balance',
      'logs',
      'contract',
      'completion',
      'doctor',
      'status',
      'keys',
      'verify',
      'idl',
    ]) {
      assert.match(out, new RegExp(`^  ${command} `, 'm'));
    }
    assert.match(out, /Exit codes: 0 success, 1 failure, 2 wrong usage/);
  });

  it('of start shows the options that people use, and says how to see the others', async () => {
    const { code, out } = await heddle(['start', '--help']);
    assert.equal(code, 0);
    const flags = [...out.matchAll(/^ {2}--([\w-]+)/gm)].map(([, flag]) => flag);
    const usual = Object.values(OPTIONS).flatMap(({ flag, isHidden }) => (isHidden ? [] : [flag]));
    assert.deepEqual(flags, ['config', ...usual]);
    assert.ok(usual.length < 30);
    assert.match(out, /\n"heddle start --help all" shows \d+ more options\.\n$/);
  });

  it('of start shows every option in its group with its default after --help all', async () => {
    const { code, out } = await heddle(['start', '--help', 'all']);
    assert.equal(code, 0);
    for (const group of ['Node:', 'HTTP:', 'Sealing:', 'State:', 'Pool:', 'Limits:', 'Logs:']) {
      assert.match(out, new RegExp(`^${group}$`, 'm'));
    }
    for (const { flag, placeholder } of Object.values(OPTIONS)) {
      assert.match(out, new RegExp(`^  --${flag} ${placeholder === '' ? ' ' : '<'}`, 'm'));
    }
    assert.match(out, /--port <PORT>[^-]*\(default: 9545\)/);
    assert.match(out, /--config <FILE>/);
    assert.match(out, /HEDDLE_BLOCK_TIME for --block-time/);
    assert.match(out, /Examples:/);
  });

  it('is printed for every command and subcommand', async () => {
    const program = new CliCommand('heddle');
    for (const load of Object.values(LOADERS)) (await load())(program, CONTEXT);
    const paths = pathsBelow(program);
    assert.ok(paths.length > 60);
    for (const path of paths) {
      const name = `heddle ${path.join(' ')}`;
      const { code, out, err } = await heddle([...path, '--help']);
      assert.equal(code, 0, `${name}: ${err}`);
      assert.equal(err, '', name);
      assert.ok(out.startsWith(`Usage: ${name}`), name);
    }
  });

  it('shows an example', async () => {
    const ofContracts = ['new', 'build', 'deploy', 'call', 'view', 'show', 'upgrade'].map((name) => [
      'contract',
      name,
    ]);
    const reads = ['balance', 'account', 'block', 'tx', 'receipt', 'logs', 'storage', 'pool', 'estimate'].map(
      (name) => [name],
    );
    const estimates = ['transfer', 'call', 'deploy'].map((name) => ['estimate', name]);
    const others = [
      ['send'],
      ['completion'],
      ['doctor'],
      ['status'],
      ['verify'],
      ['keys', 'new'],
      ['idl', 'check'],
    ];
    for (const command of [...reads, ...estimates, ...others, ...ofContracts]) {
      const { out } = await heddle([...command, '--help']);
      assert.match(out, /Examples?:\n {2}\$ heddle/);
    }
  });

  it('the version is the package’s', async () => {
    const { code, out } = await heddle(['--version']);
    assert.equal(code, 0);
    assert.match(out, /^\d+\.\d+\.\d+\n$/);
  });
});

describe('wrong usage ends with code 2 and a helpful line', () => {
  const cases: [args: string[], expected: RegExp][] = [
    [['strat'], /^heddle: unknown command 'strat'\n\(Did you mean start\?\)/],
    [['start', '--prt', '1'], /^heddle: unknown option '--prt'\n\(Did you mean --port\?\)/],
    [['start', 'extra'], /^heddle: too many arguments for 'start'/],
    [['start', '--port'], /^heddle: option '--port <PORT>' argument missing/],
    [
      ['start', '--port', 'abc'],
      /^heddle: port: expected an integer from 0 to 65535, got "abc" \(from the flag --port\)\n$/,
    ],
    [['start', '--port', '-1'], /^heddle: port: expected .* got "-1"/],
    [
      ['start', '--config', '/no/such'],
      /^heddle: \/no\/such: no such file \(named by the flag --config\)\n$/,
    ],
    [['send', '--amount', '1'], /^heddle: required option '--to <ADDRESS>' not specified/],
    [['send', '--to', '0x12', '--amount', '1'], /^heddle: --to: expected an address/],
    [['send', '--to', `0x${'00'.repeat(20)}`, '--amount', '0.5'], /expected a whole amount/],
    [
      ['send', '--to', `0x${'00'.repeat(20)}`, '--amount', '5'],
      /^heddle: no sender: give --key FILE, or --from-dev/,
    ],
    [
      ['send', '--to', `0x${'00'.repeat(20)}`, '--amount', '5', '--from-dev', '10000'],
      /integer from 0 to 9999, got "10000"/,
    ],
    [
      ['send', '--to', `0x${'00'.repeat(20)}`, '--amount', '5', '--from-dev', '1', '--key', 'k'],
      /cannot be used with/,
    ],
    [
      ['send', '--to', `0x${'00'.repeat(20)}`, '--amount', '5', '--wait', 'long'],
      /Allowed choices are none, included, opened, finalized/,
    ],
    [
      ['status', '--url', 'localhost'],
      /^heddle: expected a URL such as http:\/\/127\.0\.0\.1:9545, got "localhost"\n$/,
    ],
    [['status', '--interval-ms', '1'], /expected milliseconds from 50/],
    [['keys', 'new'], /^heddle: required option '--out <FILE>' not specified/],
    [['keys', 'new', '--scheme', 'rsa', '--out', 'x'], /Allowed choices are ed25519, secp256k1/],
    [['verify', '--to', 'x'], /expected a height, got "x"/],
    [[], /^Usage: heddle/],
  ];
  for (const [args, expected] of cases) {
    it(`heddle ${args.join(' ')}`, async () => {
      const { code, out, err } = await heddle(args);
      assert.match(err, expected);
      assert.equal(code, 2);
      assert.equal(out, '');
    });
  }

  it('several bad values are reported at once', async () => {
    const { code, err } = await heddle(['start', '--port', 'x'], { HEDDLE_SEAL: 'y', HEDDLE_PROT: '1' });
    assert.equal(code, 2);
    assert.equal(err.trimEnd().split('\n').length, 3);
    assert.ok(
      err
        .trimEnd()
        .split('\n')
        .every((line) => line.startsWith('heddle: ')),
    );
  });

  it('a stack is shown only on the debug level', async () => {
    assert.doesNotMatch((await heddle(['start', '--port', 'x'])).err, /\n\s+at /);
    assert.match((await heddle(['start', '--port', 'x', '--log-level', 'debug'])).err, /\n\s+at /);
    assert.match((await heddle(['start', '--port', 'x'], { HEDDLE_LOG_LEVEL: 'debug' })).err, /\n\s+at /);
  });
});

describe('a command that cannot work ends with code 1', () => {
  it('without a node', async () => {
    const dead = 'http://127.0.0.1:2';
    for (const args of [
      ['status', '--once', '--url', dead],
      ['send', '--to', `0x${'00'.repeat(20)}`, '--amount', '5', '--from-dev', '1', '--url', dead],
    ]) {
      const { code, err } = await heddle(args);
      assert.match(
        err,
        /^heddle: no node answers at http:\/\/127\.0\.0\.1:2\/v2\/rpc \(ECONNREFUSED\); .*heddle start/,
      );
      assert.equal(code, 1);
    }
  });

  it('in a directory without a chain', async () => {
    const { code, err } = await heddle(['verify', '--data-dir', '/nonexistent']);
    assert.match(err, /^heddle: \/nonexistent holds no chain/);
    assert.equal(code, 1);
  });
});
