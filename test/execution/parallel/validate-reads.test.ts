import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BEFORE, type Writer } from '../../../src/execution/access-recorder.js';
import {
  type SpeculativeResult,
  UNKNOWN_WRITER,
  validateReadSet,
  type Writers,
  writerOf,
} from '../../../src/execution/parallel/validate-reads.js';

const TASK = { number: 3, from: 40 };

/** A transaction of the task that read one slot and one contract as written by `seen`. */
function readerOf(seen: Writer): SpeculativeResult {
  return {
    task: TASK,
    speculation: {
      index: 50,
      success: true,
      gasUsed: 0n,
      storedReceipt: new Uint8Array(0),
      hasLogs: false,
      opensLane: false,
      touched: [],
      payments: [],
      slotReads: Int32Array.of(0, seen),
      slotWrites: [],
      contractReads: [{ address: 'c0', writer: seen }],
      contractWrites: [],
      accounts: [],
      deployments: [],
    },
    slots: [{ name: 'slot', bytes: new Uint8Array(52) }],
    blobs: [],
  };
}

const writtenBy = (slot: Writer, contract: Writer): Writers => ({
  slot: () => slot,
  contract: () => contract,
});

describe('the reads of a transaction that was tried', () => {
  test('are valid if their writers are the ones it saw, or older than its task', () => {
    const older = writerOf({ number: 1, from: 0 }, TASK.from - 1);
    for (const writer of [BEFORE, older]) {
      assert.equal(validateReadSet(readerOf(BEFORE), writtenBy(writer, writer)), true);
    }
    const own = writerOf(TASK, 45);
    assert.equal(validateReadSet(readerOf(45), writtenBy(own, own)), true);
  });

  test('are invalid after a newer writer or one due for re-execution', () => {
    const newer = writerOf({ number: 1, from: 0 }, TASK.from);
    for (const writer of [newer, UNKNOWN_WRITER]) {
      for (const seen of [BEFORE, 45]) {
        assert.equal(validateReadSet(readerOf(seen), writtenBy(writer, BEFORE)), false);
        assert.equal(validateReadSet(readerOf(seen), writtenBy(BEFORE, writer)), false);
      }
    }
  });
});
