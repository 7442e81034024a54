import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FairQueue, type QueueClient, type Queued } from '../../src/async/fair-queue.js';

interface Item extends Queued {
  readonly name: string;
  readonly ms: number;
}

const item = (name: string, ms: number, since = 0): Item => ({ name, ms, bytes: 10, since });
const anybody = () => true;

/** Takes and charges items until `untilMs` is used up or none are left. Returns the time used per client. */
function served(
  queue: FairQueue<Item>,
  untilMs: number,
  mayTake: (client: QueueClient<Item>) => boolean = anybody,
) {
  const used = new Map<string, number>();
  let now = 0;
  while (now < untilMs) {
    const taken = queue.take(now, mayTake);
    if (taken === undefined) break;
    const [client, { name, ms }] = taken;
    queue.charge(client, ms);
    now += ms;
    used.set(name, (used.get(name) ?? 0) + ms);
  }
  return used;
}

function filled(
  clients: Readonly<Record<string, { readonly ms: number; readonly count: number }>>,
): FairQueue<Item> {
  const queue = new FairQueue<Item>();
  for (const [name, { ms, count }] of Object.entries(clients)) {
    for (let at = 0; at < count; at++) queue.push(queue.client(name), item(name, ms));
  }
  return queue;
}

describe('the fair queue', () => {
  it('gives clients equal time, whatever their items cost and however many they have', () => {
    const queue = filled({
      heavy: { ms: 50, count: 1_000 },
      light: { ms: 0.1, count: 100_000 },
      middle: { ms: 3, count: 5_000 },
    });
    const used = served(queue, 6_000);
    for (const [name, ms] of used) assert.ok(ms > 1_700 && ms < 2_300, `${name} used ${ms} of 6000 ms`);
    assert.equal(used.size, 3);
  });

  it('makes no client wait for more than one item of every other client once costs are known', () => {
    const queue = filled({ heavy: { ms: 1_000, count: 10 } });
    served(queue, 1_000);
    for (let at = 0; at < 50; at++) queue.push(queue.client('light'), item('light', 1, 1_000));
    const used = served(queue, 51);
    assert.equal(used.get('light'), 50);
  });

  it('gives spare time to the clients with work', () => {
    const queue = filled({ one: { ms: 10, count: 100 }, two: { ms: 1, count: 5 } });
    const used = served(queue, 900);
    assert.equal(used.get('two'), 5);
    assert.ok((used.get('one') ?? 0) >= 890);
  });

  it('remembers the debt of an idle client and lets time pay it off', () => {
    const queue = new FairQueue<Item>();
    const order = (since: number): string[] => {
      queue.push(queue.client('heavy'), item('heavy', 500, since));
      for (let at = 0; at < 3; at++) queue.push(queue.client('light'), item('light', 1, since));
      const names: string[] = [];
      for (let taken = queue.take(since, anybody); taken !== undefined; taken = queue.take(since, anybody)) {
        const [client, { name, ms }] = taken;
        queue.charge(client, ms);
        names.push(name);
      }
      return names;
    };
    assert.equal(order(0)[0], 'heavy', 'nothing is known of it');
    assert.equal(order(10)[0], 'light', 'it owes nearly half a second');
    assert.equal(order(100_000)[0], 'heavy', 'all is forgiven');
  });

  it('passes over blocked clients, which keep their turn', () => {
    const queue = filled({ slow: { ms: 1, count: 2 }, quick: { ms: 1, count: 2 } });
    const quickOnly = ({ name }: QueueClient<Item>) => name === 'quick';
    assert.equal(served(queue, 100, quickOnly).get('quick'), 2);
    assert.equal(queue.take(0, quickOnly), undefined);
    assert.equal(served(queue, 100).get('slow'), 2);
  });

  it('evicts from the client with the most items when full', () => {
    const queue = filled({ flood: { ms: 1, count: 100 }, one: { ms: 1, count: 1 } });
    for (let at = 0; at < 99; at++) assert.equal(queue.takeFromLargest()?.name, 'flood');
    assert.equal(queue.size, 2);
  });

  it('loses and invents no item under random use', () => {
    const action = fc.oneof(
      fc.record({
        type: fc.constant('push' as const),
        client: fc.nat(4),
        ms: fc.integer({ min: 0, max: 100 }),
      }),
      fc.record({
        type: fc.constantFrom('take' as const, 'back' as const, 'largest' as const),
        client: fc.nat(4),
      }),
      fc.record({ type: fc.constant('drop' as const), client: fc.nat(4) }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
        const queue = new FairQueue<Item>();
        const waiting = new Map<string, Item[]>();
        const ofClient = (name: string) => {
          const items = waiting.get(name) ?? [];
          waiting.set(name, items);
          return items;
        };
        const removed = ({ name }: Item, which: Item) => {
          const items = ofClient(name);
          items.splice(items.indexOf(which), 1);
        };
        actions.forEach((each, now) => {
          const name = `${each.client}`;
          if (each.type === 'push') {
            const pushed = item(name, each.ms, now);
            ofClient(name).push(pushed);
            queue.push(queue.client(name), pushed);
          } else if (each.type === 'largest') {
            const taken = queue.takeFromLargest();
            if (taken !== undefined) removed(taken, taken);
          } else if (each.type === 'drop') {
            const dropped = queue.drop((one) => one.name === name);
            assert.deepEqual(dropped, ofClient(name));
            waiting.set(name, []);
          } else {
            const taken = queue.take(now, anybody);
            assert.equal(
              taken === undefined,
              [...waiting.values()].every(({ length }) => length === 0),
            );
            if (taken === undefined) return;
            const [client, one] = taken;
            assert.equal(one, ofClient(one.name)[0], 'the oldest of its client');
            if (each.type === 'back') queue.putBack(client, one);
            else {
              queue.charge(client, one.ms);
              removed(one, one);
            }
          }
          const all = [...waiting.values()].flat();
          assert.equal(queue.size, all.length);
          assert.equal(queue.bytes, 10 * all.length);
          assert.equal(queue.clients, [...waiting.values()].filter(({ length }) => length > 0).length);
        });
      }),
    );
  });
});
