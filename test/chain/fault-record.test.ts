import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { FaultRecord } from '../../src/chain/fault-record.js';
import { UnderWay } from '../../src/chain/under-way.js';
import { bundleHashHex, transactionHashHex } from '../../src/ledger/hex-names.js';
import { removeDirectory, temporaryDirectory } from '../support/node-process.js';

const A = transactionHashHex(Buffer.alloc(32, 0xaa));
const B = bundleHashHex(Buffer.alloc(32, 0xbb));
const C = transactionHashHex(Buffer.alloc(32, 0xcc));

describe('what was under way when the process ended', () => {
  let directory: string;
  const errors: unknown[] = [];
  const killed: UnderWay[] = [];
  const note = (error: unknown) => errors.push(error);
  let open: { readonly underWay: UnderWay; readonly record: FaultRecord };

  /** As a process does that starts after another was killed: whose file stays open to the end, and as it is. */
  function restart(): void {
    if (open !== undefined) killed.push(open.underWay);
    const marks = UnderWay.open(directory, note);
    open = { underWay: marks.underWay, record: FaultRecord.open(directory, marks, note) };
  }

  beforeEach(() => {
    directory = temporaryDirectory();
    errors.length = 0;
    restart();
  });
  afterEach(() => {
    for (const underWay of [...killed.splice(0), open.underWay]) underWay.close();
    removeDirectory(directory);
  });

  function standings(): string[] {
    return [A, B, C].map((name) => open.record.standing(name));
  }

  test('is suspected, out when it is tried alone and the process ends again, and trusted when it is not', () => {
    open.underWay.begin('block', [A, B]);
    restart();
    assert.deepEqual(standings(), ['suspected', 'suspected', 'trusted']);
    open.record.clear([B]);
    open.underWay.begin('block', [A], true);
    restart();
    assert.deepEqual(standings(), ['out', 'trusted', 'trusted']);
    assert.match(open.record.reasonOut(A) ?? '', /ended twice/);
    restart();
    restart();
    assert.deepEqual(standings(), ['out', 'trusted', 'trusted'], 'it stays so');
  });

  test('counts once, however often the process ends later with nothing under way', () => {
    open.underWay.begin('predicted', [C]);
    restart();
    open.record.clear([C]);
    for (let times = 0; times < 3; times++) restart();
    assert.deepEqual(standings(), ['trusted', 'trusted', 'trusted']);
  });

  test('is not out for what ended the process while something else was tried beside it', () => {
    open.underWay.begin('block', [A]);
    restart();
    open.underWay.begin('block', [A], true);
    open.underWay.begin('predicted', [B]);
    restart();
    assert.deepEqual(standings(), ['suspected', 'suspected', 'trusted']);
  });

  test('is out where it is tried alone again and again, whatever else is tried beside it', () => {
    open.underWay.begin('block', [A, B]);
    restart();
    open.record.clear([B]);
    for (const other of [B, C]) {
      assert.equal(open.record.standing(A), 'suspected');
      open.underWay.begin('block', [A], true);
      open.underWay.begin('predicted', [other]);
      restart();
    }
    assert.deepEqual(standings(), ['out', 'suspected', 'suspected']);
  });

  test('is nobody where the process ended in good order, whatever was being tried', () => {
    const { underWay } = open;
    underWay.begin('predicted', [A]);
    underWay.close();
    const path = join(directory, 'another');
    writeFileSync(path, 'another file');
    // The number of the file that was closed is given to the next that is opened.
    const file = openSync(path, 'r+');
    try {
      underWay.end('predicted');
      underWay.begin('predicted', [B]);
      underWay.close();
    } finally {
      closeSync(file);
    }
    assert.equal(readFileSync(path, 'utf8'), 'another file');
    restart();
    assert.deepEqual(standings(), ['trusted', 'trusted', 'trusted']);
    assert.deepEqual(errors, []);
  });

  test('has a block of its own where it ran well alone and the process ended again while it ran with others', () => {
    for (let times = 0; times < 2; times++) {
      open.underWay.begin('block', [A, B]);
      restart();
      open.record.clear([A, B]);
    }
    assert.deepEqual(standings(), ['apart', 'apart', 'trusted']);
    assert.deepEqual([...open.record.named('apart')], [A, B]);
    open.record.forget(A);
    assert.deepEqual(standings(), ['trusted', 'apart', 'trusted']);
  });

  test('what execution names is suspected, and out the second time, or the first time alone', () => {
    assert.equal(open.record.fault(A, 'thrown', false), 'suspected');
    open.record.clear([A]);
    assert.equal(open.record.fault(A, 'thrown', false), 'out');
    assert.equal(open.record.fault(B, 'thrown', true), 'out');
    restart();
    assert.deepEqual(standings(), ['out', 'out', 'trusted']);
  });

  test('a mark that was being written, and a record that cannot be read, hold nothing against anybody', () => {
    open.underWay.begin('block', [A, B, C]);
    truncateSync(join(directory, 'execution.underway'), 4_096 + 16 + 40);
    writeFileSync(join(directory, 'execution.faults'), '{"suspects":');
    restart();
    assert.deepEqual(standings(), ['trusted', 'trusted', 'trusted']);
    assert.equal(errors.length, 1);
  });
});
