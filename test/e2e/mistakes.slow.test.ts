// User mistakes: each gets a message that names the problem, without a stack trace.
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ValidatorSet } from '../outside/ledger-shapes.js';
import { RpcClient, RpcFailure } from '../outside/rpc.js';
import { nodeStatus } from '../outside/traffic.js';
import { NODE_MODE } from '../support/native-modes.js';
import { type CommandOutcome, heddle } from '../support/nodes/command-line.js';
import {
  NodeProcess,
  removeDirectory,
  runHeddle,
  temporaryDirectory,
} from '../support/nodes/node-process.js';

const scratch = temporaryDirectory();
after(() => removeDirectory(scratch));

let made = 0;
function freshDir(): string {
  made += 1;
  const path = join(scratch, `dir-${made}`);
  mkdirSync(path);
  return path;
}

function file(name: string, content: string): string {
  const path = join(freshDir(), name);
  writeFileSync(path, content);
  return path;
}

function assertRefused(outcome: CommandOutcome, code: number, ...says: readonly RegExp[]): void {
  const said = outcome.out + outcome.err;
  assert.equal(outcome.code, code, said);
  for (const pattern of says) assert.match(said, pattern);
  assert.doesNotMatch(said, /\n\s+at .+:\d+:\d+/, 'shows a stack');
}

/** Runs a command in a process of its own, where it must end by itself. */
async function alone(args: readonly string[]): Promise<CommandOutcome> {
  const { code, signal, stdout, stderr } = await runHeddle(args);
  assert.equal(signal, null, `did not end by itself:\n${stdout}${stderr}`);
  return { code: code ?? -1, out: stdout, err: stderr };
}

function start(...flags: readonly string[]): Promise<CommandOutcome> {
  return heddle(['start', '--port', '0', '--data-dir', freshDir(), '--log-level', 'fatal', ...flags]);
}

describe('mistakes at the command line', () => {
  const badFlags: readonly (readonly [flag: string, value: string])[] = [
    ['--port', '99999'],
    ['--port', 'http'],
    ['--block-time', 'fast'],
    ['--block-time', '-5'],
    ['--idle-block-time', '1.5'],
    ['--seal', 'sometimes'],
    ['--native', 'maybe'],
    ['--workers', '0'],
    ['--state-retention', 'all'],
    ['--log-level', 'loud'],
  ];
  for (const [flag, value] of badFlags) {
    test(`${flag} ${value} is refused by name`, async () => {
      const outcome = await start(`${flag}=${value}`);
      assertRefused(outcome, 2, new RegExp(flag), new RegExp(value.replace('.', '\\.')));
    });
  }

  test('a refusal ends the process, with its exit code', async () => {
    assertRefused(await alone(['start', '--data-dir', freshDir(), '--port=99999']), 2, /--port/, /99999/);
  });

  test('an unknown flag is named with a suggestion', async () => {
    assertRefused(await start('--blok-time', '5'), 2, /--blok-time/, /--block-time/);
  });

  test('an unknown command is named', async () => {
    assertRefused(await heddle(['strat']), 2, /strat/, /start/);
  });

  test('a bad environment variable is named', async () => {
    const env = { HEDDLE_BLOCK_TIME: 'soon' };
    const outcome = await heddle(['start', '--port', '0', '--data-dir', freshDir()], env);
    assertRefused(outcome, 2, /HEDDLE_BLOCK_TIME/, /soon/);
  });

  test('a bad value in a config file is named with its file', async () => {
    const path = file('heddle.json', JSON.stringify({ 'block-time': 'soon' }));
    assertRefused(await start('--config', path), 2, /block-?[tT]ime/, /heddle\.json/);
  });

  test('an unknown key in a config file is named', async () => {
    const path = file('heddle.json', JSON.stringify({ 'blok-time': 250 }));
    assertRefused(await start('--config', path), 2, /blok-time/, /heddle\.json/);
  });

  test('a config file that is missing or not JSON is named', async () => {
    assertRefused(await start('--config', file('heddle.json', '{"port":')), 2, /heddle\.json/, /JSON/);
    assertRefused(await start('--config', join(scratch, 'nowhere.json')), 2, /nowhere\.json/);
  });

  test('a private key file readable by others gives a warning with the command that fixes it', async () => {
    const path = join(freshDir(), 'key.json');
    const created = await heddle(['keys', 'new', '--out', path]);
    assert.equal(created.code, 0, created.err);
    const quiet = await heddle(['keys', 'address', path]);
    assert.equal(quiet.code, 0, quiet.err);
    assert.match(quiet.out, /0x[0-9a-f]{40}/);
    assert.doesNotMatch(quiet.err, /chmod/);
    chmodSync(path, 0o644);
    const warned = await heddle(['keys', 'address', path]);
    assert.equal(warned.code, 0, warned.err);
    assert.match(warned.err, /chmod/);
    assert.ok(warned.err.includes(path));
    const overwritten = await heddle(['keys', 'new', '--out', path]);
    assert.notEqual(overwritten.code, 0, 'a key file was overwritten without being asked to');
  });
});

describe('mistakes around a running node', () => {
  let node: NodeProcess;
  let rpc: RpcClient;

  before(async () => {
    node = await NodeProcess.start();
    rpc = new RpcClient(node.url);
  });

  after(async () => {
    rpc?.close();
    await node?.dispose();
  });

  /** A valid genesis of this chain after applying `change`. */
  async function genesis(change: (genesis: Record<string, unknown>) => void): Promise<string> {
    const status = await nodeStatus(rpc);
    const whole = {
      chain_id: 4242,
      timestamp_ms: 1_700_000_000_000,
      gas_limit: 100_000_000,
      base_fee: '10',
      validator_set: ValidatorSet.toJson(status.validator_set),
      accounts: [{ address: `0x${'ab'.repeat(20)}`, balance: '1000' }],
    };
    change(whole);
    return file('genesis.json', JSON.stringify(whole));
  }

  test('a port in use is named and stays with its node', async () => {
    const { port } = new URL(node.url);
    const outcome = await alone(['start', '--port', port, '--data-dir', freshDir(), '--native', NODE_MODE]);
    assertRefused(outcome, 1, new RegExp(port), /in use/);
    await nodeStatus(rpc);
  });

  test('a data directory in use by another node is named', async () => {
    const args = ['start', '--port', '0', '--data-dir', node.dataDir, '--native', NODE_MODE];
    assertRefused(await alone(args), 1, /in use/, new RegExp(node.dataDir));
    await nodeStatus(rpc);
  });

  test('a data directory that is a file or cannot be created is named', async () => {
    const path = file('occupied', 'not a directory');
    assertRefused(await start('--data-dir', path), 1, new RegExp(path));
  });

  test('a genesis that is missing, not JSON or has an invalid member is explained', async () => {
    assertRefused(await start('--genesis', join(scratch, 'none.json')), 1, /none\.json/);
    assertRefused(await start('--genesis', file('genesis.json', '{')), 1, /genesis\.json/, /JSON/);
    const misspelt = await genesis((whole) => {
      whole['acounts'] = whole['accounts'];
      delete whole['accounts'];
    });
    assertRefused(await start('--genesis', misspelt), 1, /acounts|accounts/);
    const wrongType = await genesis((whole) => {
      whole['accounts'] = [{ address: '0x12', balance: '1000' }];
    });
    assertRefused(await start('--genesis', wrongType), 1, /accounts\[0\]\.address/);
    const twice = await genesis((whole) => {
      const account = { address: `0x${'ab'.repeat(20)}`, balance: '1000' };
      whole['accounts'] = [account, account];
    });
    assertRefused(await start('--genesis', twice), 1, new RegExp('ab'.repeat(20)));
  });

  test('a misspelt method is answered with a suggestion', async () => {
    await assert.rejects(rpc.call('stauts'), (error: unknown) => {
      assert.ok(error instanceof RpcFailure);
      assert.equal(error.code, -32601);
      assert.match(error.message, /\bstatus\b/);
      return true;
    });
  });

  test('a misspelt member is named with its path', async () => {
    const attempts: readonly (readonly [method: string, params: unknown, says: RegExp])[] = [
      ['account', { adress: `0x${'00'.repeat(20)}` }, /adress/],
      ['tx_submit', { signed: { transaktion: {} } }, /params\.signed.*transaktion|transaktion/],
      ['list_blocks', { limits: 5 }, /limits/],
      ['status', { verbose: true }, /verbose/],
      ['account', { address: '0x1234' }, /params\.address/],
    ];
    for (const [method, params, says] of attempts) {
      await assert.rejects(rpc.call(method, params), (error: unknown) => {
        assert.ok(error instanceof RpcFailure);
        assert.equal(error.code, -32602, `${method}: ${error.message}`);
        assert.match(error.message, says);
        return true;
      });
    }
  });

  test('the admin token file is readable only by its owner', async () => {
    const { mode } = await import('node:fs').then((fs) => fs.statSync(join(node.dataDir, 'admin.token')));
    assert.equal(mode & 0o777, 0o600);
    assert.ok(readFileSync(join(node.dataDir, 'admin.token'), 'utf8').trim().length > 20);
  });

  describe('on the data directory of the stopped node', () => {
    let other: string;
    before(async () => {
      other = await genesis(() => undefined);
      await node.stop();
    });

    test('the genesis of another chain is refused', async () => {
      const { dataDir } = node;
      const keyless = await start('--data-dir', dataDir, '--genesis', other);
      assertRefused(keyless, 2, /--validator-key is missing/, /--no-certificates/);
      const args = ['start', '--port', '0', '--data-dir', dataDir, '--genesis', other, '--no-certificates'];
      assertRefused(await alone(args), 1, new RegExp(dataDir), /genesis|chain/);
    });

    test('another version is reported, and leaves it unchanged', async () => {
      const { dataDir } = node;
      const format = join(dataDir, 'FORMAT');
      const written = readFileSync(format, 'utf8');
      writeFileSync(format, written.replace(/\d+/, '999'));
      assertRefused(await start('--data-dir', dataDir), 1, new RegExp(dataDir), /format/, /999/);
      writeFileSync(format, written);
      const again = await NodeProcess.start({ dataDir });
      await again.dispose();
    });
  });
});
