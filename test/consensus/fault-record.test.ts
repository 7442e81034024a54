import assert from 'node:assert/strict';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { FaultRecord } from '../../src/consensus/fault-record.js';
import { UnderWay } from '../../src/consensus/under-way.js';
import { removeDirectory, temporaryDirectory } from '../support/node-process.js';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];

describe('what was under way when the process ended', () => {
  let directory: string;
  const errors: unknown[] = [];
  const note = (error: unknown) => errors.push(error);
  let open: { readonly underWay: UnderWay; readonly record: FaultRecord };

  /** As a process does that starts after another ended, however it ended. */
  function restart(): void {
    open?.underWay.close();
    const marks = UnderWay.open(directory, note);
    open = { underWay: marks.underWay, record: FaultRecord.open(directory, marks, note) };
  }

  before(() => {
    directory = temporaryDirectory();
    restart();
  });
  beforeEach(() => {
    open.underWay.close();
    removeDirectory(directory);
    directory = temporaryDirectory();
    errors.length = 0;
    const marks = UnderWay.open(directory, note);
    open = { underWay: marks.underWay, record: FaultRecord.open(directory, marks, note) };
  });
  after(() => {
    open.underWay.close();
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
