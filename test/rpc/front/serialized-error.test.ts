import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ExecutionError } from '../../../src/execution/execution-error.js';
import { RpcError } from '../../../src/rpc/errors.js';
import { deserializeError, serializeError } from '../../../src/rpc/front/serialized-error.js';
import { HttpServerError } from '../../../src/rpc/http/http-server-error.js';
import { StoreError } from '../../../src/storage/store-error.js';

const sentOver = (error: unknown) => deserializeError(structuredClone(serializeError(error)));

describe('an error sent between threads', () => {
  it('keeps its type and members', () => {
    const errors = [
      new RpcError('not_found', 'no block 7', { height: 7n }),
      new ExecutionError('worker_died', 'gone'),
      new HttpServerError('port_in_use', 'taken'),
      // Fatal for the node, whichever thread found it.
      new StoreError('damaged', 'a block is missing'),
    ];
    for (const error of errors) {
      const received = sentOver(error);
      assert.equal(received.constructor, error.constructor);
      assert.equal(received.message, error.message);
      assert.equal((received as { code?: unknown }).code, (error as { code?: unknown }).code);
    }
  });

  it('keeps its stack, or the value that was thrown', () => {
    const error = new TypeError('x is not a function');
    const received = sentOver(error);
    assert.equal(received.message, error.message);
    assert.equal(received.stack, error.stack);
    assert.equal(sentOver('a text').message, 'thrown: a text');
    assert.equal(sentOver(undefined).message, 'thrown: undefined');
  });
});
