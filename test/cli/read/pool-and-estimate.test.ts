import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { devAccount, formatAddress } from '../../../src/client/client.js';
import { type CommandOutcome, heddle } from '../../support/nodes/command-line.js';
import { ContractNode } from '../../support/nodes/contract-node.js';
import { TOKEN_IDL, TOKEN_INIT, TOKEN_WASM, TokenChain } from '../../support/worlds/token-chain.js';

const bob = formatAddress(devAccount(1).address);
const nobody = '12'.repeat(20);

describe('heddle pool', () => {
  let world: ContractNode;
  let hashes: string[];

  before(async () => {
    world = await ContractNode.start({ workers: '1' });
    const [first, second] = [world.client.sender(devAccount(2)), world.client.sender(devAccount(3))];
    hashes = [];
    for (const sender of [first, first, second]) {
      hashes.push((await sender.transfer({ to: bob, amount: 5n })).hashHex);
    }
    hashes.push((await second.transfer({ to: bob, amount: 5n, nonce: 9n })).hashHex);
  });
  after(() => world?.stop());

  const pool = (...args: readonly string[]): Promise<CommandOutcome> =>
    heddle(['pool', ...args], { HEDDLE_URL: world.node.url });

  it('shows statistics and pending transactions, newest first', async () => {
    const { code, out } = await pool();
    assert.equal(code, 0);
    assert.match(out, /^pool +4 of [\d,]+$/m);
    assert.match(out, /^ready +3, 1 behind a gap, in 2 lanes$/m);
    assert.match(out, /^base fee +\d+$/m);
    const listed = [
      ...out.matchAll(/^([0-9a-f]{64}) {2}transfer of 0x\w{40} \(lane 0, nonce (\d)\), .*, (\w+)$/gm),
    ];
    assert.deepEqual(
      listed.map(([, hash, nonce, state]) => [hash, nonce, state]),
      [
        [hashes[3], '9', 'waiting'],
        [hashes[2], '0', 'ready'],
        [hashes[1], '1', 'ready'],
        [hashes[0], '0', 'ready'],
      ],
    );
  });

  it('takes a sender and a limit, and prints JSON', async () => {
    const listed = async (...args: readonly string[]): Promise<readonly string[]> => {
      const { out } = await pool(...args, '--json');
      const { stats, transactions } = JSON.parse(out) as {
        stats: { size: number };
        transactions: { tx_hash: string }[];
      };
      assert.equal(stats.size, 4);
      return transactions.map(({ tx_hash: hash }) => hash);
    };
    assert.deepEqual(await listed('--sender', 'dev:2'), [hashes[1], hashes[0]]);
    assert.deepEqual(await listed('--sender', formatAddress(devAccount(3).address).slice(2)), [
      hashes[3],
      hashes[2],
    ]);
    assert.deepEqual(await listed('--limit', '1'), [hashes[3]]);
    assert.deepEqual(await listed('--limit', '0'), []);
  });

  it('refuses wrong input', async () => {
    for (const [args, code, expected] of [
      [['--sender', 'bob'], 2, /expected an address/],
      [['--limit', '-1'], 2, /expected an integer from 0/],
      [['--url', 'http://127.0.0.1:2'], 1, /is it running \("heddle start"\)\?/],
    ] as const) {
      const outcome = await pool(...args);
      assert.match(outcome.err, expected);
      assert.deepEqual([outcome.code, outcome.out], [code, '']);
    }
  });
});

describe('heddle estimate', () => {
  let chain: TokenChain;

  before(async () => {
    chain = await TokenChain.start();
  });
  after(() => chain?.stop());

  it('estimates a transfer, from any account and without a key', async () => {
    const out = await chain.read(
      'estimate',
      '--from',
      bob,
      '--to',
      nobody,
      '--amount',
      '1.5',
      '--decimals',
      '18',
    );
    assert.match(out, new RegExp(`^from +${bob}\nto +0x${nobody}\namount +1\\.5\noutcome +success$`, 'm'));
    const [, gas] = /^gas used +([\d,]+)$/m.exec(out) ?? [];
    const [, limit] = /^gas limit +([\d,]+) at least$/m.exec(out) ?? [];
    const [, fee] = /^fee +([\d,]+)$/m.exec(out) ?? [];
    assert.ok(gas !== undefined && gas === limit && gas === fee, out);
    assert.equal(
      await chain.read('estimate', 'transfer', '--from-dev', '1', '--to', nobody, '--amount', '15e17'),
      out.replace('1.5\n', '1,500,000,000,000,000,000\n'),
    );
  });

  it('reports the gas that the transaction then uses', async () => {
    const args = ['--to', 'dev:2', '--amount', '7', '--from-dev', '3'];
    const { gas_used: gas } = (await chain.json('estimate', ...args)) as { gas_used: number };
    const sent = await chain.read('send', ...args, '--gas-limit', String(gas));
    assert.match(sent, new RegExp(`^gas used +${gas.toLocaleString('en')}$`, 'm'));
  });

  it("estimates a call, in the token's own unit, and changes nothing", async () => {
    const { code, out, err } = await chain.run(
      ...['estimate', 'call', chain.token, 'transfer', 'to=dev:1', 'amount=2.5', '--from-dev', '0'],
    );
    assert.equal(err, "note: amount: 2.5 is 250 in units of 10^-2, from the contract's decimals\n");
    assert.equal(code, 0);
    assert.match(
      out,
      new RegExp(`^contract +${chain.token} \\(Token\\)\nmethod +transfer\noutcome +success$`, 'm'),
    );
    assert.match(out, new RegExp(`^event +Transfer\\(from: 0x\\w+, to: ${bob}, amount: 250\\) of`, 'm'));
    assert.equal(await chain.read('balance', 'dev:1', '--token', chain.token), '0 THR\n');
  });

  it('fails for an outcome that is not a success, with the decoded error, also as JSON', async () => {
    const args = ['estimate', 'call', chain.token, 'transfer', bob, '5', '--from-dev', '5'];
    const failure =
      'heddle: it would not succeed: reverted: InsufficientBalance(available: 0, required: 5)\n';
    const text = await chain.run(...args);
    assert.deepEqual([text.code, text.err], [1, failure]);
    assert.match(text.out, /^outcome +reverted$/m);
    const json = await chain.run(...args, '--json');
    assert.deepEqual([json.code, json.err], [1, failure]);
    assert.equal((JSON.parse(json.out) as { status: { type: string } }).status.type, 'reverted');
    const poor = await chain.run('estimate', '--from', nobody, '--to', bob, '--amount', '5');
    assert.match(poor.err, /it would not succeed: reverted: insufficient balance/);
  });

  it('estimates a deployment', async () => {
    const out = await chain.read(
      ...['estimate', 'deploy', TOKEN_WASM, '--idl', TOKEN_IDL, '--from-dev', '0', ...TOKEN_INIT],
    );
    assert.match(out, /^code +[\d,]+ bytes\noutcome +success$/m);
    assert.match(out, /^contract +0x[0-9a-f]{40}$/m);
  });

  it('takes an earlier state', async () => {
    const args = ['estimate', 'call', chain.token, 'transfer', 'dev:1', '5', '--from-dev', '0'];
    const { code, err } = await chain.run(...args, '--at', '0');
    assert.equal(code, 1);
    assert.match(err, /it would not succeed: invalid: no contract at/);
  });

  it('refuses wrong input', async () => {
    for (const [args, code, expected] of [
      [['--to', bob, '--amount', '1'], 2, /no sender: give --from ADDRESS, or --from-dev INDEX/],
      [['--from-dev', '0'], 2, /required option '--to <ADDRESS>' not specified/],
      [['--from-dev', '0', '--from', bob, '--to', bob, '--amount', '1'], 2, /cannot be used with/],
      [['--from-dev', '0', '--to', bob, '--amount', '0.5'], 2, /--amount: expected a whole amount/],
      [['call', chain.token, 'trasfer', '--from-dev', '0'], 2, /Token has no function trasfer/],
      [['call', chain.token, 'transfer', '--from-dev', '0'], 1, /Token\.transfer: args/],
      [['call', bob, 'transfer', '--from-dev', '0'], 1, /there is no contract at/],
      [['deploy', TOKEN_IDL, '--from-dev', '0'], 1, /expected a compiled contract \(WebAssembly\)/],
      [['deploy', TOKEN_WASM, 'x=1', '--from-dev', '0'], 2, /arguments of init need --idl/],
    ] as const) {
      const outcome = await chain.run('estimate', ...args);
      assert.match(outcome.err, expected, args.join(' '));
      assert.deepEqual([outcome.code, outcome.out], [code, ''], args.join(' '));
    }
  });
});
