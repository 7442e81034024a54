// The table of errors: the answer to every error that a handler can throw.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { ChainError } from '../../src/chain/chain-error.js';
import { ExecutionError } from '../../src/execution/execution-error.js';
import { CallError } from '../../src/execution/views/call-error.js';
import { JsonDecodeError } from '../../src/idl/codecs/codec-errors.js';
import { CursorError } from '../../src/ledger/queries/cursor.js';
import { PoolCursorError, TransactionError } from '../../src/mempool/errors.js';
import { ProofError } from '../../src/proofs/proof-error.js';
import {
  invalidParams,
  limitExceeded,
  RPC_ERRORS,
  RpcError,
  type RpcErrorKind,
} from '../../src/rpc/errors.js';
import { StateUnavailableError } from '../../src/storage/state.js';
import { StoreError } from '../../src/storage/store-error.js';
import { FakeRpc } from '../support/http/fake-rpc.js';

/** The table of the interface, repeated here. */
const TABLE: { readonly [K in RpcErrorKind]: readonly [code: number, status: number] } = {
  parse_error: [-32700, 400],
  invalid_request: [-32600, 400],
  method_not_found: [-32601, 200],
  invalid_params: [-32602, 200],
  internal_error: [-32603, 200],
  unauthorized: [-32001, 401],
  forbidden: [-32002, 403],
  payment_required: [-32003, 402],
  rate_limited: [-32004, 429],
  limit_exceeded: [-32005, 200],
  ambiguous_method: [-32006, 200],
  transaction_rejected: [-32010, 200],
  not_found: [-32011, 200],
  state_unavailable: [-32012, 200],
  not_ready: [-32013, 503],
  timeout: [-32014, 200],
  overloaded: [-32015, 503],
};

const internals = new Error('the password is swordfish');

const THROWN: Readonly<Record<string, readonly [thrown: unknown, kind: RpcErrorKind, data: object]>> = {
  decode: [
    new JsonDecodeError('wrong_value', 'params.a', 'address', '7'),
    'invalid_params',
    { path: 'params.a', expected: 'address', got: '7' },
  ],
  invalid: [
    invalidParams('params.to', 'more', 'less'),
    'invalid_params',
    { path: 'params.to', expected: 'more', got: 'less' },
  ],
  limit: [limitExceeded('heights', 1_000n, 5_000n), 'limit_exceeded', { limit: 1_000, given: 5_000 }],
  rejected: [
    new TransactionError('nonce_too_low', 'nonce 3 is used', { expected: 4n }),
    'transaction_rejected',
    { reason: 'nonce_too_low', expected: 4, retryable: false },
  ],
  full: [
    new TransactionError('pool_full', 'the pool is full'),
    'transaction_rejected',
    { reason: 'pool_full', retryable: true },
  ],
  fullHeight: [
    new TransactionError('pool_full', 'the height is full', {
      opens_at: 9n,
      slots: 2,
      free: 1,
      next_height: 3n,
    }),
    'transaction_rejected',
    { reason: 'pool_full', opens_at: 9, slots: 2, free: 1, next_height: 3, retryable: false },
  ],
  cursor: [new CursorError('a wrong cursor'), 'invalid_params', { path: 'params.cursor' }],
  poolCursor: [new PoolCursorError('a wrong cursor'), 'invalid_params', { path: 'params.cursor' }],
  pruned: [new StateUnavailableError(3n, 10n), 'state_unavailable', { oldest: 10 }],
  busy: [new ExecutionError('overloaded', 'too much'), 'overloaded', { retryable: true }],
  stopping: [new ExecutionError('stopped', 'stopped'), 'not_ready', { retryable: true }],
  closed: [new StoreError('closed', 'closed'), 'not_ready', { retryable: true }],
  missing: [new RpcError('not_found', 'no block 7', { height: 7n }), 'not_found', { height: 7 }],
  limited: [new RpcError('rate_limited', 'slow down', { retry_after_ms: 2_500 }), 'rate_limited', {}],
  broke: [new RpcError('payment_required', 'pay', { price: 50, left: 3 }), 'payment_required', { left: 3 }],
  late: [new RpcError('timeout', 'too long', { limit_ms: 5_000 }), 'timeout', { limit_ms: 5_000 }],
  damaged: [
    new StoreError('damaged', 'the password is swordfish'),
    'internal_error',
    { reason: 'damaged_store', retryable: false },
  ],
  damagedInAWorker: [
    new CallError({ code: 'damaged_store', message: 'the password is swordfish' }),
    'internal_error',
    { reason: 'damaged_store' },
  ],
  damagedInATask: [
    new ExecutionError('task_failed', 'swordfish', { cause: new StoreError('damaged', 'swordfish') }),
    'internal_error',
    { reason: 'damaged_store' },
  ],
  damagedTree: [
    new ProofError('damaged', 'the password is swordfish'),
    'internal_error',
    { reason: 'damaged_store' },
  ],
  missingBlock: [
    new ChainError('damaged', 'the password is swordfish'),
    'internal_error',
    { reason: 'damaged_store' },
  ],
  died: [new ExecutionError('worker_died', 'the password is swordfish'), 'internal_error', {}],
  unknown: [internals, 'internal_error', {}],
  undefined: [undefined, 'internal_error', {}],
  text: ['the password is swordfish', 'internal_error', {}],
};

describe('errors', async () => {
  const failures = Object.fromEntries(Object.entries(THROWN).map(([how, [thrown]]) => [how, thrown]));
  const rpc = await FakeRpc.create({ failures });
  after(() => rpc.dispose());

  test('have the codes and statuses of the table', () => {
    for (const [kind, row] of Object.entries(RPC_ERRORS)) {
      assert.deepEqual([row.code, row.httpStatus], TABLE[kind as RpcErrorKind], kind);
    }
    assert.equal(new Set(Object.values(RPC_ERRORS).map(({ code }) => code)).size, Object.keys(TABLE).length);
  });

  for (const [how, [, kind, data]] of Object.entries(THROWN)) {
    test(`${how}: ${kind}`, async () => {
      const answer = await rpc.call('fail', { how });
      const [code, status] = TABLE[kind];
      assert.equal(answer.status, status);
      const { error } = answer.json as {
        readonly error: { code: number; message: string; data: Record<string, unknown> };
      };
      assert.equal(error.code, code);
      assert.equal(error.data['kind'], kind);
      assert.equal(typeof error.data['retryable'], 'boolean');
      for (const [name, value] of Object.entries(data)) assert.deepEqual(error.data[name], value, name);
      assert.ok(error.message.length > 2);
      assert.ok(!answer.text.includes('swordfish'), 'internals do not leak');
    });
  }

  test('are logged under the id sent to the client, if internal', async () => {
    rpc.log.length = 0;
    const answer = await rpc.call('fail', { how: 'unknown' });
    const { data } = (answer.json as { error: { data: Record<string, unknown> } }).error;
    const [line] = rpc.log;
    assert.equal(line?.level, 'error');
    assert.equal(line.fields['error_id'], data['error_id']);
    assert.equal(line.fields['err'], internals);
    assert.match(String(data['error_id']), /^[0-9a-f-]{36}$/);
  });

  test('do not fill the log when internal ones are provoked repeatedly', async () => {
    rpc.log.length = 0;
    const started = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => rpc.call('fail', { how: 'unknown' })),
    );
    const seconds = 1 + Math.floor((performance.now() - started) / 1_000);
    assert.ok(rpc.log.length <= 10 * (seconds + 1), `${rpc.log.length} records`);
    const logged = new Set(rpc.log.map(({ fields }) => fields['error_id']));
    for (const { json } of answers) {
      const { code, message, data } = (json as { error: { code: number; message: string; data: object } })
        .error;
      const { error_id: id } = data as { error_id: string };
      assert.equal(code, -32603);
      assert.equal(message.includes(id), logged.has(id), message);
    }
  });

  test('say when to retry, if transient', async () => {
    assert.equal((await rpc.call('fail', { how: 'limited' })).headers['retry-after'], '3');
    assert.equal((await rpc.call('fail', { how: 'busy' })).headers['retry-after'], '1');
    assert.equal((await rpc.call('fail', { how: 'missing' })).headers['retry-after'], undefined);
  });

  test('are internal for a result that its declaration does not allow', async () => {
    // 2^63 is beyond what an i64 holds.
    const answer = await rpc.call('subtract', { minuend: `${2n ** 63n - 1n}`, subtrahend: -1 });
    assert.equal((answer.json as { error: { code: number } }).error.code, -32603);
  });
});
