import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { RpcCallError } from '../../src/client/client.js';
import {
  type EventPlace,
  endOf,
  type NewestEvents,
  newestEvents,
} from '../../src/explorer/node/newest-events.js';
import type { GetLogsArgs, GetLogsResult, Log } from '../../src/generated/node-rpc-v1.js';

const NOTHING = new Uint8Array(0);
const PAGE = 25;

function event(height: bigint, tx_index: number, log_index: number): Log {
  const hashes = { block_hash: NOTHING, tx_hash: NOTHING };
  return { contract: NOTHING, topics: [], data: NOTHING, height, ...hashes, tx_index, log_index };
}

/** The events of a chain with this many events in some of its blocks, oldest first. */
function chainOf(counts: Readonly<Record<string, number>>): readonly Log[] {
  return Object.entries(counts).flatMap(([height, count]) =>
    Array.from({ length: count }, (_, at) => event(BigInt(height), Math.floor(at / 3), at % 3)),
  );
}

/** Answers as a node does, in pages of at most `maxLimit` events, and counts the requests. */
class FakeNode {
  requests = 0;
  readonly searched: bigint[] = [];

  constructor(
    readonly events: readonly Log[],
    readonly options: { readonly maxLimit?: number; readonly oldest?: bigint } = {},
  ) {}

  readonly getLogs = async (range: GetLogsArgs): Promise<GetLogsResult> => {
    this.requests++;
    const { from_height: from = 0n, to_height: to = 0n, limit = 50, cursor = '0' } = range;
    const { maxLimit = 10_000, oldest = 0n } = this.options;
    if (from < oldest) {
      const data = { kind: 'state_unavailable', retryable: false, oldest: Number(oldest) };
      throw new RpcCallError('get_logs', { code: -1, message: 'pruned', data });
    }
    const inside = this.events.filter(({ height }) => height >= from && height <= to);
    const end = Number(cursor) + Math.min(limit, maxLimit);
    const logs = inside.slice(Number(cursor), end);
    if (end >= inside.length) return { logs, searched_to: to };
    const last = logs.at(-1)?.height ?? from;
    return { logs, ...(last > from && { searched_to: last - 1n }), next_cursor: `${end}` };
  };

  page(before: EventPlace): Promise<NewestEvents> {
    return newestEvents(this.getLogs, before, PAGE, (height) => this.searched.push(height));
  }

  /** All pages from a height back. */
  async all(tip: bigint): Promise<readonly Log[]> {
    const found: Log[] = [];
    for (let next: EventPlace | undefined = endOf(tip); next !== undefined; ) {
      const page: NewestEvents = await this.page(next);
      found.push(...page.logs);
      next = page.next;
    }
    return found;
  }
}

const places = (logs: readonly Log[]) => logs.map((log) => `${log.height}/${log.tx_index}/${log.log_index}`);

describe('the newest events', () => {
  test('come in pages, each once, newest first, wherever they are dense or rare', async () => {
    const counts = fc.dictionary(
      fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 50_000 })).map(String),
      fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 700 })),
      { maxKeys: 20 },
    );
    await fc.assert(
      fc.asyncProperty(counts, async (given) => {
        const events = chainOf(given);
        const node = new FakeNode(events);
        assert.deepEqual(places(await node.all(50_000n)), places(events.toReversed()));
      }),
      { numRuns: 60 },
    );
  });

  test('take few requests on a long chain, and report how far the search has come', async () => {
    const node = new FakeNode(chainOf({ 5: 1 }));
    const { logs, next } = await node.page(endOf(100_000_000n));
    assert.deepEqual([places(logs), next], [['5/0/0'], undefined]);
    assert.ok(node.requests <= 8, `${node.requests} requests`);
    assert.equal(node.searched[0], 99_999_001n);
  });

  test('take few requests where every block is full of them', async () => {
    const counts = Object.fromEntries(Array.from({ length: 1_000 }, (_, height) => [height, 40]));
    const node = new FakeNode(chainOf(counts));
    const { logs } = await node.page(endOf(999n));
    assert.equal(logs.length, PAGE);
    assert.ok(node.requests <= 6, `${node.requests} requests`);
  });

  test('in one crowded block come in as many answers as they need', async () => {
    const node = new FakeNode(chainOf({ 7: 5_000 }), { maxLimit: 500 });
    const { logs } = await node.page(endOf(7n));
    assert.deepEqual(places(logs).slice(0, 2), ['7/1666/1', '7/1666/0']);
  });

  test('end where the chain of the node begins', async () => {
    const node = new FakeNode(chainOf({ 5: 1, 20: 1 }), { oldest: 10n });
    const { logs, next, searchedTo } = await node.page(endOf(30n));
    assert.deepEqual([places(logs), next, searchedTo], [['20/0/0'], undefined, 10n]);
  });

  test('stop after a bounded number of answers, with a place to continue', async () => {
    let requests = 0;
    // Every range is too much for one answer, as with a rare value of a field among very many events.
    const busy = async ({ from_height = 0n, to_height = 0n }: GetLogsArgs): Promise<GetLogsResult> => {
      requests++;
      if (to_height - from_height < 4n) return { logs: [], searched_to: to_height };
      return { logs: [], searched_to: from_height + 2n, next_cursor: 'x' };
    };
    const { logs, next } = await newestEvents(busy, endOf(1_000_000n), PAGE);
    assert.deepEqual([logs, requests], [[], 24]);
    assert.ok(next !== undefined && next.height < 1_000_000n);
    const endless = async (): Promise<GetLogsResult> => ({ logs: [], next_cursor: 'x' });
    await assert.rejects(newestEvents(endless, endOf(9n), PAGE), /Block 9 has more events than this page/);
  });
});
