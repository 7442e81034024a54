import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { consoleOn } from '../../../src/cli/console.js';
import { type StatusSample, throughput } from '../../../src/cli/node/status-view.js';
import { Screen } from '../../../src/cli/screen.js';
import type { BlockSummary } from '../../../src/generated/node-rpc-v1.js';

const NOW = 1_000_000;

/** Blocks, newest first, from their ages in milliseconds. */
function sample(
  blocks: readonly { age: number; txs: number; fill?: number }[],
  oldestHeight = 100,
): Pick<StatusSample, 'status' | 'blocks'> {
  const zero = new Uint8Array(32);
  return {
    status: { now_ms: BigInt(NOW) } as StatusSample['status'],
    blocks: blocks.map(
      ({ age, txs, fill = 0 }, place): BlockSummary => ({
        height: BigInt(oldestHeight + blocks.length - 1 - place),
        hash: zero,
        parent_hash: zero,
        timestamp_ms: BigInt(NOW - age),
        proposer: 0,
        epoch: 0n,
        view: 0n,
        tx_count: txs,
        gas_used: BigInt(Math.round(fill * 1_000)),
        gas_limit: 1_000n,
        base_fee: 1n,
        state_root: zero,
        finalized: true,
      }),
    ),
  };
}

describe('throughput', () => {
  it('counts the transactions of the last ten seconds', () => {
    const { transactionsPerSecond } = throughput(
      sample([
        { age: 1_000, txs: 30 },
        { age: 9_000, txs: 20 },
        { age: 11_000, txs: 500 },
      ]),
    );
    assert.equal(transactionsPerSecond, 5);
  });

  it('is zero on an idle chain', () => {
    assert.deepEqual(throughput(sample([{ age: 20_000, txs: 9 }])), { transactionsPerSecond: 0, fill: 0 });
    assert.deepEqual(throughput(sample([])), { transactionsPerSecond: 0, fill: 0 });
  });

  it('of a page shorter than ten seconds is averaged over the time that it covers', () => {
    const blocks = Array.from({ length: 5 }, (_, place) => ({ age: place * 500, txs: 100 }));
    assert.equal(throughput(sample(blocks)).transactionsPerSecond, 200);
  });

  it('has the mean fill of the blocks that are not empty', () => {
    const { fill } = throughput(
      sample([
        { age: 1, txs: 1, fill: 0.5 },
        { age: 2, txs: 0, fill: 0 },
        { age: 3, txs: 1, fill: 0.1 },
        { age: 20_000, txs: 1, fill: 1 },
      ]),
    );
    assert.ok(Math.abs(fill - 0.3) < 1e-9);
  });
});

it('a screen is redrawn over the previous one, cut to the terminal', () => {
  const written: string[] = [];
  const screen = new Screen(
    consoleOn({
      out: (text) => written.push(text),
      err: () => undefined,
      isTerminal: true,
      size: () => ({ columns: 10, rows: 4 }),
    }),
  );
  screen.draw(['one', 'a line that is too long', 'three', 'four', 'five']);
  screen.draw(['one']);
  screen.draw(['\u001b[8m\n']);
  screen.close();
  const esc = '\u001b';
  assert.deepEqual(written, [
    `${esc}[?25l`,
    `\r${esc}[2Kone\n${esc}[2Ka line th…\n${esc}[2Kthree\n${esc}[J`,
    `${esc}[3A\r${esc}[2Kone\n${esc}[J`,
    `${esc}[1A\r${esc}[2K\\u001b[8m…\n${esc}[J`,
    `${esc}[?25h`,
  ]);
});
