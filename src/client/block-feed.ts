import type { BlockSummary } from '../generated/node-rpc-v1.js';
import type { CallOptions, MethodCaller } from './call-options.js';
import { ClientError } from './client-error.js';
import type { Feed, FeedPage } from './feed.js';

/** Most heights per call, within the node's default limit on a range. */
const MAX_HEIGHTS = 1_000;

/** The blocks from a height on, each once and in order. */
export class BlockFeed implements Feed<'new_blocks' | 'finalized_blocks', BlockSummary> {
  readonly topic: 'new_blocks' | 'finalized_blocks';
  readonly #client: MethodCaller;
  next: bigint | undefined;

  /** @param fromHeight default: the next block */
  constructor(client: MethodCaller, finalized: boolean, fromHeight: bigint | undefined) {
    this.#client = client;
    this.topic = finalized ? 'finalized_blocks' : 'new_blocks';
    this.next = fromHeight;
  }

  async poll(room: number, options: CallOptions): Promise<FeedPage<BlockSummary>> {
    const status = await this.#client.call('status', {}, options);
    const end = this.topic === 'new_blocks' ? status.tip.height : status.finalized_height;
    this.next ??= end + 1n;
    const from = this.next;
    if (from > end) return { items: [], place: from === end + 1n ? 'at the end' : 'ahead' };
    const most = from + BigInt(Math.min(room, MAX_HEIGHTS)) - 1n;
    const to = most < end ? most : end;
    const { blocks } = await this.#client.call(
      'get_block_summaries',
      { from_height: from, to_height: to },
      options,
    );
    const items: BlockSummary[] = [];
    for (const block of blocks) {
      if (block.height > to) {
        throw new ClientError('bad_answer', `blocks ${from} to ${to}: the node sent block ${block.height}`);
      }
      // The blocks before a gap count.
      if (block.height > this.next && items.length > 0) break;
      const item = this.take(block);
      if (item !== undefined) items.push(item);
    }
    if (items.length === 0) throw missing(from, 'the answer does not have it');
    return { items, place: this.next > end ? 'at the end' : 'behind' };
  }

  take(block: BlockSummary): BlockSummary | undefined {
    const expected = this.next ?? block.height;
    if (block.height < expected) return undefined;
    if (block.height > expected) throw missing(expected, `the node sent block ${block.height}`);
    this.next = expected + 1n;
    return block;
  }

  advanceTo(): void {
    // Every block is reported, so the position needs no other news.
  }
}

/** A block that may come with the next answer, as from another node behind the same URL. */
function missing(height: bigint, instead: string): ClientError {
  return new ClientError('unreachable', `block ${height} is missing: ${instead}`);
}
