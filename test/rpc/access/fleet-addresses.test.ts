// The rates of addresses over several nodes, with a store in this process.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { leakTimeNs, type Rate } from '../../../src/async/gcra.js';
import { AddressRates } from '../../../src/rpc/access/address-rates.js';
import {
  AddressReporter,
  type AddressUse,
  REPORT_MS,
  UnreportedUses,
} from '../../../src/rpc/access/address-reporter.js';
import { FleetAddresses } from '../../../src/rpc/access/fleet-addresses.js';
import { QuotaError } from '../../../src/rpc/access/quota-store.js';
import type { AddressLoad, SharedAddressLevels } from '../../../src/rpc/access/shared-quota-store.js';
import { eventually } from '../../support/eventually.js';

const CLIENT = 'paid 192.0.2.1';
const NS_PER_MS = 1_000_000n;

class FakeClock {
  #ns = 5_000_000_000n;
  readonly now = (): bigint => this.#ns;

  move(ms: number): void {
    this.#ns += BigInt(ms) * NS_PER_MS;
  }
}

/** The shared store: buckets that count without judging. */
class FakeLevels implements SharedAddressLevels {
  isUp = true;
  /** Each request. */
  readonly requests: (readonly AddressLoad[])[] = [];
  /** Requests are answered once this resolves. */
  gate: Promise<void> = Promise.resolve();
  readonly #emptyAt = new Map<string, bigint>();
  readonly #now: () => bigint;

  constructor(now: () => bigint) {
    this.#now = now;
  }

  async addUses(loads: readonly AddressLoad[]): Promise<readonly bigint[]> {
    this.requests.push(loads);
    const levels = loads.map(({ client, units, rate }) => {
      const now = this.#now();
      const known = this.#emptyAt.get(client) ?? 0n;
      const emptyAt = (known > now ? known : now) + leakTimeNs(units, rate);
      this.#emptyAt.set(client, emptyAt);
      return emptyAt - now;
    });
    await this.gate;
    if (!this.isUp) throw new QuotaError('unavailable', 'away');
    return levels;
  }

  unitsOf(client: string): number {
    return this.requests
      .flat()
      .filter((load) => load.client === client)
      .reduce((sum, { units }) => sum + units, 0);
  }
}

interface TestThread {
  readonly rates: AddressRates;
  readonly uses: UnreportedUses;
}

/** A node with several threads, whose reports the test sends itself. */
class TestNode {
  readonly threads: readonly TestThread[];
  readonly addresses: FleetAddresses;
  readonly faults: unknown[] = [];

  constructor(store: SharedAddressLevels, rate: Rate, threads: number, now: () => bigint) {
    const memory = AddressRates.memory();
    this.threads = Array.from({ length: threads }, () => {
      const uses = new UnreportedUses(threads, () => undefined);
      return { rates: new AddressRates(memory, now, uses), uses };
    });
    this.addresses = new FleetAddresses({
      store,
      rates: new AddressRates(memory, now),
      limits: { public: undefined, paid: rate },
      onFault: (error) => this.faults.push(error),
    });
  }

  charge(units: number, rate: Rate, thread = 0, client = CLIENT): boolean {
    return this.threads[thread]?.rates.charge(client, units, rate).isAllowed === true;
  }

  /** Reports what is due on all threads, as they do every quarter of a second. */
  async report(): Promise<void> {
    const { addresses, threads } = this;
    await Promise.all(threads.map(({ uses }) => addresses.report(uses.take(1_024))));
  }
}

function fleetOf(nodes: number, rate: Rate, threads = 1) {
  const clock = new FakeClock();
  const store = new FakeLevels(clock.now);
  return {
    clock,
    store,
    nodes: Array.from({ length: nodes }, () => new TestNode(store, rate, threads, clock.now)),
  };
}

describe('the rate of an address over a fleet', () => {
  test('holds for all nodes together in the long run', async () => {
    const rate = { perSecond: 100, burst: 200 };
    const { clock, nodes } = fleetOf(3, rate, 2);
    let served = 0;
    const seconds = 120;
    for (let tick = 0; tick < seconds * 20; tick++) {
      for (const node of nodes) {
        for (const thread of [0, 1]) while (node.charge(1, rate, thread)) served++;
        if (tick % 5 === 4) await node.report();
      }
      clock.move(50);
    }
    // A node of its own would serve 36,600.
    assert.ok(served <= 100 * seconds + 3 * 200 + 3 * 7, `${served} units`);
    assert.ok(served >= 100 * (seconds - 6), `${served} units`);
  });

  test('never exceeds the bound, for any load, delay and number of nodes and threads', async () => {
    const step = fc.record({
      node: fc.nat({ max: 3 }),
      thread: fc.nat({ max: 1 }),
      units: fc.integer({ min: 1, max: 50 }),
      times: fc.nat({ max: 30 }),
      waitMs: fc.nat({ max: 120 }),
      isSlow: fc.boolean(),
    });
    const setup = fc.record({
      nodes: fc.integer({ min: 1, max: 4 }),
      perSecond: fc.integer({ min: 20, max: 2_000 }),
      seconds: fc.integer({ min: 1, max: 10 }),
    });
    let fullest = 0;
    // Long enough for what the nodes do not learn to exceed their bursts.
    const load = fc.array(step, { minLength: 1, maxLength: 300, size: 'max' });
    const property = fc.asyncProperty(setup, load, async (given, steps) => {
      const rate = { perSecond: given.perSecond, burst: Math.max(50, given.perSecond * given.seconds) };
      const { clock, nodes, store } = fleetOf(given.nodes, rate, 2);
      const began = clock.now();
      let served = 0;
      /** Units served by a node since its last report began. */
      const recent = nodes.map(() => 0);
      /** The most of these, of any node. */
      let delayed = 0;
      const lastReport = nodes.map(() => began);
      for (const { node: at, thread, units, times, waitMs, isSlow } of steps) {
        const place = at % nodes.length;
        for (let call = 0; call < times; call++) {
          if (!nodes[place]?.charge(units, rate, thread)) break;
          served += units;
          recent[place] = (recent[place] ?? 0) + units;
          delayed = Math.max(delayed, recent[place] ?? 0);
        }
        clock.move(waitMs);
        for (const [index, node] of nodes.entries()) {
          if (clock.now() - (lastReport[index] ?? 0n) < BigInt(REPORT_MS) * NS_PER_MS) continue;
          lastReport[index] = clock.now();
          let open = (): void => undefined;
          if (isSlow) {
            store.gate = new Promise((resolve) => {
              open = resolve;
            });
          }
          const reported = node.report();
          recent[index] = 0;
          // Charges between the count and its answer.
          if (isSlow && node.charge(1, rate, thread)) {
            served++;
            recent[index] = 1;
          }
          open();
          await reported;
          store.gate = Promise.resolve();
        }
        const seconds = Number(clock.now() - began) / 1e9;
        const excess = nodes.length * (rate.burst / 32 + delayed);
        const bound = rate.perSecond * seconds + rate.burst + excess;
        assert.ok(served <= bound + 1e-6, `${served} units, at most ${bound}`);
        fullest = Math.max(fullest, (served - rate.perSecond * seconds) / rate.burst);
      }
    });
    await fc.assert(property, { numRuns: 150, endOnFailure: true });
    // One node alone never reaches a burst and a half.
    assert.ok(fullest > 1.5, `the loads stay below the bound anyway: ${fullest} bursts`);
  });

  test('binds a node only after the node itself has served a 32nd of the burst', async () => {
    const rate = { perSecond: 10, burst: 320 };
    const { nodes } = fleetOf(2, rate);
    const [busy, other] = nodes;
    assert.ok(busy !== undefined && other !== undefined);
    for (let call = 0; call < 32; call++) assert.ok(busy.charge(10, rate));
    await busy.report();
    assert.ok(other.charge(9, rate), 'below a 32nd of the burst, nothing is due');
    await other.report();
    assert.ok(other.charge(1, rate));
    await other.report();
    assert.ok(!other.charge(1, rate), 'the other node has used the burst');
  });

  test('forgives refunds, before and after the report', async () => {
    const rate = { perSecond: 1, burst: 64 };
    const { nodes, store } = fleetOf(1, rate);
    const [node] = nodes;
    const rates = node?.threads[0]?.rates;
    assert.ok(node !== undefined && rates !== undefined);
    assert.ok(node.charge(10, rate));
    rates.refund(CLIENT, 10, rate);
    await node.report();
    assert.equal(store.requests.length, 0);
    assert.ok(node.charge(10, rate));
    await node.report();
    rates.refund(CLIENT, 10, rate);
    assert.ok(node.charge(50, rate));
    await node.report();
    assert.equal(store.unitsOf(CLIENT), 50, 'the refund of a reported charge is set off');
  });

  test('keeps charges made during the count', async () => {
    const rate = { perSecond: 1, burst: 100 };
    const { nodes, store } = fleetOf(2, rate);
    const [busy, other] = nodes;
    assert.ok(busy !== undefined && other !== undefined);
    assert.ok(busy.charge(60, rate));
    await busy.report();
    assert.ok(other.charge(10, rate));
    let open = (): void => undefined;
    store.gate = new Promise((resolve) => {
      open = resolve;
    });
    const reported = other.report();
    assert.ok(other.charge(20, rate));
    open();
    await reported;
    assert.ok(!other.charge(11, rate), '60, 10 and 20 are used');
    assert.ok(other.charge(10, rate));
  });

  test('includes uses reported while an empty report is still settling', async () => {
    const rate = { perSecond: 1, burst: 100 };
    const { nodes, store } = fleetOf(1, rate);
    const [node] = nodes;
    assert.ok(node !== undefined);
    await Promise.all([
      node.addresses.report([]),
      node.addresses.report([{ client: CLIENT, cells: [0, 32_768], units: 7 }]),
    ]);
    assert.equal(store.unitsOf(CLIENT), 7);
  });

  test('is each node’s own while the store is down, without faults', async () => {
    const rate = { perSecond: 1, burst: 100 };
    const { nodes, store } = fleetOf(2, rate);
    store.isUp = false;
    for (const node of nodes) {
      for (let call = 0; call < 10; call++) assert.ok(node.charge(10, rate));
      assert.ok(!node.charge(10, rate));
      await node.report();
      assert.deepEqual(node.faults, []);
    }
    assert.equal(store.requests.length, 0, 'nothing is sent, now or later');
    store.isUp = true;
    for (const node of nodes) await node.report();
    assert.equal(store.requests.length, 0);
  });

  test('survives a store that fails during a count', async () => {
    const rate = { perSecond: 1, burst: 100 };
    const { nodes, store } = fleetOf(1, rate);
    const [node] = nodes;
    assert.ok(node !== undefined);
    assert.ok(node.charge(50, rate));
    store.gate = Promise.reject(new QuotaError('unavailable', 'cut'));
    await node.report();
    assert.deepEqual(node.faults, []);
    assert.ok(node.charge(50, rate));
    store.gate = Promise.reject(new Error('a fault of the node'));
    await node.report();
    assert.equal(node.faults.length, 1);
  });
});

describe('the reports of a fleet’s addresses', () => {
  const rate = { perSecond: 1, burst: 64 };

  test('take the heaviest clients first, and keep the others', () => {
    const uses = new UnreportedUses(1, () => undefined);
    const clock = new FakeClock();
    const rates = new AddressRates(AddressRates.memory(), clock.now, uses);
    for (let at = 0; at < 30; at++) rates.charge(`paid ${at}`, 2 + at, rate);
    assert.deepEqual(
      uses.take(3).map(({ units }) => units),
      [31, 30, 29],
    );
    assert.equal(uses.due, 27);
    rates.charge('paid 0', 40, rate);
    assert.equal(uses.take(1)[0]?.client, 'paid 0', 'a client that waits gets heavier');
  });

  test('have bounded lists, however many clients there are', () => {
    const uses = new UnreportedUses(1, () => undefined);
    const rates = new AddressRates(AddressRates.memory(), new FakeClock().now, uses);
    for (let at = 0; at < 20_000; at++) rates.charge(`paid ${at}`, 2, rate);
    assert.equal(uses.due, 4_096);
    uses.take(4_096);
    // A client that found no place becomes due by its next charge.
    rates.charge('paid 19999', 1, rate);
    assert.deepEqual(
      uses.take(10).map(({ client, units }) => [client, units]),
      [['paid 19999', 3]],
    );
  });

  test('are sent by one request at a time, of at most 1,024 clients', async () => {
    const { nodes, store } = fleetOf(1, rate);
    const [node] = nodes;
    assert.ok(node !== undefined);
    let open = (): void => undefined;
    store.gate = new Promise((resolve) => {
      open = resolve;
    });
    const use = (at: number): AddressUse => ({ client: `paid ${at}`, cells: [at, 32_768 + at], units: 1 });
    const reports = Array.from({ length: 40 }, (_, part) =>
      node.addresses.report(Array.from({ length: 1_000 }, (_, at) => use(part * 1_000 + at))),
    );
    reports.push(node.addresses.report([use(1_500), use(1_500)]));
    await sleep(5);
    assert.equal(store.requests.length, 1, 'the next waits for the answer');
    open();
    await Promise.all(reports);
    assert.equal(Math.max(...store.requests.map((loads) => loads.length)), 1_024);
    // What finds no place is dropped: the first request, and 16,384 clients behind it.
    assert.equal(store.requests.flat().length, 1_000 + 16_384);
    assert.equal(store.unitsOf('paid 1500'), 3, 'uses of the same client are merged');
  });

  test('are sent by a thread only while it has due clients, and never two at once', async () => {
    const reports: (readonly AddressUse[])[] = [];
    let settle = (): void => undefined;
    const reporter = new AddressReporter({
      reports: {
        report: (uses) => {
          reports.push(uses);
          return new Promise((resolve, reject) => {
            settle = reports.length === 1 ? () => reject(new Error('lost')) : resolve;
          });
        },
      },
      threads: 1,
    });
    const rates = new AddressRates(AddressRates.memory(), undefined, reporter.uses);
    rates.charge('paid 1', 1, rate);
    await sleep(2 * REPORT_MS);
    assert.equal(reports.length, 0, 'one unit is not due');
    rates.charge('paid 1', 1, rate);
    await eventually('the report', async () => reports.length === 1);
    rates.charge('paid 1', 9, rate);
    rates.charge('paid 2', 3, rate);
    await sleep(2 * REPORT_MS);
    assert.equal(reports.length, 1, 'the last report is not settled');
    settle();
    await eventually('the next report, after a failed one', async () => reports.length === 2);
    assert.deepEqual(
      reports[1]?.map(({ client, units }) => [client, units]),
      [
        ['paid 1', 9],
        ['paid 2', 3],
      ],
    );
    settle();
    await sleep(2 * REPORT_MS);
    assert.equal(reports.length, 2);
  });
});
