import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SILENT_LOG } from '../../../src/cli/silent-log.js';
import { purgeDaily } from '../../../src/rpc/access/daily-purge.js';
import { surplusHolders } from '../../../src/rpc/access/slot-allocator.js';
import { GAS_BUCKET, TOKEN_SLOTS, type TokenSlot, TokenSlots } from '../../../src/rpc/access/token-slots.js';
import type { VerifiedToken } from '../../../src/rpc/access/tokens.js';
import { RpcError } from '../../../src/rpc/errors.js';
import { eventually } from '../../support/eventually.js';
import { TestAccess } from '../../support/tokens/test-access.js';

const AT_ONCE = 256;
/** Leaks one unit in 1,000 seconds. */
const RATE = { perSecond: 0.001, burst: 10 };

describe('when one subject opens more tokens than there are slots', () => {
  let tokens: TestAccess;
  let slots: TokenSlots;
  before(async () => {
    tokens = await TestAccess.open({ log: SILENT_LOG });
    slots = new TokenSlots(tokens.memory.tokens);
  });
  after(() => tokens.dispose());

  const tokenOf = (subject: string, id: string): VerifiedToken => ({
    id,
    subject,
    tier: 'paid',
    issuedAtMs: undefined,
    expiresAtMs: Date.now() + 3_600_000,
  });
  const open = (subject: string, id = subject): Promise<TokenSlot> =>
    tokens.manager.open(tokenOf(subject, id));

  test('other tokens keep theirs, new ones get one, and a rate continues where it stopped', async () => {
    const ann = await open('ann');
    const spent = await open('mallory', 'spent');
    assert.ok(slots.chargeRate(spent, 10, RATE).isAllowed);
    assert.equal(slots.reserve(spent, GAS_BUCKET, 10, RATE), undefined);
    const opened: TokenSlot[] = [];
    for (let n = 0; n < TOKEN_SLOTS + AT_ONCE; n += AT_ONCE) {
      const flood = Array.from({ length: AT_ONCE }, (_, at) => open('mallory', `mallory ${n + at}`));
      for (const outcome of await Promise.allSettled(flood)) {
        if (outcome.status === 'fulfilled') opened.push(outcome.value);
        else assert.ok(outcome.reason instanceof RpcError && outcome.reason.kind === 'overloaded');
      }
    }
    assert.ok(opened.filter((slot) => !slots.isCurrent(slot)).length > 0, 'some have lost their slots');
    assert.ok(slots.isCurrent(ann));
    for (let n = 0; n < 10; n++) {
      const bob = await open(`bob ${n}`);
      assert.ok(slots.isCurrent(bob));
      assert.ok(slots.chargeRate(bob, 10, RATE).isAllowed);
    }
    assert.ok(!slots.isCurrent(spent), 'the least recently used token of the subject goes first');
    await sleep(1_100);
    const again = await open('mallory', 'spent');
    assert.ok(!slots.chargeRate(again, 1, RATE).isAllowed, 'no fresh burst');
    assert.notEqual(slots.reserve(again, GAS_BUCKET, 1, RATE), undefined);
    await eventually('slots become free', async () => {
      const late = await open('mallory', 'late').catch(() => undefined);
      return late !== undefined && slots.chargeRate(late, 1, RATE).isAllowed;
    });
  });
});

describe('the tokens that lose their slots', () => {
  const holder = (subject: string, lastUse: number) => ({ token: { subject }, lastUse });

  test('are the least recently used ones of the subject with the most slots', () => {
    const [a, b, c] = [holder('ann', 1), holder('ann', 2), holder('ann', 3)];
    const [d, e] = [holder('bob', 0), holder('bob', 9)];
    assert.deepEqual(surplusHolders([d, c, a, e, b], 3), [a, d, b]);
  });

  test('are the first ones opened if all were used at the same time', () => {
    const all = Array.from({ length: 5 }, () => holder('ann', 7));
    const chosen = surplusHolders(all, 2);
    assert.ok(chosen.length === 2 && chosen[0] === all[0] && chosen[1] === all[1]);
  });

  test('are the least recently used ones of all if every subject has one', () => {
    const [a, b, c] = [holder('ann', 2), holder('bob', 1), holder('cid', 3)];
    assert.deepEqual(surplusHolders([a, b, c], 2), [b, a]);
    assert.deepEqual(surplusHolders([], 2), []);
  });
});

test('expired records are deleted an hour after the start and then daily, even after a failure', async () => {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  try {
    const faults: unknown[] = [];
    let purges = 0;
    const purge = async (): Promise<void> => {
      if (++purges === 1) throw new Error('the store is busy');
    };
    const end = purgeDaily(purge, (error) => faults.push(error));
    // A machine that starts with a wrong clock has an hour to correct it.
    mock.timers.tick(3_599_000);
    assert.equal(purges, 0);
    mock.timers.tick(1_000);
    assert.equal(purges, 1);
    for (let day = 1; day <= 3; day++) {
      mock.timers.tick(24 * 3_600_000);
      assert.equal(purges, 1 + day);
    }
    await Promise.resolve();
    assert.equal(faults.length, 1);
    end();
    mock.timers.tick(24 * 3_600_000);
    assert.equal(purges, 4);
  } finally {
    mock.timers.reset();
  }
});
