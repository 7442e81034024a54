import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { devAccount, formatAddress } from '../../../src/client/client.js';
import { TokenChain } from '../../support/worlds/token-chain.js';

const alice = formatAddress(devAccount(0).address);
const bob = formatAddress(devAccount(1).address);
const UNKNOWN = 'ab'.repeat(32);

describe('block, tx and receipt', () => {
  let chain: TokenChain;
  let paid: { readonly hash: string; readonly height: number };
  let failed: { readonly hash: string; readonly height: number };

  before(async () => {
    chain = await TokenChain.start();
    paid = await chain.pay('dev:1', 150);
    failed = await chain.pay('dev:1', 5, '5');
  });
  after(() => chain?.stop());

  it('show a block by height, by hash in every form, and by name', async () => {
    const block = (await chain.json('block', String(paid.height))) as { height: number; hash: string };
    assert.equal(block.height, paid.height);
    for (const hash of [block.hash, `0x${block.hash}`, block.hash.toUpperCase()]) {
      assert.deepEqual(await chain.json('block', hash), block);
    }
    const text = await chain.read('block', block.hash);
    assert.match(
      text,
      new RegExp(`^block +${paid.height}, final\nhash +${block.hash}\nparent +[0-9a-f]{64}$`, 'm'),
    );
    assert.match(text, /^time +\d{4}-\d\d-\d\dT[\d:.]+Z$/m);
    assert.match(text, /^transactions 1$/m);
    for (const name of [[], ['latest'], ['finalized']]) {
      const named = (await chain.json('block', ...name)) as { height: number };
      assert.ok(named.height >= failed.height, JSON.stringify(named));
    }
  });

  it("show a block's transactions", async () => {
    const text = await chain.read('block', String(failed.height), '--txs');
    assert.match(
      text,
      new RegExp(`\n\n +0 {2}${failed.hash} {2}call, reverted: InsufficientBalance\\(.*\\), [\\d,]+ gas\n$`),
    );
    const json = (await chain.json('block', String(paid.height), '--txs')) as {
      height: number;
      transactions: { tx_hash: string; transaction: { transaction: { sender: string } } }[];
    };
    assert.equal(json.height, paid.height);
    assert.deepEqual(
      json.transactions.map(({ tx_hash, transaction }) => [tx_hash, transaction.transaction.sender]),
      [[paid.hash, alice]],
    );
    assert.doesNotMatch(await chain.read('block', '0', '--txs'), /\n\n/);
  });

  it('show a transaction with its decoded call', async () => {
    for (const hash of [paid.hash, `0x${paid.hash.toUpperCase()}`]) {
      const text = await chain.read('tx', hash);
      assert.match(
        text,
        new RegExp(`^transaction +${paid.hash}\nstatus +success, final\nblock +${paid.height} `),
      );
      assert.match(text, new RegExp(`^from +${alice} \\(lane 0, nonce 1\\)$`, 'm'));
      assert.match(text, new RegExp(`^contract +${chain.token} \\(Token\\)$`, 'm'));
      assert.match(text, new RegExp(`^call +transfer\\(to: ${bob}, amount: 150\\)$`, 'm'));
    }
    const json = (await chain.json('tx', paid.hash)) as { status: unknown; transaction: unknown };
    assert.deepEqual(Object.keys(json), ['status', 'transaction']);
    assert.match(await chain.read('tx', failed.hash), /^status +reverted: InsufficientBalance\(/m);
  });

  it('show a deployment and a transfer', async () => {
    const deployment = await chain.read('tx', chain.deployment);
    assert.match(deployment, /^action +deploy\ncode +[\d,]+ bytes\ninterface +[\d,]+ characters$/m);
    const sent = await chain.read('send', '--from-dev', '3', '--to', bob.slice(2), '--amount', '1_000');
    const [, hash = ''] = /^transaction +(\w+)/m.exec(sent) ?? [];
    assert.match(
      await chain.read('tx', hash),
      new RegExp(`^action +transfer\nto +${bob}\namount +1,000$`, 'm'),
    );
  });

  it('show a pending transaction, which has no receipt yet', async () => {
    const args = [
      'send',
      '--from-dev',
      '4',
      '--to',
      'dev:1',
      '--amount',
      '1',
      '--nonce',
      '7',
      '--wait',
      'none',
    ];
    const [, hash = ''] = /^transaction +(\w+)/m.exec(await chain.read(...args)) ?? [];
    assert.match(
      await chain.read('tx', hash),
      /^status +pending, waits for its nonce or bundle, since \d{4}-/m,
    );
    const { code, err } = await chain.run('receipt', hash);
    assert.deepEqual([code, err], [1, `heddle: ${hash} has no receipt yet: it is pending\n`]);
  });

  it('show a receipt with its events, or the decoded error', async () => {
    const text = await chain.read('receipt', paid.hash);
    assert.match(text, /^status +success, final$/m);
    assert.match(text, /^gas used +[\d,]+\nfee +[\d,]+$/m);
    assert.match(
      text,
      new RegExp(`^event +Transfer\\(from: ${alice}, to: ${bob}, amount: 150\\) of ${chain.token}$`, 'm'),
    );
    const json = (await chain.json('receipt', `0x${paid.hash}`)) as {
      tx_hash: string;
      status: { type: string };
      logs: { event: { name: string } }[];
    };
    assert.deepEqual(
      [json.tx_hash, json.status.type, json.logs[0]?.event.name],
      [paid.hash, 'success', 'Transfer'],
    );
    assert.match(
      await chain.read('receipt', failed.hash),
      /^status +reverted: InsufficientBalance\(available: 0, required: 5\), final$/m,
    );
    assert.match(
      await chain.read('receipt', chain.deployment),
      new RegExp(`^contract +${chain.token}$`, 'm'),
    );
  });

  it('end with code 1 for what is absent, and with code 2 for wrong input', async () => {
    for (const [args, code, expected] of [
      [['block', '999999'], 1, /^heddle: there is no block 999999 yet; the newest is \d+\n$/],
      [['block', UNKNOWN], 1, /there is no block (?:ab){32}/],
      [
        ['block', 'newest'],
        2,
        /expected a height, a hash \(64 hex digits\), latest or finalized, got "newest"/,
      ],
      [
        ['tx', UNKNOWN],
        1,
        /^heddle: there is no transaction (?:ab){32}, neither in a block nor in the pool\n$/,
      ],
      [['receipt', UNKNOWN], 1, /^heddle: there is no transaction (?:ab){32}, neither/],
      [['tx', '0x12'], 2, /expected a hash \(64 hex digits\), got "0x12"/],
      [['receipt'], 2, /missing required argument 'HASH'/],
      [['tx', UNKNOWN, '--url', 'http://127.0.0.1:2'], 1, /is it running \("heddle start"\)\?/],
    ] as const) {
      const outcome = await chain.run(...args);
      assert.match(outcome.err, expected, args.join(' '));
      assert.deepEqual([outcome.code, outcome.out], [code, ''], args.join(' '));
    }
  });
});
