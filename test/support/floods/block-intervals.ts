import { RpcClient } from '../../outside/rpc.js';

export interface BlockIntervals {
  readonly blocks: number;
  readonly p50Ms: number;
  /** Includes the interval at the end of the period, even if no block has ended it yet. */
  readonly maxMs: number;
}

interface Summary {
  readonly height: number;
  readonly timestamp_ms: number;
}

/**
 * The intervals between the blocks of a period, from the blocks' timestamps, which polling does not affect.
 * @param fromHeight the tip at the start of the period
 * @param endMs the end of the period, Unix time in milliseconds
 */
export async function blockIntervals(
  url: string,
  fromHeight: number,
  endMs: number,
): Promise<BlockIntervals> {
  const rpc = new RpcClient(url);
  try {
    const { tip } = (await rpc.call('status')) as { readonly tip: { readonly height: number } };
    const times: number[] = [];
    for (let next: number | undefined = fromHeight; next !== undefined; ) {
      const params = { from_height: next, to_height: tip.height };
      const answer = (await rpc.call('get_block_summaries', params)) as {
        readonly blocks: readonly Summary[];
        readonly next_height?: number;
      };
      times.push(...answer.blocks.map(({ timestamp_ms: ms }) => ms));
      next = answer.next_height;
    }
    const during = times.filter((ms) => ms < endMs);
    const intervals = during.slice(1).map((ms, i) => ms - (during[i] ?? ms));
    intervals.push(Math.min(times[during.length] ?? Date.now(), Date.now()) - (during.at(-1) ?? endMs));
    const sorted = intervals.sort((a, b) => a - b);
    return {
      blocks: during.length - 1,
      p50Ms: sorted[Math.floor(sorted.length / 2)] ?? 0,
      maxMs: sorted.at(-1) ?? 0,
    };
  } finally {
    rpc.close();
  }
}
