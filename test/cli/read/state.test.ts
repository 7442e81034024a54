import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { devAccount, formatAddress } from '../../../src/client/client.js';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';
import { TOKEN_IDL, TokenChain } from '../../support/worlds/token-chain.js';

const bob = formatAddress(devAccount(1).address);
const carol = formatAddress(devAccount(2).address);
const nobody = `0x${'12'.repeat(20)}`;
const FUNDS = '1000000000000000000000000';

describe('balance, account and storage', () => {
  let chain: TokenChain;
  let before150: number;

  before(async () => {
    chain = await TokenChain.start();
    before150 = (await chain.pay('dev:2', 1)).height;
    await chain.pay('dev:1', 150);
    await chain.read('send', '--from-dev', '0', '--to', nobody, '--amount', '1.25', '--decimals', '18');
  });
  after(() => chain?.stop());

  it('show a native balance, in the smallest unit or any other', async () => {
    assert.equal(await chain.read('balance', nobody), '1,250,000,000,000,000,000\n');
    assert.equal(await chain.read('balance', nobody, '--decimals', '18'), '1.25\n');
    assert.equal(await chain.read('balance', nobody, '--decimals', '18', '--at', '0'), '0\n');
  });

  it('take an address in every usual form', async () => {
    for (const text of [bob, bob.slice(2), `0X${bob.slice(2).toUpperCase()}`, 'dev:1']) {
      assert.deepEqual(await chain.json('balance', text), {
        address: bob,
        exists: true,
        balance: FUNDS,
        lanes: [],
        deploy_index: 0,
        is_contract: false,
      });
    }
  });

  it('show a balance of a token, with its symbol and in its unit, also of an earlier block', async () => {
    assert.equal(await chain.read('balance', 'dev:1', '--token', chain.token), '1.5 THR\n');
    const fromFile = await chain.read('balance', 'dev:1', '--token', chain.token, '--idl', TOKEN_IDL);
    assert.equal(fromFile, '1.5 THR\n');
    assert.equal(
      await chain.read('balance', 'dev:1', '--token', chain.token, '--decimals', '0'),
      '150 THR\n',
    );
    const earlier = await chain.read('balance', bob, '--token', chain.token, '--at', String(before150));
    assert.equal(earlier, '0 THR\n');
    assert.deepEqual(await chain.json('balance', bob, '--token', chain.token), {
      address: bob,
      token: chain.token,
      balance: '150',
      decimals: 2,
      symbol: 'THR',
    });
  });

  it('show all tokens that an account holds, now and earlier', async () => {
    assert.equal(await chain.read('balance', 'dev:1', '--tokens'), `${chain.token}  1.5 THR\n`);
    assert.deepEqual(await chain.json('balance', bob, '--tokens', '--limit', '1'), {
      address: bob,
      token: chain.token,
      balance: '150',
      decimals: 2,
      symbol: 'THR',
    });
    for (const args of [[bob, '--at', String(before150)], ['dev:2', '--at', '0'], ['dev:9']]) {
      const outcome = await chain.run('balance', ...args, '--tokens');
      assert.deepEqual(outcome, { code: 0, out: '', err: 'note: no tokens\n' }, args.join(' '));
    }
  });

  it('show an account with its lanes, now and earlier', async () => {
    const now = await chain.read('account', 'dev:0');
    assert.match(now, /^balance +999,\d{3},[\d,]+$/m);
    assert.match(now, /^lane 0 +next nonce 4$/m);
    assert.match(now, /^contract +no$/m);
    assert.match(now, /^deployments +1$/m);
    const start = await chain.read('account', 'dev:0', '--at', '0');
    assert.match(start, /^balance +1,000,000,000,000,000,000,000,000$/m);
    assert.doesNotMatch(start, /lane/);
    assert.match(await chain.read('account', chain.token), /^contract +yes/m);
    assert.match(await chain.read('account', `0x${'34'.repeat(20)}`), /\(not in the state\)$/m);
    assert.deepEqual(await chain.json('account', 'dev:1', '--at', '0'), await chain.json('account', 'dev:1'));
  });

  it('show a slot by cell number or by key, and say if it has no value', async () => {
    const supply = `0003${'00'.repeat(30)}`;
    const value = '0x00ca9a3b000000000000000000000000';
    for (const slot of ['3', supply, `0x${supply}`]) {
      assert.deepEqual(await chain.json('storage', chain.token, slot), { slot: supply, value });
    }
    assert.match(await chain.read('storage', chain.token, '3'), new RegExp(`^value +${value}$`, 'm'));
    assert.match(await chain.read('storage', chain.token, '60'), /^value +none: nothing is stored there$/m);
    assert.deepEqual(await chain.json('storage', chain.token, '60'), { slot: `003c${'00'.repeat(30)}` });
  });

  it('say that there is no contract, or was none at that height', async () => {
    for (const args of [
      ['storage', nobody, '1'],
      ['storage', chain.token, '3', '--at', '0'],
    ]) {
      const { code, out, err } = await chain.run(...args);
      assert.match(err, /^heddle: there is no contract at 0x\w{40} after block \d+\n$/);
      assert.deepEqual([code, out], [1, '']);
    }
  });

  it('end with code 2 for wrong input, and with code 1 for what is absent', async () => {
    for (const [args, code, expected] of [
      [['balance'], 2, /missing required argument 'ADDRESS'/],
      [
        ['balance', 'bob'],
        2,
        /expected an address \(40 hex digits, or a development account such as dev:0\), got "bob"/,
      ],
      [['balance', 'dev:10000'], 2, /expected an address/],
      [['balance', bob, '--at', '-1'], 2, /expected a height, got "-1"/],
      [['balance', bob, '--decimals', '39'], 2, /integer from 0 to 38/],
      [['balance', bob, '--idl', TOKEN_IDL], 2, /--idl needs --token/],
      [['balance', bob, '--token', carol], 1, /there is no contract at/],
      [['balance', bob, '--tokens', '--token', carol], 2, /--tokens.*cannot be used with.*--token/],
      [['balance', bob, '--limit', '5'], 2, /--limit needs --tokens/],
      [['balance', bob, '--tokens', '--limit', '0'], 2, /integer from 1 to 10000/],
      [['balance', bob, '--at', '999999'], 1, /there is no block 999999 yet/],
      [['account', `${bob}00`], 2, /expected an address/],
      [['storage', chain.token], 2, /missing required argument 'SLOT'/],
      [
        ['storage', chain.token, '4294967296'],
        2,
        /expected a slot \(64 hex digits, or the number of a field\)/,
      ],
      [['storage', chain.token, `0x${'0'.repeat(63)}`], 2, /expected a slot/],
    ] as const) {
      const outcome = await chain.run(...args);
      assert.match(outcome.err, expected, args.join(' '));
      assert.deepEqual([outcome.code, outcome.out], [code, ''], args.join(' '));
    }
  });

  it('do not take a contract for a token if its interface lacks balances', async () => {
    const folder = temporaryDirectory();
    try {
      const idl = join(folder, 'vault.idl');
      writeFileSync(idl, 'contract Vault { view balance_of(owner: address, at: u64) -> u128; }\n');
      const { code, err } = await chain.run('balance', bob, '--token', chain.token, '--idl', idl);
      assert.match(
        err,
        /^heddle: Vault is not a token: its interface lacks view balance_of\(owner: address\)/,
      );
      assert.equal(code, 1);
    } finally {
      removeDirectory(folder);
    }
  });

  it('give a hint if the node does not answer', async () => {
    for (const args of [
      ['balance', bob],
      ['account', bob],
      ['storage', chain.token, '0'],
    ]) {
      const { code, err } = await chain.run(...args, '--url', 'http://127.0.0.1:2');
      assert.match(
        err,
        /^heddle: no node answers at .* \(ECONNREFUSED\); is it running \("heddle start"\)\?/,
      );
      assert.equal(code, 1);
    }
  });
});
