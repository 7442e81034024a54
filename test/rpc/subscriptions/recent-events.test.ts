import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { LRUCache } from 'lru-cache';
import type { CommittedChain } from '../../../src/chain/committed-chain.js';
import type { Reads } from '../../../src/execution/calls/reads.js';
import { answerRead, type ReadRequest } from '../../../src/execution/read-requests.js';
import { ContractInterfaces } from '../../../src/ledger/contract-interfaces.js';
import type { LogFilter } from '../../../src/rpc/log-filter.js';
import {
  BlockChannel,
  type BlockPage,
  type BlockSource,
} from '../../../src/rpc/subscriptions/block-channel.js';
import { RecentEvents } from '../../../src/rpc/subscriptions/recent-events.js';
import { CRYPTO } from '../../support/crypto/loaded-crypto.js';
import { fake } from '../../support/fake.js';
import { address, type Chain, event, storeOf, topic } from '../../support/worlds/event-chain.js';

const CALLER = { client: 'a', isGone: false };

/** Channels of one thread over a chain, the reads that they make, and a tip that tests move. */
async function channelsOver(t: TestContext, chain: Chain) {
  const store = await storeOf(t, chain);
  const sources = { store, crypto: CRYPTO, interfaces: new ContractInterfaces(store, CRYPTO) };
  const reads: string[] = [];
  const tip = { height: 0n };
  let failures = 0;
  const source = {
    chain: fake<CommittedChain>({ tip: { header: tip }, finalizedHeight: 0n, firstHeight: 0n }),
    reads: fake<Reads>({
      read: async (request: ReadRequest) => {
        reads.push(request.kind);
        if (failures-- > 0) throw new Error('overloaded');
        return answerRead(request, sources);
      },
    }),
  } satisfies BlockSource;
  const shared = { pages: new LRUCache<string, BlockPage>({ max: 1_000 }), recent: new RecentEvents() };
  let opened = 0;
  const open = (filter: LogFilter) =>
    new BlockChannel(String(++opened), { topic: 'logs', filter }, source, shared, 256);
  const fail = (count: number) => {
    failures = count;
  };
  return { open, reads, tip, fail };
}

test('one read of a block serves all filters, and only those that match read its events', async (t) => {
  const { open, reads, tip } = await channelsOver(t, [[[]], [[event(3, [1]), event(4, [2])]], [[]]]);
  const channels = Array.from({ length: 100 }, (_, n) => open({ contract: address(n + 1) }));
  tip.height = 1n;
  const pages = await Promise.all(channels.map((channel) => channel.read({ at: 1n }, CALLER)));
  assert.deepEqual(
    pages.map(({ events }) => events.length),
    channels.map((_, n) => (n === 2 || n === 3 ? 1 : 0)),
  );
  assert.ok(pages.every(({ next }) => next.at === 2n));
  const several = open({ contracts: [address(9), address(4), address(3)] });
  assert.equal((await several.read({ at: 1n }, CALLER)).events.length, 2);
  assert.deepEqual(reads.filter((kind) => kind === 'event_bloom').length, 1);
  assert.ok(reads.length <= 6, `${reads.length} reads`);
  // A block without events is no work, not even for a filter that takes all.
  reads.length = 0;
  tip.height = 2n;
  for (const channel of [...channels, open({}), open({ topics: [[], [topic(1)]] })]) {
    const page = await channel.read({ at: 2n }, CALLER);
    assert.deepEqual([page.events.length, page.next.at], [0, 3n]);
  }
  assert.deepEqual(reads, ['event_bloom']);
});

test('a subscription far below the tip reads its blocks at once', async (t) => {
  const { open, reads, tip } = await channelsOver(t, [
    ...Array.from({ length: 39 }, () => [[]]),
    [[event(3, [1])]],
  ]);
  tip.height = 39n;
  const page = await open({ contract: address(3) }).read({ at: 0n }, CALLER);
  assert.deepEqual([page.events.length, page.next.at], [1, 40n]);
  assert.deepEqual(reads, ['events']);
});

test('a failed read of a block is tried again', async (t) => {
  const { open, tip, fail } = await channelsOver(t, [[[]], [[event(3, [1])]]]);
  tip.height = 1n;
  fail(1);
  const channel = open({ contract: address(3) });
  await assert.rejects(async () => channel.read({ at: 1n }, CALLER), /overloaded/);
  assert.equal((await channel.read({ at: 1n }, CALLER)).events.length, 1);
});
