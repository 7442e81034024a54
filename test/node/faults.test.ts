import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, test } from 'node:test';
import { ChainError } from '../../src/chain/chain-error.js';
import { ExecutionError } from '../../src/execution/execution-error.js';
import { type FaultOrigin, Faults, isFatal } from '../../src/node/faults.js';
import { ProofError } from '../../src/proofs/proof-error.js';
import { StoreError } from '../../src/storage/store-error.js';

class World {
  readonly failures: Error[] = [];
  readonly counted: FaultOrigin[] = [];
  readonly logged: { readonly fields: Readonly<Record<string, unknown>>; readonly message: string }[] = [];
  readonly faults = new Faults({
    log: { error: (fields, message) => this.logged.push({ fields: { ...fields }, message }) },
    fail: (error) => this.failures.push(error),
    count: (origin) => this.counted.push(origin),
  });
}

test('only a store that cannot write and state that contradicts a header are fatal', () => {
  const fatal = [
    new StoreError('write_failed', 'the disk is full'),
    new StoreError('damaged', 'a block is missing'),
    new ProofError('root_mismatch', 'another root'),
    new ProofError('damaged', 'a page is missing'),
    new ChainError('damaged', 'a header is missing'),
    new Error('sealing failed', { cause: new StoreError('write_failed', 'the disk is full') }),
  ];
  for (const error of fatal) assert.ok(isFatal(error), error.message);
  const looped = new Error('itself');
  looped.cause = looped;
  const others = [
    new StoreError('read_failed', 'one read failed'),
    new StoreError('closed', 'the node is stopping'),
    new ProofError('overloaded', 'too many keys'),
    new ProofError('state_unavailable', 'pruned'),
    new ExecutionError('worker_died', 'two workers died'),
    new RangeError('Invalid string length'),
    looped,
    'a text',
    undefined,
  ];
  for (const error of others) assert.ok(!isFatal(error), String(error));
});

describe('the handler of uncaught errors', () => {
  test('logs and counts uncaught errors, and continues', () => {
    const world = new World();
    const process = new EventEmitter();
    const stop = world.faults.watch(process);
    process.emit('uncaughtException', new TypeError('x is not a function'));
    process.emit('unhandledRejection', 'a text');
    world.faults.report(new RangeError('too long'), 'answering a call');
    assert.deepEqual(world.counted, ['uncaught_exception', 'unhandled_rejection', 'callback']);
    assert.equal(world.failures.length, 0);
    const ids = world.logged.map(({ fields }) => String(fields['error_id']));
    assert.equal(new Set(ids).size, 3);
    for (const [at, { message }] of world.logged.entries()) assert.ok(message.includes(ids[at] ?? '?'));
    stop();
    assert.equal(process.listenerCount('uncaughtException') + process.listenerCount('unhandledRejection'), 0);
  });

  test('ends the node for a fatal error, wherever it surfaced', () => {
    const world = new World();
    const process = new EventEmitter();
    world.faults.watch(process);
    const lost = new StoreError('write_failed', 'the disk is full');
    process.emit('unhandledRejection', lost);
    process.emit('uncaughtException', new Error('a timer', { cause: lost }));
    assert.deepEqual(
      world.failures.map(({ message }) => message),
      ['the disk is full', 'a timer'],
    );
  });

  test('does not fill the log', () => {
    const world = new World();
    for (let at = 0; at < 10_000; at++) world.faults.report(new Error(`${at}`), 'being attacked');
    assert.equal(world.counted.length, 10_000);
    assert.ok(world.logged.length < 200);
  });
});
