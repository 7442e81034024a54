// The interface document and its clarifications, rule by rule, on a real node.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { hex } from '../outside/bytes.js';
import { transactionHash } from '../outside/ledger-shapes.js';
import { type HttpAnswer, RpcClient, RpcFailure } from '../outside/rpc.js';
import {
  Account,
  AccountsResult,
  GetBlockSummariesResult,
  GetBlocksResult,
  GetTxsInRangeResult,
  HealthResult,
  ListBlocksResult,
  ListPendingTxsResult,
  ListTxsResult,
  ReadinessResult,
  Status,
  TxBuildResult,
  TxByHashResult,
  TxpoolStats,
  TxReceiptResult,
  TxSubmitResult,
  ValidatorStatus,
} from '../outside/rpc-shapes.js';
import { drained, nodeStatus } from '../outside/traffic.js';
import {
  devWallet,
  type SentTransaction,
  signTransaction,
  type TransactionFields,
  transfer,
} from '../outside/wallet.js';
import { NODE_MODE } from '../support/native-modes.js';
import { NodeProcess } from '../support/nodes/node-process.js';

const ZERO_HASH = '00'.repeat(32);
const NOBODY = `0x${'77'.repeat(20)}`;

interface ErrorBody {
  readonly jsonrpc?: string;
  readonly id?: unknown;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
  readonly result?: unknown;
}

function json(answer: HttpAnswer): ErrorBody {
  return JSON.parse(answer.body.toString()) as ErrorBody;
}

function assertError(answer: HttpAnswer, status: number, code: number, kind: string): void {
  const { error } = json(answer);
  assert.equal(error?.code, code, answer.body.toString());
  assert.equal(error?.data['kind'], kind);
  assert.equal(typeof error?.data['retryable'], 'boolean');
  assert.ok((error?.message.length ?? 0) > 5, 'a message for a person');
  assert.equal(answer.status, status, answer.body.toString());
}

describe(`the interface with --native ${NODE_MODE}`, () => {
  let node: NodeProcess;
  let rpc: RpcClient;
  let chainId: bigint;
  const wallet = devWallet(0);
  const address = `0x${hex(wallet.address)}`;

  before(async () => {
    node = await NodeProcess.start({ flags: ['--native', NODE_MODE, '--block-time', '50'] });
    rpc = new RpcClient(node.url);
    chainId = (await nodeStatus(rpc)).chain_id;
  });

  after(async () => {
    rpc?.close();
    await node?.dispose();
  });

  async function failure(method: string, params: unknown): Promise<RpcFailure> {
    try {
      const result = await rpc.call(method, params);
      return assert.fail(`${method} answered ${JSON.stringify(result)}`);
    } catch (error) {
      if (error instanceof RpcFailure) return error;
      throw error;
    }
  }

  const signed = (
    fields: Partial<TransactionFields> & Pick<TransactionFields, 'nonce'>,
    from = wallet,
  ): SentTransaction => signTransaction(from, { chainId, action: transfer(from.address, 1n), ...fields });

  describe('discovery', () => {
    for (const [path, type] of [
      ['/v2/rpc/idl', 'text/plain'],
      ['/v2/rpc/manifest', 'application/json'],
    ] as const) {
      test(`GET ${path} answers ${type} with an ETag, compressed if the client accepts gzip`, async () => {
        const plain = await rpc.http({ path });
        assert.equal(plain.status, 200);
        assert.ok(plain.headers['content-type']?.startsWith(type), plain.headers['content-type']);
        assert.equal(plain.headers['content-encoding'], undefined);
        const etag = plain.headers.etag ?? '';
        assert.match(etag, /^"[^"]+"$/);
        const known = await rpc.http({ path, headers: { 'if-none-match': etag } });
        assert.equal(known.status, 304);
        assert.equal(known.body.length, 0);
        const other = await rpc.http({ path, headers: { 'if-none-match': '"another"' } });
        assert.equal(other.status, 200);
        const packed = await rpc.http({ path, headers: { 'accept-encoding': 'gzip' } });
        assert.equal(packed.headers['content-encoding'], 'gzip');
        assert.deepEqual(gunzipSync(packed.body), plain.body);
        assert.ok(packed.body.length < plain.body.length);
      });
    }

    test('the definition declares the interface, and the manifest contains every declaration', async () => {
      const idl = (await rpc.http({ path: '/v2/rpc/idl' })).body.toString();
      assert.match(idl, /interface NodeRpcV1 \{/);
      const manifest = (await rpc.http({ path: '/v2/rpc/manifest' })).body.toString();
      const parsed = JSON.parse(manifest) as Readonly<Record<string, unknown>>;
      assert.ok(typeof parsed['limits'] === 'object', 'limits');
      const names = [...idl.matchAll(/^\s*(?:method|struct|enum)\s+(\w+)/gm)].map((match) => match[1] ?? '');
      assert.ok(names.length > 60);
      for (const name of names) assert.ok(manifest.includes(`"${name}"`), `${name} is not in the manifest`);
    });
  });

  describe('probes', () => {
    test('GET /health and /ready answer the JSON of their methods, /metrics Prometheus text', async () => {
      const health = await rpc.http({ path: '/health' });
      assert.equal(health.status, 200);
      HealthResult.fromJson(JSON.parse(health.body.toString()), 'health');
      const ready = await rpc.http({ path: '/ready' });
      assert.equal(ready.status, 200);
      ReadinessResult.fromJson(JSON.parse(ready.body.toString()), 'ready');
      const metrics = await rpc.http({ path: '/metrics' });
      assert.equal(metrics.status, 200);
      assert.ok(metrics.headers['content-type']?.startsWith('text/plain'));
      assert.match(metrics.body.toString(), /^# HELP heddle_/m);
    });
  });

  describe('transport', () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'status', params: {} });

    test('unknown paths, wrong verbs and wrong content types have their statuses', async () => {
      assert.equal((await rpc.http({ path: '/v2/rpc/nothing' })).status, 404);
      assert.equal((await rpc.http({ path: '/v1/rpc', method: 'POST', body })).status, 404);
      const verb = await rpc.http({ path: '/v2/rpc', method: 'GET' });
      assert.equal(verb.status, 405);
      assert.match(verb.headers.allow ?? '', /POST/);
      assert.equal((await rpc.http({ path: '/v2/rpc', method: 'DELETE' })).status, 405);
      const posted = await rpc.http({ path: '/v2/rpc/idl', method: 'POST', body });
      assert.equal(posted.status, 405);
      assert.match(posted.headers.allow ?? '', /GET/);
      assert.equal((await rpc.post(body, { 'content-type': 'text/plain' })).status, 415);
      assert.equal((await rpc.post(body, { 'content-type': 'application/json; charset=utf-8' })).status, 200);
      assert.equal((await rpc.post(body, { 'content-type': 'Application/JSON' })).status, 200);
    });

    test('a body over 4 MiB gets 413, one just under it is read', async () => {
      const padded = (length: number): string =>
        body.slice(0, -1) + ' '.repeat(length - body.length) + body.slice(-1);
      assert.equal((await rpc.post(padded(4 * 1024 * 1024))).status, 200);
      const over = await rpc
        .post(padded(4 * 1024 * 1024 + 1))
        .catch((error: NodeJS.ErrnoException) => error.code);
      // A server may close before reading a refused body; the client then sees the connection end.
      assert.ok(
        typeof over === 'string' ? /ECONNRESET|EPIPE/.test(over) : over?.status === 413,
        String(over),
      );
      await nodeStatus(rpc);
    });

    test('answers are application/json, and no cross-origin access is granted unasked', async () => {
      const answer = await rpc.post(body, { origin: 'https://example.org' });
      assert.ok(answer.headers['content-type']?.startsWith('application/json'));
      assert.equal(answer.headers['access-control-allow-origin'], undefined);
    });
  });

  describe('JSON-RPC', () => {
    test('methods answer to their qualified and to their plain names, and to no other', async () => {
      Status.fromJson(await rpc.call('NodeRpcV1.status'), 'status');
      Status.fromJson(await rpc.call('status'), 'status');
      for (const name of [
        'Status',
        'noderpcv1.status',
        'Other.status',
        'NodeRpcV1.',
        '',
        'toString',
        '__proto__',
      ]) {
        const error = await failure(name, {});
        assert.equal(error.code, -32601, name);
        assert.equal(error.data.kind, 'method_not_found');
      }
    });

    test('params may be omitted for methods without parameters', async () => {
      const answer = await rpc.post('{"jsonrpc":"2.0","id":1,"method":"status"}');
      Status.fromJson(json(answer).result, 'status');
    });

    test('positional params are refused with a hint to use names', async () => {
      const error = await failure('account', [address]);
      assert.equal(error.code, -32602);
      assert.match(error.message, /name/i);
    });

    test('ids are returned unchanged', async () => {
      for (const id of [
        '1',
        '-7',
        '0',
        '"x"',
        '""',
        'null',
        '1.5',
        '12345678901234567890',
        '1e3',
        '"\\u00e9\\"\\n"',
      ]) {
        const answer = await rpc.post(`{"jsonrpc":"2.0","id":${id},"method":"health","params":{}}`);
        const text = answer.body.toString();
        assert.equal(answer.status, 200, id);
        const echoed = /"id":("(?:[^"\\]|\\.)*"|[^,}]+)/.exec(text)?.[1] ?? '';
        if (id.startsWith('"')) assert.equal(JSON.parse(echoed), JSON.parse(id));
        else assert.equal(echoed, id);
      }
    });

    test('parse errors and invalid requests get 400 and id null', async () => {
      for (const text of [
        '',
        '{',
        '{"jsonrpc":"2.0","id":1,"method":"status"',
        'nonsense',
        '[1,',
        '\u0000',
      ]) {
        const answer = await rpc.post(text);
        assertError(answer, 400, -32700, 'parse_error');
        assert.equal(json(answer).id, null);
      }
      const invalidUtf8 = Buffer.concat([
        Buffer.from('{"jsonrpc":"2.0","id":"'),
        Buffer.of(0xff),
        Buffer.from('"}'),
      ]);
      assertError(await rpc.post(invalidUtf8), 400, -32700, 'parse_error');
      const invalid = [
        '1',
        'null',
        '"status"',
        '[]',
        '{}',
        '{"id":1,"method":"status"}',
        '{"jsonrpc":"1.0","id":1,"method":"status"}',
        '{"jsonrpc":"2.0","id":1}',
        '{"jsonrpc":"2.0","id":1,"method":5}',
        '{"jsonrpc":"2.0","id":{},"method":"status"}',
        '{"jsonrpc":"2.0","id":true,"method":"status"}',
        '{"jsonrpc":"2.0","id":1,"method":"status","params":"x"}',
      ];
      for (const text of invalid) assertError(await rpc.post(text), 400, -32600, 'invalid_request');
    });

    test('notifications are not answered', async () => {
      for (const text of [
        '{"jsonrpc":"2.0","method":"status","params":{}}',
        '{"jsonrpc":"2.0","method":"no_such_method","params":{}}',
        '[{"jsonrpc":"2.0","method":"status"},{"jsonrpc":"2.0","method":"health","params":[]}]',
      ]) {
        const answer = await rpc.post(text);
        assert.equal(answer.status, 204, text);
        assert.equal(answer.body.length, 0);
      }
    });

    test('a batch answers every call that has an id, good or bad', async () => {
      const answer = await rpc.post(
        JSON.stringify([
          { jsonrpc: '2.0', id: 1, method: 'status', params: {} },
          { jsonrpc: '2.0', method: 'status', params: {} },
          1,
          { jsonrpc: '2.0', id: 'two', method: 'nothing' },
          { jsonrpc: '2.0', id: 3, method: 'account', params: {} },
        ]),
      );
      assert.equal(answer.status, 200);
      const entries = JSON.parse(answer.body.toString()) as readonly ErrorBody[];
      assert.equal(entries.length, 4);
      const code = (id: unknown): number | undefined => entries.find((entry) => entry.id === id)?.error?.code;
      assert.equal(code(1), undefined);
      assert.equal(code(null), -32600);
      assert.equal(code('two'), -32601);
      assert.equal(code(3), -32602);
    });

    test('a batch holds at most 200 entries', async () => {
      const batch = (count: number): string =>
        JSON.stringify(Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'health' })));
      const full = JSON.parse((await rpc.post(batch(200))).body.toString()) as readonly ErrorBody[];
      assert.equal(full.length, 200);
      const over = await rpc.post(batch(201));
      assertError(over, 200, -32005, 'limit_exceeded');
      assert.equal(json(over).error?.data['limit'], 200);
      assert.equal(json(over).error?.data['given'], 201);
    });

    test('nesting a hundred thousand deep is an error like any other', async () => {
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      const lone = await rpc.post(deep);
      assert.ok(lone.status === 400 || lone.status === 200, String(lone.status));
      const inside = await rpc.post(
        `{"jsonrpc":"2.0","id":1,"method":"account","params":{"address":${deep}}}`,
      );
      assert.ok(json(inside).error !== undefined);
      await nodeStatus(rpc);
    });
  });

  describe('values', () => {
    test('hashes are taken with and without 0x, addresses in any case, null for absent', async () => {
      TxByHashResult.fromJson(await rpc.call('tx_by_hash', { tx_hash: ZERO_HASH }), 'tx_by_hash');
      TxByHashResult.fromJson(await rpc.call('tx_by_hash', { tx_hash: `0x${ZERO_HASH}` }), 'tx_by_hash');
      const upper = `0x${hex(wallet.address).toUpperCase()}`;
      const account = Account.fromJson(await rpc.call('account', { address: upper }), 'account');
      assert.deepEqual(account.address, wallet.address);
      ListBlocksResult.fromJson(await rpc.call('list_blocks', { limit: null, cursor: null }), 'list_blocks');
    });

    test('a struct parameter is taken bare and as args', async () => {
      const bare = ListBlocksResult.fromJson(await rpc.call('list_blocks', { limit: 1 }), 'list_blocks');
      const wrapped = ListBlocksResult.fromJson(
        await rpc.call('list_blocks', { args: { limit: 1 } }),
        'list_blocks',
      );
      assert.equal(bare.blocks.length, 1);
      assert.equal(wrapped.blocks.length, 1);
    });

    test('integers out of range, fractions and wrong types are refused with their path', async () => {
      const wrong: readonly (readonly [method: string, text: string, path: RegExp])[] = [
        ['get_blocks', '{"from_height":9007199254740993,"to_height":0}', /from_height/],
        ['get_blocks', '{"from_height":1.5,"to_height":2}', /from_height/],
        ['get_blocks', '{"from_height":-1,"to_height":2}', /from_height/],
        ['get_blocks', '{"from_height":"01","to_height":2}', /from_height/],
        ['get_blocks', '{"from_height":"18446744073709551616","to_height":2}', /from_height/],
        ['get_blocks', '{"from_height":true,"to_height":2}', /from_height/],
        ['get_blocks', '{"from_height":1}', /to_height/],
        ['list_blocks', '{"limit":4294967296}', /limit/],
        ['accounts', '{"addresses":["0x00"]}', /addresses\[0\]/],
        ['tx_by_hash', '{"tx_hash":"zz"}', /tx_hash/],
        ['tx_submit', '{"encoded":"0x1"}', /encoded/],
        ['tx_submit', '{"encoded":"0x00","wait":{"type":"forever"}}', /wait/],
      ];
      for (const [method, params, path] of wrong) {
        const answer = await rpc.post(`{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`);
        assertError(answer, 200, -32602, 'invalid_params');
        assert.match(json(answer).error?.message ?? '', path);
      }
    });
  });

  describe('the read methods', () => {
    test('every result has exactly the published members', async () => {
      Status.fromJson(await rpc.call('status'), 'status');
      HealthResult.fromJson(await rpc.call('health'), 'health');
      ReadinessResult.fromJson(await rpc.call('readiness'), 'readiness');
      ValidatorStatus.fromJson(await rpc.call('validator_status'), 'validator_status');
      TxpoolStats.fromJson(await rpc.call('txpool_stats'), 'txpool_stats');
      Account.fromJson(await rpc.call('account', { address }), 'account');
      ListBlocksResult.fromJson(await rpc.call('list_blocks'), 'list_blocks');
      ListTxsResult.fromJson(await rpc.call('list_txs'), 'list_txs');
      ListTxsResult.fromJson(await rpc.call('list_txs_by_sender', { sender: NOBODY }), 'list_txs_by_sender');
      ListPendingTxsResult.fromJson(await rpc.call('list_pending_txs'), 'list_pending_txs');
      const range = { from_height: 0, to_height: 0 };
      GetBlocksResult.fromJson(await rpc.call('get_blocks', range), 'get_blocks');
      GetBlockSummariesResult.fromJson(await rpc.call('get_block_summaries', range), 'get_block_summaries');
      GetTxsInRangeResult.fromJson(await rpc.call('get_txs_in_range', range), 'get_txs_in_range');
    });

    test('unknown objects are absent, not an error', async () => {
      const account = Account.fromJson(await rpc.call('account', { address: NOBODY }), 'account');
      assert.equal(account.exists, false);
      assert.equal(account.balance, 0n);
      const found = TxByHashResult.fromJson(
        await rpc.call('tx_by_hash', { tx_hash: ZERO_HASH }),
        'tx_by_hash',
      );
      assert.deepEqual(found, { status: { type: 'not_found', value: null }, transaction: undefined });
      const receipt = await rpc.call('tx_receipt', { tx_hash: ZERO_HASH, with_proof: true });
      assert.deepEqual(receipt, {});
    });

    test('accounts are returned in request order, duplicates included', async () => {
      const addresses = [NOBODY, address, NOBODY, `0x${hex(devWallet(3).address)}`];
      const answer = AccountsResult.fromJson(await rpc.call('accounts', { addresses }), 'accounts');
      assert.deepEqual(
        answer.accounts.map((account) => `0x${hex(account.address)}`),
        addresses,
      );
    });

    test('errors for exceeded limits state the limit', async () => {
      const many = await failure('accounts', { addresses: Array.from({ length: 1001 }, () => NOBODY) });
      assert.equal(many.code, -32005, many.message);
      assert.deepEqual([many.data['limit'], many.data['given']], [1000, 1001]);
      const page = await failure('list_blocks', { limit: 501 });
      assert.equal(page.code, -32005, page.message);
      assert.deepEqual([page.data['limit'], page.data['given']], [500, 501]);
    });

    test('a forged cursor or one of another listing is refused', async () => {
      for (const cursor of ['x', '', 'AAAA', '{}', '../..']) {
        for (const listing of ['list_txs', 'list_pending_txs']) {
          const error = await failure(listing, { cursor });
          assert.equal(error.code, -32602, `${JSON.stringify(cursor)}: ${error.message}`);
          assert.match(error.message, /params\.cursor: expected (a|the) next_cursor/);
        }
      }
    });
  });

  describe('the admin tier', () => {
    const build = { sender: address, action: { type: 'transfer', value: { to: NOBODY, amount: '5' } } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tx_build', params: build });

    test('requires a token', async () => {
      const missing = await rpc.post(body);
      assertError(missing, 401, -32001, 'unauthorized');
      assert.match(missing.headers['www-authenticate'] ?? '', /^Bearer/);
      for (const authorization of ['Bearer nonsense', 'Bearer ', 'Basic YTpi', 'Bearer a.b.c']) {
        assertError(await rpc.post(body, { authorization }), 401, -32001, 'unauthorized');
      }
    });

    test('builds a transaction with the token written at first start, ready to sign and send', async () => {
      const token = readFileSync(join(node.dataDir, 'admin.token'), 'utf8').trim();
      const admin = new RpcClient(node.url, token);
      try {
        const built = TxBuildResult.fromJson(await admin.call('tx_build', build), 'tx_build');
        assert.deepEqual(built.tx_hash, transactionHash(built.transaction));
        assert.deepEqual(built.transaction.sender, wallet.address);
        const sent = { transaction: built.transaction, signature: wallet.sign(built.tx_hash) };
        const { SignedTransaction } = await import('../outside/ledger-shapes.js');
        const params = { signed: SignedTransaction.toJson(sent), wait: { type: 'included' } };
        const result = TxSubmitResult.fromJson(await rpc.call('tx_submit', params), 'tx_submit');
        assert.equal(result.status.type, 'included');
        assert.equal(result.receipt?.status.type, 'success');
        const expensive = { ...build, priority_fee: (2n ** 128n - 1n).toString() };
        const capped = TxBuildResult.fromJson(await admin.call('tx_build', expensive), 'tx_build');
        assert.equal(capped.transaction.max_fee, 2n ** 128n - 1n);
      } finally {
        admin.close();
      }
    });
  });

  describe('tx_submit', () => {
    async function rejected(sent: SentTransaction, reason: string): Promise<void> {
      const error = await failure('tx_submit', { encoded: sent.encoded });
      assert.equal(error.code, -32010, `${reason}: ${error.message}`);
      assert.equal(error.data.kind, 'transaction_rejected');
      assert.equal(error.data['reason'], reason, error.message);
    }

    test('every rejection reason has its own error', async () => {
      const other = devWallet(5);
      const next = { nonce: 0n };
      const good = signed(next, other);
      const { signature } = good.signed;
      const forged = { ...good.signed, signature: devWallet(6).sign(new Uint8Array(32)) };
      const { SignedTransaction } = await import('../outside/ledger-shapes.js');
      const { encode } = await import('../outside/shapes.js');
      assert.equal(signature.type, 'ed25519');
      await rejected({ ...good, encoded: `0x${hex(encode(SignedTransaction, forged))}` }, 'bad_signature');
      await rejected(signed({ ...next, chainId: chainId + 1n }, other), 'wrong_chain');
      await rejected(signed({ nonce: 100_000n }, other), 'nonce_gap_too_large');
      await rejected(
        signed({ ...next, action: transfer(wallet.address, 2n ** 127n) }, other),
        'insufficient_balance',
      );
      await rejected(signed({ ...next, maxFee: 0n }, other), 'fee_too_low');
      await rejected(signed({ ...next, gasLimit: 1n }, other), 'gas_limit_too_low');
      await rejected(signed({ ...next, gasLimit: 2n ** 50n, maxFee: 1n }, other), 'gas_limit_too_high');
      await rejected(signed({ ...next, validUntil: 0n }, other), 'expired');
      await rpc.call('tx_submit', { encoded: good.encoded, wait: { type: 'included' } });
      await rejected(signed({ nonce: 0n, priorityFee: 1n }, other), 'nonce_too_low');
      const waiting = signed({ nonce: 9n, maxFee: 1000n, priorityFee: 100n }, other);
      await rpc.call('tx_submit', { encoded: waiting.encoded });
      await rejected(waiting, 'already_known');
      await rejected(
        signed({ nonce: 9n, maxFee: 1099n, priorityFee: 110n }, other),
        'replacement_underpriced',
      );
      await rejected(
        signed({ nonce: 9n, maxFee: 1100n, priorityFee: 109n }, other),
        'replacement_underpriced',
      );
      const replacement = signed({ nonce: 9n, maxFee: 1100n, priorityFee: 110n }, other);
      await rpc.call('tx_submit', { encoded: replacement.encoded });
      const replaced = TxByHashResult.fromJson(
        await rpc.call('tx_by_hash', { tx_hash: waiting.hash }),
        'tx_by_hash',
      );
      assert.equal(replaced.status.type, 'rejected');
    });

    test('an oversized transaction is too large', async () => {
      const code = new Uint8Array(600 * 1024);
      const big = signed({
        nonce: 0n,
        lane: 15,
        gasLimit: 20_000_000n,
        maxFee: 100n,
        action: { type: 'call', value: { contract: wallet.address, input: code, value: 0n } },
      });
      await rejected(big, 'too_large');
    });

    test('numbers beyond the exact range of JSON are returned as digits', async () => {
      const greatest = 2n ** 64n - 1n;
      const sent = signed({ nonce: 0n, lane: 13, validUntil: greatest });
      await rpc.call('tx_submit', { encoded: sent.encoded, wait: { type: 'included' } });
      const answer = (await rpc.call('tx_by_hash', { tx_hash: sent.hash })) as {
        transaction: { transaction: { valid_until: unknown } };
      };
      assert.equal(answer.transaction.transaction.valid_until, `${greatest}`);
      TxByHashResult.fromJson(answer, 'tx_by_hash');
      const { tip } = await nodeStatus(rpc);
      const range = { from_height: '0', to_height: `${tip.height}` };
      GetBlocksResult.fromJson(await rpc.call('get_blocks', range), 'get_blocks');
    });

    test('bytes that are not a transaction are invalid params', async () => {
      const { encoded } = signed({ nonce: 0n, lane: 14 });
      for (const wrong of ['0x', '0x00', `${encoded}00`, encoded.slice(0, -2)]) {
        const error = await failure('tx_submit', { encoded: wrong });
        assert.equal(error.code, -32602, error.message);
        assert.match(error.message, /encoded/);
      }
      const both = await failure('tx_submit', {});
      assert.equal(both.code, -32602);
    });

    test('a wait ends with the receipt, or at the timeout with the current status', async () => {
      const included = signed({ nonce: 0n, lane: 3 });
      const result = TxSubmitResult.fromJson(
        await rpc.call('tx_submit', {
          encoded: included.encoded,
          wait: { type: 'finalized', value: null },
        }),
        'tx_submit',
      );
      assert.equal(result.status.type, 'included');
      assert.equal(result.receipt?.finalized, true);
      const gapped = signed({ nonce: 5n, lane: 3 });
      const begin = Date.now();
      const open = TxSubmitResult.fromJson(
        await rpc.call('tx_submit', {
          encoded: gapped.encoded,
          wait: { type: 'included' },
          timeout_ms: 200,
        }),
        'tx_submit',
      );
      assert.equal(open.status.type, 'pending');
      assert.equal(open.receipt, undefined);
      assert.ok(Date.now() - begin < 5_000);
      const pending = ListPendingTxsResult.fromJson(
        await rpc.call('list_pending_txs', { sender: address }),
        'list_pending_txs',
      );
      const listed = pending.transactions.find((entry) => hex(entry.tx_hash) === gapped.hash);
      assert.equal(listed?.ready, false);
      assert.equal(listed?.nonce, 5n);
      const receipt = TxReceiptResult.fromJson(
        await rpc.call('tx_receipt', { tx_hash: gapped.hash }),
        'tx_receipt',
      );
      assert.equal(receipt.receipt, undefined);
      const fill = [1n, 2n, 3n, 4n].map((nonce) => signed({ nonce, lane: 3 }));
      for (const { encoded } of fill) await rpc.call('tx_submit', { encoded });
      const late = TxSubmitResult.fromJson(
        await rpc.call('tx_submit', {
          encoded: signed({ nonce: 6n, lane: 3 }).encoded,
          wait: { type: 'included' },
        }),
        'tx_submit',
      );
      assert.equal(late.status.type, 'included');
    });
  });

  test('no call caused an internal error, and the pool ends empty except behind the gap', async () => {
    assert.doesNotMatch(node.log, /internal_error|unhandled|uncaught/i);
    const stats = TxpoolStats.fromJson(await rpc.call('txpool_stats'), 'txpool_stats');
    assert.equal(stats.gapped, 1);
    assert.equal(stats.size, 1);
    await assert.rejects(drained(rpc, 100));
  });
});
