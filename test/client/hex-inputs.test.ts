// Hex text in place of bytes, in every input of the client. The fake node reads parameters with the strict codecs.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { actionBytes } from '../../src/client/action-bytes.js';
import { type Client, ClientError, connect, devAccount } from '../../src/client/client.js';
import { rpcMethods } from '../../src/ledger/rpc-codecs.js';
import { hex, text } from '../support/hex.js';
import { FakeNode, FakeRpcError } from '../support/nodes/fake-node.js';

const ADDRESS = Uint8Array.from({ length: 20 }, (_, i) => 200 + i);
const HASH = Uint8Array.from({ length: 32 }, (_, i) => 160 + i);
const INPUT = Uint8Array.from([1, 254]);

describe('hex text in place of bytes', () => {
  let node: FakeNode;
  let client: Client;
  /** The parameters that the node has read, by method. */
  let seen: [method: string, params: unknown][] = [];

  beforeEach(async () => {
    seen = [];
    const note = (method: string) => (params: unknown) => {
      seen.push([method, params]);
      throw new FakeRpcError(-32000, 'seen');
    };
    node = await FakeNode.start({
      account: note('account'),
      accounts: note('accounts'),
      tx_receipt: note('tx_receipt'),
      view_call: note('view_call'),
      get_logs: note('get_logs'),
      tx_submit_bundle: note('tx_submit_bundle'),
      tx_simulate_pipeline: note('tx_simulate_pipeline'),
    });
    client = connect(node.url, { retry: { retries: 0 } });
  });
  afterEach(async () => {
    await client.close();
    await node.stop();
  });

  async function refusal(work: () => Promise<unknown>): Promise<ClientError> {
    try {
      await work();
    } catch (error) {
      assert.ok(error instanceof ClientError, String(error));
      return error;
    }
    return assert.fail('expected a refusal');
  }

  describe('a raw method', () => {
    const forms: [what: string, form: (bytes: Uint8Array) => string][] = [
      ['with 0x', text],
      ['without 0x', hex],
      ['in upper case', (bytes) => `0x${hex(bytes).toUpperCase()}`],
    ];
    for (const [what, form] of forms) {
      it(`takes addresses and hashes ${what}, also nested ones`, async () => {
        await assert.rejects(client.account({ address: form(ADDRESS) }));
        await assert.rejects(client.accounts({ addresses: [form(ADDRESS), ADDRESS] }));
        await assert.rejects(client.tx_receipt({ tx_hash: form(HASH) }));
        await assert.rejects(client.get_logs({ contract: form(ADDRESS), topics: [[form(HASH)], []] }));
        await assert.rejects(
          client.call('view_call', {
            contract: form(ADDRESS),
            input: text(INPUT),
            at: { type: 'hash', value: form(HASH) },
            args: { owner: 'ab' },
          }),
        );
        assert.deepEqual(seen, [
          ['account', { address: ADDRESS }],
          ['accounts', { addresses: [ADDRESS, ADDRESS] }],
          ['tx_receipt', { tx_hash: HASH }],
          ['get_logs', { contract: ADDRESS, topics: [[HASH], []] }],
          [
            'view_call',
            { contract: ADDRESS, input: INPUT, at: { type: 'hash', value: HASH }, args: { owner: 'ab' } },
          ],
        ]);
      });
    }

    const wrong: [path: string, call: () => Promise<unknown>][] = [
      ['params.address', () => client.account({ address: '0x12' })],
      ['params.address', () => client.account({ address: 'g'.repeat(40) })],
      ['params.address', () => client.account({ address: `0x${'ab'.repeat(21)}` })],
      ['params.addresses[1]', () => client.accounts({ addresses: [ADDRESS, ''] })],
      ['params.tx_hash', () => client.tx_receipt({ tx_hash: hex(ADDRESS) })],
      ['params.topics[0][1]', () => client.get_logs({ topics: [[HASH, 'Transfer']] })],
      ['params.at.hash', () => client.view_call({ contract: ADDRESS, at: { type: 'hash', value: '1' } })],
      ['params.transactions[0]', () => client.tx_submit_bundle({ transactions: ['ab'] })],
      ['params.transactions[0]', () => client.tx_submit_bundle({ transactions: ['0xabc'] })],
    ];
    for (const [path, call] of wrong) {
      it(`refuses wrong text and names ${path}`, async () => {
        const { code, message } = await refusal(call);
        assert.equal(code, 'bad_argument');
        assert.ok(message.includes(`${path}: expected`), message);
        assert.deepEqual(seen, []);
      });
    }

    it('refuses other values in place of bytes', async () => {
      for (const address of [5, null, ['ab'], {}, new Uint8Array(19)]) {
        assert.equal(
          (await refusal(() => client.account({ address: address as string }))).code,
          'bad_argument',
        );
      }
    });
  });

  describe('hex text in parameters', () => {
    it('encodes to the JSON of the same bytes', async () => {
      const codec = rpcMethods.get('get_logs') ?? assert.fail();
      await fc.assert(
        fc.asyncProperty(
          fc.uint8Array({ minLength: 20, maxLength: 20 }),
          fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 3 }),
          async (contract, topics) => {
            node.requests.length = 0;
            await assert.rejects(client.get_logs({ contract: hex(contract), topics: [topics.map(text)] }));
            const [request = assert.fail()] = node.requests;
            const { params } = request.body as { params: unknown };
            assert.equal(JSON.stringify(params), codec.encodeParams({ contract, topics: [topics] }));
          },
        ),
        { numRuns: 20 },
      );
    });

    it('is refused by the codecs of servers', () => {
      const codec = rpcMethods.get('account') ?? assert.fail();
      assert.throws(() => codec.encodeParams({ address: text(ADDRESS) }), { name: 'JsonEncodeError' });
      assert.throws(() => codec.decodeParams({ address: hex(ADDRESS) }), { name: 'JsonDecodeError' });
    });
  });

  describe('the other inputs', () => {
    it('waitForReceipt takes text and refuses what is not a hash', async () => {
      await assert.rejects(client.waitForReceipt(hex(HASH)));
      assert.deepEqual(seen, [['tx_receipt', { tx_hash: HASH }]]);
      const { code, message } = await refusal(() => client.waitForReceipt('0x12'));
      assert.equal(code, 'bad_hash');
      assert.match(message, /^hash: expected a hash .* got "0x12"$/);
      assert.equal((await refusal(() => client.waitForReceipt(ADDRESS))).code, 'bad_hash');
    });

    it('transfer, contract and view name a wrong address', async () => {
      const alice = client.sender(devAccount(0));
      const wrong = await refusal(() => alice.transfer({ to: 'bob', amount: 1n }));
      assert.equal(wrong.code, 'bad_address');
      assert.match(wrong.message, /^to: expected an address/);
      assert.throws(() => client.contract('0x12'), { code: 'bad_address', message: /^address: / });
      assert.throws(() => client.contract(HASH), { code: 'bad_address' });
      const idl = 'contract C { view v() -> u8; }';
      const contract = client.contract(hex(ADDRESS), { idl });
      assert.deepEqual(contract.address, ADDRESS);
      const caller = await refusal(() => contract.view('v', {}, { caller: '0x' }));
      assert.match(caller.message, /^caller: expected an address/);
      await assert.rejects(
        contract.view('v', {}, { caller: text(ADDRESS), at: { type: 'hash', value: hex(HASH) } }),
      );
      const [[, params] = []] = seen;
      const { caller: from, at } = params as { caller: Uint8Array; at: unknown };
      assert.deepEqual([from, at], [ADDRESS, { type: 'hash', value: HASH }]);
    });

    it('an action may hold text wherever it has bytes', () => {
      const actions = [
        [
          { type: 'transfer', value: { to: text(ADDRESS), amount: 5n } },
          { type: 'transfer', value: { to: ADDRESS, amount: 5n } },
        ],
        [
          { type: 'batch', value: [{ contract: hex(ADDRESS), input: text(INPUT), value: 2n ** 100n }] },
          { type: 'batch', value: [{ contract: ADDRESS, input: INPUT, value: 2n ** 100n }] },
        ],
        [
          {
            type: 'deploy',
            value: {
              vm: { type: 'wasm' },
              code: text(INPUT),
              abi_version: 1,
              upgrade_policy: { type: 'admin', value: hex(ADDRESS) },
              input: '0x',
              value: 0n,
            },
          },
          {
            type: 'deploy',
            value: {
              vm: { type: 'wasm' },
              code: INPUT,
              abi_version: 1,
              upgrade_policy: { type: 'admin', value: ADDRESS },
              input: new Uint8Array(0),
              value: 0n,
            },
          },
        ],
      ] as const;
      for (const [given, bytes] of actions) {
        assert.deepEqual(actionBytes(given), bytes);
        assert.equal(actionBytes(bytes), bytes, 'bytes alone are not copied');
      }
      assert.throws(() => actionBytes({ type: 'transfer', value: { to: '0x1', amount: 5n } }), {
        code: 'bad_argument',
        message: /^action\.transfer\.to: expected 20 bytes/,
      });
    });
  });
});
