// The manager and the meter of a node whose quotas are shared, with a store that can be taken away.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { monotonicNs } from '../../../src/async/gcra.js';
import { SILENT_LOG } from '../../../src/cli/silent-log.js';
import { FleetQuotas } from '../../../src/rpc/access/fleet-quotas.js';
import { QuotaError } from '../../../src/rpc/access/quota-store.js';
import { RateLeases } from '../../../src/rpc/access/rate-leases.js';
import type { QuotaStoreWatcher, SharedQuotaStore } from '../../../src/rpc/access/shared-quota-store.js';
import { TokenManager } from '../../../src/rpc/access/token-manager.js';
import { TokenMeter } from '../../../src/rpc/access/token-meter.js';
import { TokenSlots } from '../../../src/rpc/access/token-slots.js';
import type { VerifiedToken } from '../../../src/rpc/access/tokens.js';
import { TokenUsage } from '../../../src/rpc/access/usage/usage-counter.js';
import { eventually } from '../../support/eventually.js';
import { pricedMethod } from '../../support/tokens/priced-method.js';
import { TestAccess } from '../../support/tokens/test-access.js';

const HOUR_MS = 3_600_000;

describe('a token of a fleet', () => {
  let base: TestAccess;
  let managers: TokenManager[];
  beforeEach(async () => {
    base = await TestAccess.open({ log: SILENT_LOG });
    managers = [];
  });
  afterEach(async () => {
    for (const manager of managers) await manager.close();
    await base.dispose();
  });

  /** A shared store on the embedded one of the test, whose rates have `room` units. */
  const shared = (room: number) => {
    const watchers: QuotaStoreWatcher[] = [];
    const state = {
      isUp: true,
      room,
      leased: 0,
      leases: 0,
      missed: [] as string[],
      giveBack: (id: string, units: number) => base.quotas.giveBack(id, units),
    };
    const checked = <T>(work: () => Promise<T>): Promise<T> =>
      state.isUp ? work() : Promise.reject(new QuotaError('unavailable', 'away'));
    const { quotas } = base;
    const store: SharedQuotaStore = {
      get isUp() {
        return state.isUp;
      },
      watch: (watcher) => void watchers.push(watcher),
      get: (id) => checked(() => quotas.get(id)),
      register: (record) => checked(() => quotas.register(record)),
      take: (id, units, least) => checked(() => quotas.take(id, units, least)),
      giveBack: (id, units) => checked(() => state.giveBack(id, units)),
      topUp: (id, units) => checked(() => quotas.topUp(id, units)),
      revoke: (id, nowMs) => checked(() => quotas.revoke(id, nowMs)),
      list: () => checked(() => quotas.list()),
      purge: (beforeMs) => checked(() => quotas.purge(beforeMs)),
      leaseRate: (_id, units, { perSecond }) =>
        checked(async () => {
          const granted = Math.min(units, state.room);
          state.room -= granted;
          state.leased += granted;
          state.leases++;
          return { units: granted, emptyMs: (1_000 * state.leased) / perSecond };
        }),
      revokedSince: (cursor = 0) =>
        checked(async () => ({ ids: state.missed.slice(cursor), cursor: state.missed.length })),
      revokedOf: (ids) => checked(async () => ids.filter((id) => state.missed.includes(id))),
    };
    const turn = (isUp: boolean): void => {
      state.isUp = isUp;
      for (const watcher of watchers) {
        if (isUp) watcher.onUp();
        else watcher.onDown();
      }
    };
    return { store, state, watchers, turn };
  };

  const nodeOf = (store: SharedQuotaStore, fallback: 'deny' | 'local') => {
    // The buckets do not leak meanwhile.
    const begun = monotonicNs();
    const now = () => begun;
    const [slots, leases] = [
      new TokenSlots(TokenSlots.memory(), now),
      new RateLeases(RateLeases.memory(), now),
    ];
    const faults: unknown[] = [];
    const onFault = (error: unknown) => void faults.push(error);
    const fleet = new FleetQuotas({
      store,
      slots,
      leases,
      fallback,
      maxCost: 50,
      onFault,
      onChange: () => undefined,
    });
    const sign = () => Promise.reject(new Error('not used'));
    const lost: number[] = [];
    const onUnreturned = (tokens: number) => void lost.push(tokens);
    const manager = new TokenManager({ store, fleet, slots, sign, now: Date.now, onFault, onUnreturned });
    managers.push(manager);
    const meter = async (token: VerifiedToken): Promise<TokenMeter> => {
      const rate = token.rate === undefined ? undefined : { perSecond: token.rate, burst: token.rate };
      const inUse = {
        ...(await manager.open(token)),
        token,
        rate,
        usage: new TokenUsage(token, () => undefined),
      };
      const shared = { leases, fallback };
      return new TokenMeter({ slots, service: manager, shared }, inUse, () => undefined);
    };
    return { meter, manager, leases, faults, lost };
  };

  const tokenOf = (claims: Partial<VerifiedToken>): VerifiedToken => ({
    id: 'shared',
    subject: 'ann',
    tier: 'paid',
    issuedAtMs: undefined,
    expiresAtMs: Date.now() + HOUR_MS,
    ...claims,
  });

  const spend = async (from: TokenMeter, price: number): Promise<string> => {
    const outcome = from.charge(pricedMethod(price));
    return (outcome === 'wait' ? await from.chargeLater(pricedMethod(price)) : outcome)?.kind ?? 'served';
  };

  test('spends what its nodes lease, and then waits', async () => {
    const { store, state } = shared(100);
    const token = tokenOf({ rate: 100 });
    const [one, other] = [nodeOf(store, 'deny'), nodeOf(store, 'deny')];
    const meters = [await one.meter(token), await other.meter(token)];
    let served = 0;
    for (let call = 0; call < 30; call++) {
      for (const meter of meters) served += (await spend(meter, 10)) === 'served' ? 10 : 0;
    }
    assert.ok(served <= 100, `${served} units`);
    assert.equal(state.leased, 100);
    const refusal = await meters[0]?.chargeLater(pricedMethod(10));
    assert.equal(refusal?.kind, 'rate_limited');
  });

  test('reports fewer remaining units than a refused call costs', async () => {
    // Nodes can lease what the burst holds beyond a quarter of a second.
    const { store } = shared(75);
    const token = tokenOf({ rate: 100 });
    const [one, other] = [nodeOf(store, 'deny'), nodeOf(store, 'deny')];
    const meters = [await one.meter(token), await other.meter(token)];
    const remaining = (meter: TokenMeter) => Number(new Map(meter.headers()).get('ratelimit-remaining'));
    let refusals = 0;
    for (let call = 0; call < 20; call++) {
      for (const meter of meters) {
        const outcome = await spend(meter, 10);
        if (outcome === 'served') continue;
        refusals++;
        assert.ok(remaining(meter) < 10, `${remaining(meter)} left`);
      }
    }
    assert.ok(refusals > 20, `${refusals}`);
  });

  test('pays for work beyond its leases with its next calls', async () => {
    const { store, state } = shared(400);
    const from = await nodeOf(store, 'deny').meter(tokenOf({ rate: 100 }));
    assert.equal(await spend(from, 10), 'served');
    from.chargeWork(150, pricedMethod(1));
    const before = state.leased;
    assert.equal(await spend(from, 10), 'served');
    assert.equal(await spend(from, 10), 'served');
    assert.ok(state.leased - before >= 140, `${state.leased - before} units were leased`);
  });

  test('doubles its leases from its first call on', async () => {
    const { store, state } = shared(1_000_000);
    const from = await nodeOf(store, 'deny').meter(tokenOf({ rate: 100_000 }));
    for (let call = 0; call < 4_000; call++) assert.equal(await spend(from, 1), 'served');
    // Twelve doublings, and a few leases that expired on a slow machine.
    assert.ok(state.leases <= 100, `${state.leases} leases`);
  });

  test('does not ask again before the rate can have room', async () => {
    const { store, state } = shared(10);
    const from = await nodeOf(store, 'deny').meter(tokenOf({ rate: 10 }));
    assert.equal(await spend(from, 10), 'served');
    assert.equal(await spend(from, 10), 'rate_limited');
    state.room = 1_000;
    assert.notEqual(from.charge(pricedMethod(10)), 'wait');
  });

  test('is refused with deny once nothing is on hand, and the refusals are counted', async () => {
    const { store, turn } = shared(0);
    const { meter, leases, faults } = nodeOf(store, 'deny');
    const from = await meter(tokenOf({ units: 1_000 }));
    assert.equal(await spend(from, 10), 'served');
    turn(false);
    let onHand = 0;
    while ((await spend(from, 10)) === 'served') onHand += 10;
    assert.ok(onHand > 0 && onHand < 990, `${onHand} units`);
    assert.equal(from.charge(pricedMethod(10)) === 'wait', false, 'no thread is asked');
    assert.equal(await spend(from, 10), 'not_ready');
    assert.equal(leases.refusals, 3);
    turn(true);
    assert.equal(await spend(from, 10), 'served');
    assert.deepEqual(faults, []);
  });

  test('has its rate on the node alone with local, and never more units', async () => {
    const { store, turn } = shared(0);
    const { meter } = nodeOf(store, 'local');
    turn(false);
    const rated = await meter(tokenOf({ id: 'rated', rate: 100 }));
    for (let call = 0; call < 10; call++) assert.equal(await spend(rated, 10), 'served');
    assert.equal(await spend(rated, 10), 'rate_limited');
    assert.equal(await spend(await meter(tokenOf({ id: 'prepaid', units: 1_000 })), 10), 'not_ready');
    assert.equal(await spend(await meter(tokenOf({ id: 'free' })), 10), 'served');
  });

  test('does not delay the stop of its node while the store hangs or is down', async () => {
    for (const [isUp, giveBack] of [
      [true, () => new Promise<void>(() => undefined)],
      [true, () => Promise.reject(new QuotaError('unavailable', 'a hanging server'))],
      [false, () => Promise.resolve()],
    ] as const) {
      const { store, state, turn } = shared(0);
      state.giveBack = giveBack;
      const { meter, manager, faults, lost } = nodeOf(store, 'deny');
      assert.equal(await spend(await meter(tokenOf({ units: 1_000 })), 10), 'served');
      if (!isUp) turn(false);
      await manager.close();
      assert.deepEqual([lost, faults], [[1], []]);
    }
  });

  test('returns its units on hand when its node stops', async () => {
    const { store } = shared(0);
    const { meter, manager, lost } = nodeOf(store, 'deny');
    assert.equal(await spend(await meter(tokenOf({ units: 1_000 })), 10), 'served');
    await manager.close();
    assert.deepEqual(lost, []);
    assert.equal((await base.quotas.get('shared'))?.left, 990);
  });

  test('is refused before its first use with deny, because it may have been revoked', async () => {
    const { store, turn } = shared(0);
    const { manager } = nodeOf(store, 'deny');
    turn(false);
    await assert.rejects(manager.open(tokenOf({})), (error: unknown) => error instanceof QuotaError);
  });

  test('ends when a message or a check revokes it, and is not accepted again while the store is down', async () => {
    const { store, state, watchers, turn } = shared(0);
    const { meter, manager } = nodeOf(store, 'local');
    const told = await meter(tokenOf({ id: 'told' }));
    const missed = await meter(tokenOf({ id: 'missed' }));
    assert.equal(await spend(told, 1), 'served');
    for (const watcher of watchers) watcher.onRevoked('told');
    assert.equal(await spend(told, 1), 'unauthorized');
    assert.equal(await spend(missed, 1), 'served');
    state.missed.push('missed');
    await eventually('the check finds it', async () => (await spend(missed, 1)) === 'unauthorized');
    turn(false);
    await assert.rejects(manager.open(tokenOf({ id: 'told' })), /revoked/);
    await assert.rejects(manager.open(tokenOf({ id: 'missed' })), /revoked/);
  });
});
