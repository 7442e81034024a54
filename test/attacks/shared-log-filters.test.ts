// Clients that subscribe to each other's filters and leave cannot take the log lookups of all.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_LIMITS } from '../../src/config/limits.js';
import type { SocketCounts } from '../../src/rpc/metrics/socket-counts.js';
import {
  ChannelTable,
  type EventSource,
  type OpenChannel,
} from '../../src/rpc/subscriptions/channel-table.js';
import type { Subscription } from '../../src/rpc/subscriptions/subscription.js';
import { SubscriptionQuota, subscriptionMemory } from '../../src/rpc/subscriptions/subscription-quota.js';

const MAX = 1_000;

interface Held {
  readonly channel: OpenChannel;
  readonly subscription: Subscription;
}

class World {
  readonly counts = { logLookups: 0 } as SocketCounts;
  readonly #memory = subscriptionMemory();
  readonly #table = new ChannelTable({
    maxSubscriptionLag: 10,
    counts: this.counts,
    room: new SubscriptionQuota(
      { ...DEFAULT_LIMITS, maxSubscriptions: 1e6, maxLogLookups: MAX },
      this.#memory,
    ),
  });

  /** Subscribes a client to the events of contract number `n`; undefined if it is refused. */
  trySubscribe(client: string, n: number): Held | undefined {
    const contract = new Uint8Array(20);
    new DataView(contract.buffer).setUint32(0, n);
    const request = { topic: 'logs', filter: { contract }, fromHeight: undefined } as const;
    const subscription = { client } as Subscription;
    try {
      const channel = this.#table.open(request as never, 0, {} as EventSource, { client, isGone: false });
      channel.users.add(subscription);
      return { channel, subscription };
    } catch (error) {
      assert.match(String(error), /log filters/);
      return undefined;
    }
  }

  leave(all: readonly Held[]): void {
    for (const { channel, subscription } of all) this.#table.release(channel, subscription);
  }
}

const found = (all: readonly (Held | undefined)[]): Held[] => all.filter((held) => held !== undefined);

test('an address that keeps handing its filters to another leaves room for a third', () => {
  const world = new World();
  const held: Held[] = [];
  const leaving: Held[] = [];
  for (let round = 0; round < 6; round++) {
    const contracts = Array.from({ length: MAX }, (_, i) => round * MAX + i);
    const opened = contracts.filter((n) => {
      const mine = world.trySubscribe('leaver', n);
      if (mine !== undefined) leaving.push(mine);
      return mine !== undefined;
    });
    held.push(...found(opened.map((n) => world.trySubscribe('heir', n))));
    world.leave(leaving.splice(0));
  }
  const honest = Array.from({ length: 20 }, (_, i) => world.trySubscribe('honest', 1_000_000 + i));
  assert.equal(found(honest).length, 20);
  world.leave([...held, ...found(honest)]);
  assert.equal(world.counts.logLookups, 0);
  assert.ok(found(Array.from({ length: MAX }, (_, n) => world.trySubscribe('a', n))).length > MAX / 2);
});

test('the total counts a filter once, however many clients share it', () => {
  const world = new World();
  const all: Held[] = [];
  for (let client = 0; client < 5_000; client++) {
    for (let i = 0; i < 3; i++) all.push(world.trySubscribe(`client ${client}`, 7) ?? assert.fail());
  }
  assert.equal(world.counts.logLookups, 1);
  world.leave(all);
  assert.equal(world.counts.logLookups, 0);
});
