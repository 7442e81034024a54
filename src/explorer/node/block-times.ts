import type { Client } from '../../client/client.js';
import { ClientError, RpcCallError } from '../../client/client.js';

/** Blocks that one call covers at most, so that scattered heights do not fetch what lies between them. */
const SPAN = 20n;

/**
 * The times of blocks in milliseconds, by height: none where the node refuses, since a page can do without.
 * @param node a client that sends the calls of one tick together
 */
export async function blockTimes(
  node: Client,
  heights: Iterable<bigint>,
  signal: AbortSignal,
): Promise<ReadonlyMap<bigint, bigint>> {
  try {
    const found = await Promise.all(
      ranges(heights).map(({ from, to }) =>
        node.call('get_block_summaries', { from_height: from, to_height: to }, { signal }),
      ),
    );
    return new Map(
      found.flatMap(({ blocks }) =>
        blocks.map(({ height, timestamp_ms }) => [height, timestamp_ms] as const),
      ),
    );
  } catch (error) {
    if (error instanceof RpcCallError || error instanceof ClientError) return new Map();
    throw error;
  }
}

/** Ranges of at most {@link SPAN} blocks that cover the heights. */
function ranges(heights: Iterable<bigint>): readonly { readonly from: bigint; readonly to: bigint }[] {
  const ascending = [...new Set(heights)].sort((a, b) => (a < b ? -1 : 1));
  const found: { from: bigint; to: bigint }[] = [];
  for (const height of ascending) {
    const last = found.at(-1);
    if (last !== undefined && height < last.from + SPAN) last.to = height;
    else found.push({ from: height, to: height });
  }
  return found;
}
