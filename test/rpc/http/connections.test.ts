import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ConnectionCount, Connections } from '../../../src/rpc/http/connections.js';

const LIMITS = { maxConnections: 1_000, maxConnectionsPerClient: 1_000 };

function fill(connections: Connections, client: string, most = 5_000): number {
  let entered = 0;
  while (entered < most && connections.enter(client)) entered++;
  return entered;
}

describe('connections whose closing is reported', () => {
  test('of one client leave a third of all free, and another gets two thirds of that', () => {
    const connections = new Connections(LIMITS, new ConnectionCount());
    assert.equal(fill(connections, 'hog'), 667);
    assert.equal(fill(connections, 'other'), 223);
    for (let ended = 0; ended < 667; ended++) connections.leave('hog');
    assert.equal(fill(connections, 'other'), 667 - 223);
  });

  test('have one limit per client and one for all threads', () => {
    const memory = ConnectionCount.memory();
    const [first, second] = [new ConnectionCount(memory), new ConnectionCount(memory)];
    const limits = { maxConnections: 100, maxConnectionsPerClient: 30 };
    const [one, two] = [first, second].map((count) => new Connections(limits, count));
    assert.ok(one !== undefined && two !== undefined);
    assert.equal(fill(one, 'a'), 30);
    for (let client = 0; client < 1_000; client++) two.enter(`client ${client}`);
    assert.equal(first.all, 100);
    assert.deepEqual([first.own, second.own], [30, 70]);
    assert.deepEqual([first.refused, second.refused], [1, 930]);
    for (let client = 0; client < 70; client++) two.leave(`client ${client}`);
    assert.equal(first.all, 30);
  });
});

describe('connections whose closing is not reported', () => {
  function counted(limits = LIMITS) {
    const clock = { ms: 0 };
    const real = new Map<string, number>();
    const waiting: (() => void)[] = [];
    const connections = new Connections(limits, new ConnectionCount(), () => clock.ms);
    connections.useCensus(async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return new Map(real);
    });
    /** Ends the census in progress, if any. */
    const settle = async () => {
      for (const each of waiting.splice(0)) each();
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      clock.ms += 10;
    };
    const enter = (client: string) => {
      const isIn = connections.enter(client);
      if (isIn) real.set(client, (real.get(client) ?? 0) + 1);
      return isIn;
    };
    const leave = (client: string) => {
      connections.leave();
      real.set(client, (real.get(client) ?? 0) - 1);
    };
    return { clock, real, enter, leave, settle, waiting };
  }

  test('are counted by a census plus later arrivals', async () => {
    const { clock, real, enter, leave, settle } = counted();
    while (enter('hog'));
    assert.ok((real.get('hog') ?? 0) <= 710, `${real.get('hog')}`);
    await settle();
    // Another client opens and closes many times more connections than the limit.
    for (let round = 0; round < 300; round++) {
      for (let one = 0; one < 50; one++) assert.ok(enter('honest'), `round ${round}`);
      for (let one = 0; one < 50; one++) leave('honest');
      clock.ms += 50;
      await settle();
      enter('hog');
    }
    assert.ok((real.get('hog') ?? 0) <= 710, `${real.get('hog')}`);
  });

  test('count as if none had ended before the first census', () => {
    const { enter, leave } = counted();
    let entered = 0;
    for (let one = 0; one < 200; one++) enter('others');
    for (; entered < 5_000 && enter('hog'); entered++) leave('hog');
    assert.ok(entered < 2_000, `${entered}`);
  });

  test('are counted by census only as often as is worthwhile', async () => {
    const { enter, leave, waiting, clock, settle } = counted();
    for (let one = 0; one < 200; one++) enter('others');
    await settle();
    let asked = 0;
    for (let ms = 0; ms < 10_000; ms++) {
      if (enter('one')) leave('one');
      clock.ms++;
      asked += waiting.length;
      if (waiting.length > 0) await settle();
    }
    assert.ok(asked >= 5 && asked <= 200, `${asked}`);
  });

  test('are not counted per client while there are few, unless the limit per client is lower', () => {
    const { enter, waiting } = counted();
    for (let one = 0; one < 125; one++) assert.ok(enter('one'));
    assert.equal(waiting.length, 0);
    const few = counted({ maxConnections: 1_000, maxConnectionsPerClient: 10 });
    let entered = 0;
    while (few.enter('one')) entered++;
    assert.ok(entered <= 20, `${entered}`);
  });

  test('have only the total limit if the system reports nothing', async () => {
    let ms = 0;
    const connections = new Connections(LIMITS, new ConnectionCount(), () => ms++);
    connections.useCensus(() => Promise.resolve(undefined));
    let entered = 0;
    for (let one = 0; one < 5_000; one++) {
      if (connections.enter('one')) entered++;
      await Promise.resolve();
    }
    assert.ok(entered >= 800, `${entered}`);
  });
});
