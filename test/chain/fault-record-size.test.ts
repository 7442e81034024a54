// Crash and fault records stay small, however many there are.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ExecutionMarker } from '../../src/chain/faults/execution-marker.js';
import { FaultRecord } from '../../src/chain/faults/fault-record.js';
import { type TransactionHashHex, transactionHashHex } from '../../src/ledger/hex-types.js';
import { removeDirectory, temporaryDirectory } from '../support/temporary-directory.js';

const MOST_SUSPECTS = 65_536;

function opened(t: TestContext, directory: string) {
  const fail = (error: unknown) => assert.fail(String(error));
  const marks = ExecutionMarker.open(directory, fail);
  const record = FaultRecord.open(directory, marks, fail);
  t.after(() => marks.marker.close());
  return { executionMarker: marks.marker, record };
}

function nameOf(index: number): TransactionHashHex {
  const hash = Buffer.alloc(32);
  hash.writeUInt32BE(index);
  return transactionHashHex(hash);
}

function directoryOf(t: TestContext): string {
  const directory = temporaryDirectory();
  t.after(() => removeDirectory(directory));
  return directory;
}

test('only the newest 65,536 candidates are remembered after a crash', (t) => {
  const directory = directoryOf(t);
  const names = Array.from({ length: MOST_SUSPECTS + 5_000 }, (_, index) => ({ name: nameOf(index) }));
  opened(t, directory).executionMarker.begin('block', names);
  const { record } = opened(t, directory);
  assert.equal([...record.named('watched')].length, MOST_SUSPECTS);
  assert.equal(record.trustLevel(nameOf(0)), 'trusted');
  assert.equal(record.trustLevel(nameOf(names.length - 1)), 'watched');
  const { size } = statSync(join(directory, 'execution.faults'));
  assert.ok(size < MOST_SUSPECTS * 160, `${size} bytes`);
});

test('the execution marker file fits the largest block and is overwritten in place', (t) => {
  const directory = directoryOf(t);
  const { executionMarker } = opened(t, directory);
  const names = Array.from({ length: 1_000 }, (_, start) => ({ name: nameOf(start), start }));
  for (let block = 0; block < 50; block++) {
    executionMarker.begin('block', names);
    executionMarker.begin('predicted', names.slice(0, 64));
    executionMarker.end('block');
    executionMarker.end('predicted');
  }
  const { size } = statSync(join(directory, 'execution.underway'));
  assert.ok(size <= 4_096 + 16 + 1_000 * 36, `${size} bytes`);
});

test('the stored reason of a fault is truncated', (t) => {
  const directory = directoryOf(t);
  const { record } = opened(t, directory);
  for (let time = 0; time < 3; time++) record.recordFault(nameOf(1), 'x'.repeat(1_000_000));
  assert.ok((record.rejectionReason(nameOf(1))?.length ?? 0) < 700);
  assert.ok(statSync(join(directory, 'execution.faults')).size < 700);
});
