import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { connect, devAccount, formatAddress } from '../../src/client/client.js';
import { heddle } from '../support/nodes/command-line.js';
import { devNode } from '../support/nodes/dev-node.js';
import { NodeParts } from '../support/nodes/node-parts.js';
import { removeDirectory, temporaryDirectory } from '../support/temporary-directory.js';

const bob = formatAddress(devAccount(1).address);

describe('heddle genesis new', () => {
  const directory = temporaryDirectory();
  after(() => removeDirectory(directory));
  const make = (...args: string[]) => heddle(['genesis', 'new', ...args], {}, directory);

  it('makes a chain that starts, pays fees to its account and signs with its key', async () => {
    writeFileSync(join(directory, 'balances.csv'), `# ours\n\n0x${'11'.repeat(20)}, 5_000\n`);
    const made = await make(
      ...['--chain-id', '77', '--account', `${bob}=1e24`, '--accounts', 'balances.csv', '--base-fee', '3'],
    );
    assert.equal(made.code, 0, made.err);
    assert.match(
      made.out,
      /^genesis +.*genesis\.json: chain 77, 2 accounts with 1000000000000000000005000 together$/m,
    );
    const [, fees = ''] = /^fees +.*fees\.json, account (0x[0-9a-f]{40})$/m.exec(made.out) ?? [];
    for (const name of ['validator.json', 'fees.json']) {
      assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600);
    }
    const parts = new NodeParts();
    try {
      const node = await devNode(parts, {
        genesis: join(directory, 'genesis.json'),
        'validator-key': join(directory, 'validator.json'),
        seal: 'instant',
      });
      const client = connect(node.url);
      assert.equal((await client.status()).chain_id, 77n);
      const { receipt } = await client
        .sender(devAccount(1))
        .transfer({ to: fees, amount: 1n, wait: 'finalized' });
      assert.ok(receipt.finalized);
      const collected = (await client.account({ address: devAccount(1).address })).balance;
      assert.equal(collected, 10n ** 24n - 1n - receipt.fee);
    } finally {
      await parts.close();
    }
  });

  it('keeps existing files', async () => {
    const before = ['genesis.json', 'validator.json', 'fees.json'].map((name) =>
      readFileSync(join(directory, name), 'utf8'),
    );
    const refused = await make('--chain-id', '78');
    assert.equal(refused.code, 1);
    assert.match(refused.err, /the file exists; choose another --out, or --force/);
    const forced = await make('--chain-id', '78', '--dev-accounts', '--force');
    assert.equal(forced.code, 0, forced.err);
    assert.match(forced.out, /validator\.json \(as it was\)/);
    const again = await make('--chain-id', '78', '--dev-accounts', '--force', '--json');
    const { group_public_key, fee_account, ...values } = JSON.parse(again.out);
    assert.match(group_public_key, /^0x[0-9a-f]{96}$/);
    assert.match(fee_account, /^0x[0-9a-f]{40}$/);
    assert.deepEqual(values, {
      file: join(directory, 'genesis.json'),
      chain_id: 78,
      accounts: 10,
      total_balance: `${10n ** 25n}`,
      validator_key_file: join(directory, 'validator.json'),
      validator_key_is_new: false,
      fee_account_file: join(directory, 'fees.json'),
    });
    const genesis = JSON.parse(readFileSync(join(directory, 'genesis.json'), 'utf8'));
    assert.deepEqual([genesis.chain_id, genesis.accounts.length], [78, 10]);
    const [old, ...keys] = before;
    assert.notEqual(JSON.stringify(genesis), old);
    assert.deepEqual(
      ['validator.json', 'fees.json'].map((name) => readFileSync(join(directory, name), 'utf8')),
      keys,
    );
    const key = JSON.parse(keys[0] ?? '').public_key;
    assert.equal(genesis.validator_set.group_public_key, key);
  });

  it('warns without accounts', async () => {
    const { code, err } = await make('--chain-id', '79', '--out', 'empty/genesis.json');
    assert.equal(code, 0);
    assert.match(err, /^warning: no account has a balance; fund some with --account/);
  });

  it('reports wrong accounts before it creates any file', async () => {
    writeFileSync(join(directory, 'bad.csv'), `${bob},1\n${bob};2\n`);
    writeFileSync(join(directory, 'three.csv'), `${bob},1,2\n`);
    const out = ['--chain-id', '80', '--out', 'other/genesis.json'];
    for (const [args, code, expected] of [
      [['--accounts', 'bad.csv'], 1, /bad\.csv, line 2: expected an address/],
      [['--accounts', 'three.csv'], 1, /three\.csv, line 1: expected ADDRESS,AMOUNT/],
      [['--accounts', 'none.csv'], 1, /none\.csv: no such file/],
      [['--account', `${bob}=x`], 2, /expected a whole amount/],
      [
        ['--account', `${bob}=1`, '--account', `${bob}=2`],
        1,
        /accounts\[1\]\.address: 0x[0-9a-f]+ appears twice/,
      ],
      [['--base-fee', '0'], 1, /base_fee: expected at least 1/],
    ] as const) {
      const outcome = await make(...out, ...args);
      assert.match(outcome.err, expected);
      assert.equal(outcome.code, code, outcome.err);
    }
    assert.ok(!existsSync(join(directory, 'other')));
    const missing = await make();
    assert.equal(missing.code, 2);
    assert.match(missing.err, /--chain-id/);
  });
});
