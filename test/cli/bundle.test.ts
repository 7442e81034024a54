import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Client, type Contract, connect, devAccount, formatAddress } from '../../src/client/client.js';
import type { RunningNode } from '../../src/node.js';
import { heddle } from '../support/nodes/command-line.js';
import { devNode } from '../support/nodes/dev-node.js';
import { NodeParts } from '../support/nodes/node-parts.js';
import { removeDirectory, temporaryDirectory } from '../support/temporary-directory.js';
import { CONTRACTS, contractCode } from '../support/worlds/contract-world.js';

describe('a bundle in a file', () => {
  const IDL = readFileSync(join(CONTRACTS, 'token', 'token.idl'), 'utf8');
  const directory = temporaryDirectory();
  const alice = devAccount(0);

  const parts = new NodeParts();
  let node: RunningNode;
  let client: Client;
  let token: Contract;
  before(async () => {
    node = await devNode(parts, { 'block-time': '30', 'idle-block-time': '30' });
    client = connect(node.url);
    const owner = alice.address;
    const init = { name: 'Thread', symbol: 'THR', decimals: 0, supply: 1_000n, owner, minter: owner };
    const code = Uint8Array.from(contractCode('token'));
    ({ contract: token } = await client.sender(alice).deploy({ code, idl: IDL, init }));
  });
  after(async () => {
    await client?.close();
    await parts.close();
    removeDirectory(directory);
  });

  function file(content: unknown): string {
    const path = join(directory, 'bundle.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  }

  function bundle(content: unknown, ...args: string[]) {
    return heddle(['bundle', file(content), '--url', node.url, ...args]);
  }

  const balance = (owner: Uint8Array) => token.view('balance_of', { owner });
  const contract = () => formatAddress(token.address);

  describe('heddle bundle', () => {
    it('sends transfers, calls and actions of development accounts and key files', async () => {
      await heddle(['keys', 'new', '--out', join(directory, 'carol.json')]);
      const { address } = JSON.parse(readFileSync(join(directory, 'carol.json'), 'utf8')) as {
        address: string;
      };
      const { code, out, err } = await bundle(
        [
          { to: address, amount: '1e18' },
          { from: 'dev:0', contract: contract(), method: 'transfer', args: { to: 'dev:1', amount: 10 } },
          {
            from: 'dev:1',
            lane: 3,
            contract: contract(),
            method: 'transfer',
            args: ['dev:2', '4'],
            value: 0,
          },
          { from: 'carol.json', action: { type: 'transfer', value: { to: address, amount: '5' } } },
        ],
        '--from-dev',
        '2',
      );
      assert.equal(err, '');
      assert.equal(code, 0, out);
      assert.match(out, /^bundle +[0-9a-f]{64}$/m);
      assert.equal(out.match(/^status +success/gm)?.length, 4);
      assert.match(out, /\(lane 3, nonce 0\)/);
      assert.equal(await balance(devAccount(1).address), '6');
      assert.equal(await balance(devAccount(2).address), '4');
    });

    it('prints JSON, and does not wait with --wait none', async () => {
      const pay = { to: 'dev:1', amount: 5, priority_fee: '2' };
      const { code, out } = await bundle([pay, pay], '--from-dev', '0', '--json', '--wait', 'finalized');
      assert.equal(code, 0, out);
      const { bundle_hash, transactions } = JSON.parse(out) as {
        bundle_hash: string;
        transactions: { tx_hash: string; nonce: number; receipt?: { tx_hash: string; finalized: boolean } }[];
      };
      assert.match(bundle_hash, /^[0-9a-f]{64}$/);
      const [first, second] = transactions;
      assert.equal(second?.nonce, (first?.nonce ?? 0) + 1);
      assert.equal(first?.receipt?.tx_hash, first?.tx_hash);
      assert.equal(first?.receipt?.finalized, true);
      const quick = await bundle([pay], '--from-dev', '0', '--json', '--wait', 'none');
      const answer = JSON.parse(quick.out) as { transactions: typeof transactions };
      assert.equal(answer.transactions[0]?.receipt, undefined);
      await client.waitForReceipt(answer.transactions[0]?.tx_hash ?? assert.fail());
    });

    it('refuses a bundle that would fail, unless forced; a dry run sends nothing', async () => {
      const failing = [
        { from: 'dev:0', to: 'dev:1', amount: 1 },
        { from: 'dev:5', contract: contract(), method: 'transfer', args: { to: 'dev:1', amount: 10 } },
      ];
      const refused = await bundle(failing);
      assert.equal(refused.code, 1);
      assert.match(
        refused.err,
        /^heddle: transaction 2 of 2 \(Token\.transfer\): .*InsufficientBalance.*nothing was sent.*--force/,
      );
      const dry = await bundle(failing, '--dry-run');
      assert.equal(dry.code, 1);
      assert.match(dry.out, /^1 +success, needs [\d,]+ gas$/m);
      assert.match(dry.out, /^2 +reverted: InsufficientBalance/m);
      const { nonce } = await nextNonce(devAccount(0).address);
      const good = await bundle(failing.slice(0, 1), '--dry-run', '--json');
      assert.equal(good.code, 0);
      assert.equal((JSON.parse(good.out) as { atomic_success: boolean }).atomic_success, true);
      assert.equal((await nextNonce(devAccount(0).address)).nonce, nonce, 'nothing was sent');
      const forced = await bundle(failing, '--force');
      assert.equal(forced.code, 1);
      assert.match(forced.err, /left the pool/);
    });

    const WRONG: [what: string, content: unknown, message: RegExp][] = [
      ['no JSON', '{', /bundle\.json: .*JSON/],
      ['no list', {}, /expected a list of transactions/],
      ['an empty list', [], /expected a list of transactions/],
      ['a number', [5], /transaction 1: expected an object, got 5/],
      ['an unknown member', [{ too: 'dev:1' }], /transaction 1: unknown member "too"/],
      ['no kind', [{ from: 'dev:0' }], /transaction 1: expected a member to, contract or action/],
      [
        'two kinds',
        [{ from: 'dev:0', to: 'dev:1', contract: 'dev:2' }],
        /expected a member to, contract or action/,
      ],
      [
        'mixed members',
        [{ from: 'dev:0', to: 'dev:1', amount: 1, value: 2 }],
        /value cannot be combined with to/,
      ],
      ['no sender', [{ to: 'dev:1', amount: 1 }], /transaction 1: no sender/],
      ['no such key', [{ from: 'nobody.json', to: 'dev:1', amount: 1 }], /transaction 1: .*nobody\.json/],
      [
        'a wrong address',
        [{ from: 'dev:0', to: '0x12', amount: 1 }],
        /transaction 1: to: expected an address/,
      ],
      ['a wrong amount', [{ from: 'dev:0', to: 'dev:1', amount: '1.5' }], /amount: expected a whole amount/],
      ['a wrong lane', [{ from: 'dev:0', lane: 2 ** 32, to: 'dev:1', amount: 1 }], /lane: expected at most/],
      [
        'a wrong action',
        [{ from: 'dev:0', action: { type: 'pay' } }],
        /transaction 1: action\.type: expected one of/,
      ],
      ['no method', [{ from: 'dev:0', contract: 'dev:1' }], /expected text as method, got nothing/],
    ];
    for (const [what, content, message] of WRONG) {
      it(`refuses a file with ${what}`, async () => {
        const { code, err, out } = await bundle(content);
        assert.equal(code, 2, err);
        assert.match(err, message);
        assert.equal(out, '');
      });
    }
  });

  async function nextNonce(address: Uint8Array): Promise<{ readonly nonce: bigint | undefined }> {
    const { lanes } = await client.account({ address });
    return { nonce: lanes[0]?.next_nonce };
  }
});
