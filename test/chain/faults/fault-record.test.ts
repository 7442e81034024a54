import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ExecutionMarker } from '../../../src/chain/faults/execution-marker.js';
import { FaultRecord } from '../../../src/chain/faults/fault-record.js';
import { ProgressMarker } from '../../../src/execution/parallel/progress-marks.js';
import { bundleHashHex, type CandidateHashHex, transactionHashHex } from '../../../src/ledger/hex-types.js';
import { removeDirectory, temporaryDirectory } from '../../support/temporary-directory.js';

const A = transactionHashHex(Buffer.alloc(32, 0xaa));
const B = bundleHashHex(Buffer.alloc(32, 0xbb));
const C = transactionHashHex(Buffer.alloc(32, 0xcc));

describe('candidates in flight when the process ended', () => {
  let directory: string;
  let time: number;
  const errors: unknown[] = [];
  const killed: ExecutionMarker[] = [];
  const note = (error: unknown) => errors.push(error);
  let open: { readonly executionMarker: ExecutionMarker; readonly record: FaultRecord };

  /** Simulates a restart after a kill: the killed process's file stays open, unchanged. */
  function restart(): void {
    if (open !== undefined) killed.push(open.executionMarker);
    const marks = ExecutionMarker.open(directory, note);
    open = { executionMarker: marks.marker, record: FaultRecord.open(directory, marks, note, () => time) };
  }

  beforeEach(() => {
    directory = temporaryDirectory();
    time = 1_700_000_000_000;
    errors.length = 0;
    restart();
  });
  afterEach(() => {
    for (const executionMarker of [...killed.splice(0), open.executionMarker]) executionMarker.close();
    removeDirectory(directory);
  });

  function standings(): string[] {
    return [A, B, C].map((name) => open.record.trustLevel(name));
  }

  function begin(names: readonly CandidateHashHex[], isWatched = true): void {
    open.executionMarker.begin(
      'block',
      names.map((name, start) => ({ name, start })),
      isWatched,
    );
  }

  /** Simulates a process that ends while workers are executing the candidates at these indices. */
  function endAt(...places: number[]): void {
    for (const place of places) {
      const mark = open.executionMarker.take() ?? assert.fail('nobody is watched');
      const marker = new ProgressMarker(mark);
      marker.at(place + 1);
      marker.close();
    }
    restart();
  }

  test('are only watched, however often the process ends, if no worker recorded progress', () => {
    for (let times = 0; times < 10; times++) {
      begin([A, B], times > 0);
      restart();
      assert.deepEqual(standings(), ['watched', 'watched', 'trusted']);
    }
    assert.equal(open.record.rejectionReason(A), undefined);
  });

  test('get a strike if a worker was executing them, unlike the rest of their block', () => {
    begin([A, B, C]);
    endAt(1);
    assert.deepEqual(standings(), ['watched', 'suspected', 'watched']);
  });

  test('are excluded after three strikes, with a message that says for how long', () => {
    for (const expected of ['suspected', 'suspected', 'out']) {
      begin([A]);
      endAt(0);
      assert.deepEqual(standings(), [expected, 'trusted', 'trusted']);
    }
    assert.match(
      open.record.rejectionReason(A) ?? '',
      /ended three times .* sent again after 2023-11-15T22:13:20/,
    );
    restart();
    assert.deepEqual(standings(), ['out', 'trusted', 'trusted'], 'it stays so');
  });

  test('get no strike for a released group or for a candidate that its worker had finished', () => {
    begin([A, B]);
    const mark = open.executionMarker.take() ?? assert.fail('nobody is watched');
    const marker = new ProgressMarker(mark);
    marker.at(1);
    marker.at(0);
    const other = open.executionMarker.take() ?? assert.fail('nobody is watched');
    new ProgressMarker(other).at(2);
    open.executionMarker.release(other);
    restart();
    marker.close();
    assert.deepEqual(standings(), ['watched', 'watched', 'trusted']);
  });

  test('get no strike for the progress of an earlier block', () => {
    begin([A]);
    const mark = open.executionMarker.take() ?? assert.fail('nobody is watched');
    new ProgressMarker(mark).at(1);
    begin([B]);
    restart();
    assert.deepEqual(standings(), ['trusted', 'watched', 'trusted']);
  });

  test('may be retried after a day, and are trusted an hour after their last strike', () => {
    for (let times = 0; times < 3; times++) {
      begin([A]);
      endAt(0);
    }
    begin([B]);
    endAt(0);
    time += 3_600_001;
    assert.deepEqual(standings(), ['out', 'trusted', 'trusted']);
    time += 86_400_000;
    assert.deepEqual(standings(), ['trusted', 'trusted', 'trusted']);
    assert.equal(open.record.rejectionReason(A), undefined);
    begin([A]);
    endAt(0);
    assert.equal(open.record.trustLevel(A), 'suspected', 'it starts anew');
  });

  test('are not excluded for longer if the clock goes back', () => {
    for (let times = 0; times < 3; times++) {
      begin([A]);
      endAt(0);
    }
    time -= 90_000_000;
    assert.equal(open.record.trustLevel(A), 'trusted');
  });

  test('are only watched if they ran for a prediction', () => {
    for (let times = 0; times < 4; times++) {
      open.executionMarker.begin('predicted', [{ name: C }]);
      restart();
    }
    assert.deepEqual(standings(), ['trusted', 'trusted', 'watched']);
  });

  test('are not suspected after a clean shutdown, even mid-attempt', () => {
    const { executionMarker } = open;
    executionMarker.begin('predicted', [{ name: A }]);
    executionMarker.close();
    const path = join(directory, 'another');
    writeFileSync(path, 'another file');
    // The closed file's descriptor is reused by the next file opened.
    const file = openSync(path, 'r+');
    try {
      executionMarker.end('predicted');
      executionMarker.begin('predicted', [{ name: B }]);
      executionMarker.close();
    } finally {
      closeSync(file);
    }
    assert.equal(readFileSync(path, 'utf8'), 'another file');
    restart();
    assert.deepEqual(standings(), ['trusted', 'trusted', 'trusted']);
    assert.deepEqual(errors, []);
  });

  test('have a block of their own after two strikes and a clean run alone', () => {
    for (let times = 0; times < 2; times++) {
      begin([A, B]);
      endAt(0, 1);
      open.record.clear([A, B]);
    }
    assert.deepEqual(standings(), ['apart', 'apart', 'trusted']);
    assert.deepEqual([...open.record.named('apart')], [A, B]);
    open.record.forget(A);
    assert.deepEqual(standings(), ['trusted', 'apart', 'trusted']);
  });

  test('are suspected when execution names them, and excluded the third time', () => {
    assert.equal(open.record.recordFault(A, 'thrown'), 'suspected');
    open.record.clear([A]);
    assert.equal(open.record.recordFault(A, 'thrown'), 'suspected');
    assert.equal(open.record.recordFault(A, 'thrown'), 'out');
    assert.match(open.record.rejectionReason(A) ?? '', /failed three times: thrown/);
    restart();
    assert.deepEqual(standings(), ['out', 'trusted', 'trusted']);
  });

  test('are not blamed because of a torn marker or an unreadable record', () => {
    begin([A, B, C]);
    truncateSync(join(directory, 'execution.underway'), 4_096 + 16 + 40);
    writeFileSync(join(directory, 'execution.faults'), '{"suspects":');
    restart();
    assert.deepEqual(standings(), ['trusted', 'trusted', 'trusted']);
    assert.equal(errors.length, 1);
  });
});
