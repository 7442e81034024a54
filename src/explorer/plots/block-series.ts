import type { BlockSummary } from '../../generated/node-rpc-v1.js';
import type { Sample } from '../node/sample.js';

type PlottedBlock = Pick<BlockSummary, 'height' | 'timestamp_ms' | 'tx_count' | 'gas_used'>;

/** Plots of consecutive blocks, given newest first. */
export function blockSeries(blocks: readonly PlottedBlock[]) {
  // The genesis sets the time of block 0, which may be long before block 1.
  const ascending = blocks.filter(({ height }) => height > 0n).toReversed();
  const times = ascending.map(({ timestamp_ms }) => Number(timestamp_ms) / 1_000);
  const intervals = ascending
    .slice(1)
    .map((block, at) => Number(block.timestamp_ms - (ascending[at]?.timestamp_ms ?? block.timestamp_ms)));
  return {
    interval: { name: 'Block interval', times: times.slice(1), values: intervals },
    transactions: {
      name: 'Transactions per block',
      times,
      values: ascending.map(({ tx_count }) => tx_count),
    },
    gas: { name: 'Gas used per block', times, values: ascending.map(({ gas_used }) => Number(gas_used)) },
  } satisfies Record<string, Series>;
}

/** Plots of the polls since the page was opened. */
export function sampleSeries(samples: readonly Sample[]) {
  const times = samples.map(({ atMs }) => atMs / 1_000);
  return {
    pool: { name: 'Pool size', times, values: samples.map(({ poolSize }) => poolSize) },
    lag: { name: 'Event loop lag', times, values: samples.map(({ lagMs }) => lagMs) },
  } satisfies Record<string, Series>;
}

/** One line of a plot. */
export interface Series {
  readonly name: string;
  /** Times in seconds, ascending. */
  readonly times: readonly number[];
  readonly values: readonly number[];
}
