import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { callTreeLines } from '../../../src/cli/load/trace.js';
import type { CallFrame, FrameLog } from '../../../src/generated/node-rpc-v1.js';

const ADDRESS = new Uint8Array(20).fill(7);
const HASH = new Uint8Array(32);

const event = (step: number, position?: number): FrameLog => ({
  contract: ADDRESS,
  topics: [],
  data: new Uint8Array(0),
  height: 1n,
  block_hash: HASH,
  tx_hash: HASH,
  tx_index: 0,
  log_index: step,
  event: { name: 'Mark', args: { step } },
  ...(position === undefined ? {} : { position }),
});

const call = (method: string, logs: FrameLog[] = [], calls: CallFrame[] = []): CallFrame => ({
  kind: 'call',
  from: ADDRESS,
  to: ADDRESS,
  method,
  input: new Uint8Array(0),
  args: {},
  value: 0n,
  gas_limit: 0n,
  gas_used: 0n,
  status: { type: 'success' },
  output: new Uint8Array(0),
  logs,
  calls,
});

/** The drawn tree, without addresses and gas. */
function drawn(root: CallFrame): string[] {
  return callTreeLines(root).map((line) =>
    line.replaceAll(/(call|of) 0x\w+ ?/g, '').replace(/(\(\))? {2}0 gas| $/g, ''),
  );
}

describe('a drawn call tree', () => {
  test('has the events and calls of a frame in the order in which they happened', () => {
    const inner = call('poke', [event(2, 0)]);
    assert.deepEqual(
      drawn(call('sandwich', [event(1, 0), event(3, 1), event(4, 2)], [inner, call('last')])),
      [
        'sandwich',
        '├─ event Mark(step: 1)',
        '├─ poke',
        '│  └─ event Mark(step: 2)',
        '├─ event Mark(step: 3)',
        '├─ last',
        '└─ event Mark(step: 4)',
      ],
    );
  });

  test('puts events without a position first', () => {
    assert.deepEqual(drawn(call('sandwich', [event(1), event(2)], [call('poke')])), [
      'sandwich',
      '├─ event Mark(step: 1)',
      '├─ event Mark(step: 2)',
      '└─ poke',
    ]);
  });

  test('has every event and call once, whatever the positions are', () => {
    const lines = drawn(call('odd', [event(1, 4_000_000_000), event(2, 0)], [call('poke'), call('last')]));
    assert.deepEqual(lines, [
      'odd',
      '├─ poke',
      '├─ last',
      '├─ event Mark(step: 1)',
      '└─ event Mark(step: 2)',
    ]);
  });
});
