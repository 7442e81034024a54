import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { devAccount, formatAddress } from '../../src/client/client.js';
import type { Crypto } from '../../src/crypto/crypto.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { heddle } from '../support/nodes/command-line.js';
import { FakeNode, rejected } from '../support/nodes/fake-node.js';
import { removeDirectory, temporaryDirectory } from '../support/temporary-directory.js';
import { FakeChain } from '../support/worlds/fake-chain.js';

describe('with a node that the test plays', () => {
  const directory = temporaryDirectory();
  after(() => removeDirectory(directory));
  const TO = `0x${'5f'.repeat(20)}`;

  let crypto: Crypto;
  let chain: FakeChain;
  let node: FakeNode;

  before(async () => {
    crypto = await loadCrypto('off');
  });
  beforeEach(async () => {
    chain = new FakeChain(crypto);
    chain.balance = 10n ** 24n;
    node = await FakeNode.start(chain.handlers());
  });
  afterEach(() => node.stop());

  function send(...args: string[]) {
    return heddle(['send', '--url', node.url, '--to', TO, ...args]);
  }

  describe('heddle send', () => {
    it('sends from a development account and shows the outcome', async () => {
      const { code, out, err } = await send('--amount', '1e18', '--from-dev', '2');
      assert.equal(err, '');
      assert.equal(code, 0);
      const [taken] = chain.taken;
      assert.deepEqual(taken?.signed.transaction.action.value, {
        to: new Uint8Array(20).fill(0x5f),
        amount: 10n ** 18n,
      });
      assert.match(out, new RegExp(`^transaction +${taken?.hashHex}$`, 'm'));
      assert.match(
        out,
        new RegExp(`^from +${formatAddress(devAccount(2).address)} \\(lane 0, nonce 0\\)$`, 'm'),
      );
      assert.match(out, /^amount +1,000,000,000,000,000,000$/m);
      assert.match(out, /^status +success, final$/m);
      assert.match(out, /^block +1 \(index 0\)$/m);
      assert.match(out, /^fee +100,000$/m);
    });

    it('sends from a key file, and warns when others can read it', async () => {
      const key = join(directory, 'key.json');
      await heddle(['keys', 'new', '--scheme', 'secp256k1', '--out', key]);
      assert.equal((await send('--amount', '1', '--key', key)).err, '');
      chmodSync(key, 0o644);
      const { code, err } = await send('--amount', '1', '--key', key);
      assert.equal(code, 0);
      assert.match(err, /^warning: .*can be read by others \(mode 0644\); run: chmod 600/);
      assert.equal(chain.taken[0]?.signed.signature.type, 'secp256k1');
    });

    it('refuses what would fail, unless forced', async () => {
      chain.simulatedStatus = { type: 'invalid', value: 'too little balance' };
      const refused = await send('--amount', '1', '--from-dev', '0');
      assert.deepEqual([refused.code, refused.out], [1, '']);
      assert.match(
        refused.err,
        /^heddle: it would fail: invalid: too little balance; nothing was sent \(use --force/,
      );
      assert.equal(chain.taken.length, 0);
      assert.equal((await send('--amount', '1', '--from-dev', '0', '--force')).code, 0);
      assert.equal(chain.taken.length, 1);
    });

    it('simulates with --dry-run, and sends nothing', async () => {
      const { code, out } = await send('--amount', '1', '--from-dev', '0', '--dry-run');
      assert.equal(code, 0);
      assert.match(out, /^gas used +20,000, at least 40,000 as the limit$/m);
      const json = await send('--amount', '1', '--from-dev', '0', '--dry-run', '--json');
      assert.equal(JSON.parse(json.out).gas_estimate, 40_000);
      const sealed = await send('--amount', '1', '--from-dev', '0', '--dry-run', '--sealed');
      assert.equal(sealed.code, 2);
      assert.match(sealed.err, /--dry-run shows the node what --sealed hides/);
      assert.equal(chain.taken.length, 0);
    });

    it('prints JSON with --json', async () => {
      const { out } = await send('--amount', '1', '--from-dev', '0', '--json');
      const sent = JSON.parse(out);
      assert.equal(sent.tx_hash, chain.taken[0]?.hashHex);
      assert.deepEqual([sent.lane, sent.nonce, sent.status.type], [0, 0, 'included']);
      assert.equal(sent.receipt.height, 1);
    });

    it('passes on every option', async () => {
      const flags = [
        '--lane',
        '2',
        '--nonce',
        '0',
        '--priority-fee',
        '3',
        '--max-fee',
        '99',
        '--gas-limit',
        '45678',
      ];
      const { code, out } = await send(
        '--amount',
        '1',
        '--from-dev',
        '0',
        '--wait',
        'none',
        '--valid-until',
        '9',
        ...flags,
      );
      assert.equal(code, 0);
      assert.match(out, /^status +pending$/m);
      const transaction = chain.taken[0]?.signed.transaction;
      assert.equal(transaction?.lane, 2);
      assert.equal(transaction?.priority_fee, 3n);
      assert.equal(transaction?.max_fee, 99n);
      assert.equal(transaction?.gas_limit, 45_678n);
      assert.equal(transaction?.valid_until, 9n);
    });

    it('finds the node through HEDDLE_URL', async () => {
      const args = ['send', '--to', TO, '--amount', '1', '--from-dev', '0'];
      assert.equal((await heddle(args, { HEDDLE_URL: node.url })).code, 0);
    });

    it('ends with code 1 and the reason of a rejection', async () => {
      chain.admission = () => {
        throw rejected('insufficient_balance');
      };
      const { code, out, err } = await send('--amount', '1', '--from-dev', '0');
      assert.equal(code, 1);
      assert.equal(out, '');
      assert.match(err, /^heddle: rejected \(insufficient_balance\): /);
    });

    it('ends with code 1 and the hash of a transaction that is not included in time', async () => {
      const submit = node.handlers.tx_submit;
      node.handlers.tx_submit = ({ wait: _wait, ...params }) => {
        assert.ok(submit);
        return submit(params);
      };
      const { code, err } = await send('--amount', '1', '--from-dev', '0', '--wait-ms', '100');
      assert.equal(code, 1);
      assert.match(err, new RegExp(`transaction ${chain.taken[0]?.hashHex} was taken, but is in no block`));
    });
  });

  describe('heddle status', () => {
    beforeEach(() => {
      const zero = { p50: 1, p90: 2, p99: 3 };
      node.handlers.validator_status = () => ({
        role: { type: 'dev' },
        dkg: { state: { type: 'idle' }, epoch: 0n, dealers_expected: 0, dealings_received: 0, complaints: 0 },
        sync: {
          state: { type: 'synced' },
          tip_height: 0n,
          finalized_height: 0n,
          best_known_height: 0n,
          tip_age_ms: 0n,
        },
        peers: [],
        pending_changes: [],
        consensus: {
          epoch: 0n,
          view: 0n,
          leader: 0,
          proposals: 0n,
          notarizations: 0n,
          nullifications: 0n,
          finalizations: 0n,
          timeouts: 0n,
          equivocations_seen: 0n,
          finality_latency_ms: zero,
          block_interval_ms: zero,
        },
      });
      node.handlers.list_blocks = () => ({ blocks: [] });
    });

    it('shows one screen with --once', async () => {
      const { code, out } = await heddle(['status', '--once', '--url', node.url]);
      assert.equal(code, 0);
      for (const name of ['height', 'tip', 'finalized', 'tx/s', 'block fill', 'pool', 'validator']) {
        assert.match(out, new RegExp(`^${name} `, 'm'));
      }
      assert.match(out, /chain 77/);
      assert.ok(!out.includes('\u001b'), 'no control characters on a pipe');
      assert.equal(node.requests.length, 1, 'one batch asks for everything');
    });

    it('prints the node’s own answers with --once --json', async () => {
      const { out } = await heddle(['status', '--once', '--json', '--url', node.url]);
      const answer = JSON.parse(out) as {
        status: { chain_id: number };
        txpool: { capacity: number };
        validator: object;
      };
      assert.equal(answer.status.chain_id, 77);
      assert.equal(answer.txpool.capacity, 100);
      assert.ok('role' in answer.validator);
    });
  });
});
