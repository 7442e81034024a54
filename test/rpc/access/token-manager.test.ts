import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { SILENT_LOG } from '../../../src/cli/silent-log.js';
import { QuotaError } from '../../../src/rpc/access/quota-store.js';
import { TokenMeter } from '../../../src/rpc/access/token-meter.js';
import { TokenSlots } from '../../../src/rpc/access/token-slots.js';
import type { IssuedToken, TokenClaims } from '../../../src/rpc/access/tokens.js';
import { TokenUsage } from '../../../src/rpc/access/usage/usage-counter.js';
import { eventually } from '../../support/eventually.js';
import { pricedMethod } from '../../support/tokens/priced-method.js';
import { TestAccess } from '../../support/tokens/test-access.js';

const HOUR_MS = 3_600_000;

describe('the token manager', () => {
  let tokens: TestAccess;
  const opened: TestAccess[] = [];
  beforeEach(async () => {
    tokens = await TestAccess.open({ log: SILENT_LOG });
    opened.push(tokens);
  });
  after(async () => {
    for (const one of opened) await one.dispose();
  });

  const issue = (claims: Partial<TokenClaims> = {}): Promise<IssuedToken> =>
    tokens.issue({ subject: 'ann', tier: 'paid', expiresAtMs: Date.now() + HOUR_MS, ...claims });

  /** A meter as a front thread has it; several share the token's units. */
  const meter = async (token: IssuedToken): Promise<TokenMeter> => {
    const slots = new TokenSlots(tokens.memory.tokens);
    const rate = token.rate === undefined ? undefined : { perSecond: token.rate, burst: token.rate };
    const inUse = {
      ...(await tokens.manager.open(token)),
      token,
      rate,
      usage: new TokenUsage(token, () => undefined),
    };
    return new TokenMeter({ slots, service: tokens.manager, shared: undefined }, inUse, () => undefined);
  };

  const spend = async (from: TokenMeter, price: number): Promise<string> => {
    const outcome = from.charge(pricedMethod(price));
    const refusal = outcome === 'wait' ? await from.chargeLater(pricedMethod(price)) : outcome;
    return refusal?.kind ?? 'served';
  };

  test('many threads spend exactly the units of a token, then each call is refused with the price', async () => {
    const token = await issue({ units: 10_007 });
    const meters = await Promise.all(Array.from({ length: 4 }, () => meter(token)));
    const counts = new Map<string, number>();
    const caller = async (from: TokenMeter): Promise<void> => {
      for (let call = 0; call < 400; call++) {
        const outcome = await spend(from, 10);
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      }
    };
    await Promise.all(meters.map(caller));
    assert.deepEqual(
      counts,
      new Map([
        ['served', 1_000],
        ['payment_required', 600],
      ]),
    );
    const [first] = meters;
    assert.ok(first !== undefined);
    assert.deepEqual((await first.chargeLater(pricedMethod(10)))?.details, { price: 10, left: 7 });
    assert.equal(await spend(first, 7), 'served', 'the rest buys cheaper calls');
    assert.equal((await tokens.manager.show(token.id)).left, 0);
  });

  test('the balance pays for work beyond the units on hand, and never falls below zero', async () => {
    const token = await issue({ units: 1_000 });
    const [one, other] = [await meter(token), await meter(token)];
    assert.equal(await spend(one, 10), 'served');
    one.chargeWork(600, pricedMethod(1));
    assert.equal((await tokens.manager.show(token.id)).left, 390);
    assert.equal(await spend(other, 10), 'served', 'the balance covers the work and the call');
    other.chargeWork(2_000, pricedMethod(1));
    assert.equal((await tokens.manager.show(token.id)).left, 0);
    assert.deepEqual((await one.chargeLater(pricedMethod(10)))?.details, { price: 10, left: 0 });
    await tokens.manager.topUp(token.id, 5_000);
    assert.equal(await spend(await meter(token), 10), 'served');
    assert.equal((await tokens.manager.show(token.id)).left, 5_000 + 380 - 2_000 - 10);
    one.chargeWork(400, pricedMethod(1));
    await tokens.manager.close();
    assert.equal(
      (await tokens.quotas.get(token.id))?.left,
      2_970,
      'work is charged if the token is not used again',
    );
  });

  test('a top-up is usable within a second', async () => {
    const token = await issue({ units: 10 });
    const from = await meter(token);
    assert.equal(await spend(from, 10), 'served');
    assert.equal(await spend(from, 10), 'payment_required');
    assert.equal((await tokens.manager.topUp(token.id, 25)).left, 25);
    await eventually('the top-up is usable', async () => (await spend(from, 10)) === 'served');
    assert.equal((await tokens.manager.show(token.id)).left, 15);
    assert.equal((await tokens.manager.show(token.id)).units, 35);
  });

  test('units of an idle token go back to the store', async () => {
    const token = await issue({ units: 1_000 });
    assert.equal(await spend(await meter(token), 10), 'served');
    const store = tokens.quotas;
    assert.ok(((await store.get(token.id))?.left ?? 0) < 990, 'some units are on hand');
    await eventually('the units are given back', async () => (await store.get(token.id))?.left === 990);
  });

  test('closing gives back what was not spent', async () => {
    const token = await issue({ units: 1_000 });
    assert.equal(await spend(await meter(token), 10), 'served');
    await tokens.manager.close();
    assert.equal((await tokens.quotas.get(token.id))?.left, 990);
  });

  test('a refunded call costs nothing', async () => {
    const token = await issue({ units: 10, rate: 10 });
    const from = await meter(token);
    assert.equal(await spend(from, 10), 'served');
    from.refund(pricedMethod(10));
    assert.equal(await spend(from, 10), 'served');
    assert.equal((await tokens.manager.show(token.id)).left, 0);
  });

  test('a revoked token is refused at once, in requests under way too', async () => {
    const token = await issue({ units: 1_000 });
    const from = await meter(token);
    assert.equal(await spend(from, 10), 'served');
    const record = await tokens.manager.revoke(token.id);
    assert.ok(record.revokedMs !== undefined);
    assert.equal(record.left, 990);
    assert.equal(await spend(from, 10), 'unauthorized');
    await assert.rejects(tokens.manager.open(token), /revoked/);
  });

  test('a rate limits a token in addition to its units', async () => {
    const token = await issue({ units: 1_000, rate: 20 });
    const from = await meter(token);
    assert.equal(await spend(from, 20), 'served');
    assert.equal(await spend(from, 20), 'rate_limited');
    assert.equal((await tokens.manager.show(token.id)).left, 980, 'a refused call costs no units');
    const headers = new Map(from.headers());
    assert.equal(headers.get('ratelimit-limit'), '20');
    assert.equal(headers.get('ratelimit-policy'), '"token";q=20;w=1');
  });

  test('unknown and unlimited tokens cannot be topped up', async () => {
    const code = (expected: string) => (error: unknown) =>
      error instanceof QuotaError && error.code === expected;
    await assert.rejects(tokens.manager.topUp('nobody', 1), code('unknown_token'));
    await assert.rejects(tokens.manager.revoke('nobody'), code('unknown_token'));
    await assert.rejects(tokens.manager.topUp((await issue()).id, 1), code('not_prepaid'));
    const full = await issue({ units: Number.MAX_SAFE_INTEGER });
    await assert.rejects(tokens.manager.topUp(full.id, 1), code('too_many_units'));
  });

  test('a token without a record gets one from its claims, once', async () => {
    const foreign: IssuedToken = {
      token: '',
      id: 'from elsewhere',
      subject: 'bob',
      tier: 'paid',
      units: 50,
      rate: undefined,
      issuedAtMs: undefined,
      expiresAtMs: Date.now() + HOUR_MS,
    };
    assert.equal(await spend(await meter(foreign), 50), 'served');
    await tokens.manager.close();
    assert.equal(await spend(await meter(foreign), 1), 'payment_required');
  });

  test('a token of another issuer can be revoked once it was used', async () => {
    const foreign: IssuedToken = {
      token: '',
      id: 'a foreign one',
      subject: 'bob',
      tier: 'admin',
      units: undefined,
      rate: undefined,
      issuedAtMs: undefined,
      expiresAtMs: Date.now() + HOUR_MS,
    };
    const from = await meter(foreign);
    assert.equal(await spend(from, 1), 'served');
    await tokens.manager.revoke(foreign.id);
    assert.equal(await spend(from, 1), 'unauthorized');
    await assert.rejects(tokens.manager.open(foreign), /revoked/);
  });

  test('refused calls do not make the node take more units than served ones', async () => {
    const token = await issue({ units: 10 });
    const from = await meter(token);
    assert.equal(await spend(from, 10), 'served');
    for (let call = 0; call < 500; call++) assert.equal(await spend(from, 50), 'payment_required');
    await tokens.manager.topUp(token.id, 100_000);
    await eventually('the top-up is usable', async () => (await spend(from, 10)) === 'served');
    const inStore = (await tokens.quotas.get(token.id))?.left ?? 0;
    assert.ok(inStore > 99_000, `${inStore} units are in the store`);
  });

  test('records are kept for a month after the token has expired', async () => {
    const old = await issue({ expiresAtMs: Date.now() - 31 * 24 * HOUR_MS });
    const recent = await issue({ expiresAtMs: Date.now() - 29 * 24 * HOUR_MS });
    await tokens.manager.purge();
    const ids = (await tokens.manager.list()).map(({ id }) => id);
    assert.ok(!ids.includes(old.id));
    assert.ok(ids.includes(recent.id));
  });
});
