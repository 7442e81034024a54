import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { historyFile } from '../../../src/cli/repl/repl.js';
import { showError, showValue } from '../../../src/cli/repl/shown-value.js';
import { ClientError, formatAddress, mnemonicAccount } from '../../../src/client/client.js';
import { type CommandResult, startHeddle } from '../../support/nodes/node-process.js';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';
import { TOKEN_IDL, TokenChain } from '../../support/worlds/token-chain.js';

describe('heddle console', () => {
  const directory = temporaryDirectory();
  let chain: TokenChain;

  before(async () => {
    chain = await TokenChain.start();
  });
  after(async () => {
    await chain?.stop();
    removeDirectory(directory);
  });

  /** Runs lines from standard input. */
  function piped(
    lines: readonly string[],
    flags: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
  ): Promise<CommandResult> {
    const command = startHeddle(['console', ...flags], {
      stdin: 'pipe',
      env: { HEDDLE_URL: chain.node.url, HEDDLE_REPL_HISTORY: join(directory, 'history'), ...env },
    });
    command.child.stdin?.end(lines.join('\n'));
    return command.ended;
  }

  test('runs lines in order, with the client, accounts and contracts', async () => {
    const { code, stdout, stderr } = await piped(
      [
        'let count = await Promise.resolve(4)',
        'count + 1',
        'const total = (numbers) => {',
        '  return numbers.reduce((a, b) => a + b)',
        '}',
        'total([1_000n, 2_000_000n])',
        '(await client.status()).chain_id',
        'accounts[1].address',
        "const { receipt } = await sender.transfer({ to: address('dev:1'), amount: 5n, wait: 'included' })",
        'receipt.status',
        '(await token.call("transfer", { to: accounts[1].address, amount: 7n })).receipt.status.type',
        "await (await contract(formatAddress(token.address))).view('balance_of', { owner: accounts[1].address })",
        `await (await contract(token.address, { idl: ${JSON.stringify(TOKEN_IDL)} })).view('decimals')`,
        "toJson('Receipt', receipt).tx_hash === formatHash(receipt.tx_hash)",
        'console.log("printed")',
      ],
      ['--contract', `token=${chain.token}`],
    );
    assert.equal(stderr, '');
    assert.equal(code, 0);
    assert.deepEqual(stdout.trim().split('\n'), [
      ...['5', '2_001_000n', '9_545n', '0x4e2349c6892e15d1958059abd2b0e3caeb413ad2', "{ type: 'success' }"],
      ...["'success'", "'7'", '2', 'true', 'printed'],
    ]);
    assert.ok(!existsSync(join(directory, 'history')));
  });

  test('goes on after errors, and ends with code 1', async () => {
    const { code, stdout, stderr } = await piped([
      'nope.x',
      "await client.account({ address: '0x12' })",
      'throw 5',
      '1 + )',
      "await token.view('x')",
      "await client.call('no_such_method', {})",
      "'still here'",
    ]);
    assert.equal(code, 1);
    assert.match(stderr, /^heddle: ReferenceError: nope is not defined$/m);
    assert.match(
      stderr,
      /^heddle: ClientError: account: params.address: expected 20 bytes.*bad_argument\)$/m,
    );
    assert.match(stderr, /^heddle: 5$/m);
    assert.match(stderr, /SyntaxError/);
    assert.doesNotMatch(stderr, /\n {4}at /);
    assert.equal(stdout, "'still here'\n");
  });

  test('survives promises that reject and timers that throw', async () => {
    const { code, stdout, stderr } = await piped([
      "Promise.reject(new Error('stray')); 0",
      "setTimeout(() => { throw new Error('late') }, 10); 1",
      'await new Promise((resolve) => setTimeout(resolve, 200))',
      '2',
    ]);
    assert.equal(code, 1);
    assert.match(stderr, /Error: stray/);
    assert.match(stderr, /Error: late/);
    assert.equal(stdout, '0\n1\n2\n');
  });

  test('runs the code of --eval, with the accounts of a mnemonic', async () => {
    const words = 'test test test test test test test test test test test junk';
    const run = (code: string) => piped([], ['--eval', code], { HEDDLE_MNEMONIC: words });
    const { code, stdout } = await run('accounts[3].address');
    assert.equal(code, 0);
    assert.equal(stdout, `${formatAddress(mnemonicAccount(words, 3).address)}\n`);
    const unfinished = await run('client.status(');
    assert.equal(unfinished.code, 1);
    assert.match(unfinished.stderr, /the input ends within a statement/);
  });

  test('refuses wrong options', async () => {
    const refused = async (message: RegExp, ...flags: string[]) => {
      const { code, err } = await chain.run('console', '--eval', '1', ...flags);
      assert.notEqual(code, 0);
      assert.match(err, message);
    };
    await refused(/expected NAME=ADDRESS/, '--contract', 'token');
    await refused(/with a name that the console does not have yet/, '--contract', `client=${chain.token}`);
    await refused(/expected an address/, '--contract', 'token=0x12');
    await refused(/there is no contract at/, '--contract', 'token=dev:1');
    await refused(/no such file/, '--contract', `token=${chain.token}`, '--idl', 'none.idl');
    await refused(/--token-file: cannot read/, '--token-file', 'none');
  });
});

test('the history is in the state directory, in a named file, or nowhere', () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'state', 'heddle', 'console_history');
  assert.equal(historyFile({ XDG_STATE_HOME: join(directory, 'state') }), file);
  assert.equal(statSync(join(file, '..')).mode & 0o777, 0o700);
  assert.equal(historyFile({ HEDDLE_REPL_HISTORY: join(directory, 'mine') }), join(directory, 'mine'));
  assert.equal(historyFile({ HEDDLE_REPL_HISTORY: '' }), undefined);
  removeDirectory(directory);
});

test('bytes are shown as hex digits wherever they are, and long ones are cut', () => {
  const value = { list: [{ at: Uint8Array.of(1, 255) }], amount: 12_345n, none: undefined };
  assert.equal(showValue(value, false), '{ list: [ { at: 0x01ff } ], amount: 12_345n, none: undefined }');
  assert.match(showValue(new Uint8Array(1_000), false), /^0x(00){256}… \(1000 bytes\)$/);
  const loop: { self?: unknown } = {};
  loop.self = loop;
  assert.match(showValue(loop, false), /self/);
});

test('the message of a node cannot control the terminal', () => {
  const shown = showError(new ClientError('bad_answer', 'no\u001b[2J\u009b2J\rway\nsecond'));
  assert.equal(shown, 'ClientError: no\\u001b[2J\\u009b2J\\u000dway\nsecond (bad_answer)');
  assert.equal(showValue({ name: '\u001b[2J' }, false), "{ name: '\\x1B[2J' }");
  const nested = showValue([new Error('no\u001b[8m\u202eway'), 5], true);
  assert.match(nested, /no\\u001b\[8m\\u202eway/);
  assert.ok(nested.includes('\u001b[33m5\u001b[39m'), 'colours stay');
});
