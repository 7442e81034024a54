import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RpcClient } from '../../../outside/rpc.js';
import { eventually } from '../../eventually.js';
import { callAccount, PRICE, refusedToAll } from '../fleet.js';
import { allLosses, type FleetWorld } from './world.js';

const CONNECTIONS = 64;

interface BalanceLoads {
  /** Units of the token that is spent undisturbed; odd. */
  readonly exactUnits: number;
  /** Units of the tokens that are spent while Redis or a node ends; Redis ends the sooner the fewer there are. */
  readonly killUnits: number;
  /** How Redis ends. */
  readonly signals: readonly NodeJS.Signals[];
  /** How often it ends while a token is spent. */
  readonly rounds: number;
  readonly killsNode: boolean;
}

/** A prepaid token on three nodes. */
export function testBalance(world: () => FleetWorld, loads: BalanceLoads): void {
  const { exactUnits, killUnits, signals, rounds, killsNode } = loads;

  /** Spends a token from many connections until all nodes that still run refuse it, or `done` says so. */
  const spend = async (token: string, isDone: () => boolean = () => false): Promise<number> => {
    let served = 0;
    const caller = async (at: number): Promise<void> => {
      const rpc = new RpcClient(world().nodes[at % 3]?.url ?? '', token);
      let failures = 0;
      while (!isDone()) {
        const status = await callAccount(rpc);
        if (status === 402) break;
        if (status === 200) served++;
        failures = status === 0 ? failures + 1 : 0;
        // Its node is killed.
        if (failures === 20) break;
        if (status !== 200) await sleep(20);
      }
      rpc.close();
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, at) => caller(at)));
    return served;
  };

  const dataDir = (): string => world().nodes[0]?.dataDir ?? '';
  const issue = (units: number) =>
    world().fleet.token(dataDir(), 'issue', '--tier', 'paid', '--units', `${units}`);

  /** Spends a token to its last call while Redis answers. */
  const spendExactly = async (): Promise<{ readonly id: string; readonly token: string }> => {
    for (let trial = 1; ; trial++) {
      const lostBefore = allLosses(world());
      const { id, token } = await issue(exactUnits);
      let spent = PRICE * (await spend(token));
      // A node that found nothing may refuse a call while another gives units back.
      await eventually('all units are spent', async () => {
        spent += PRICE * (await spend(token));
        assert.ok(spent <= exactUnits, `${spent} units`);
        return spent === exactUnits - 1 || allLosses(world()) > lostBefore;
      });
      if (spent === exactUnits - 1) return { id, token };
      assert.ok(trial < 5, 'the nodes lose Redis');
    }
  };

  test('buys exactly its units from 64 connections', async () => {
    const { id, token } = await spendExactly();
    await eventually(
      'the rest is in the store',
      async () => (await world().fleet.token(dataDir(), 'show', id)).left === 1,
    );
    assert.equal((await world().fleet.token(dataDir(), 'top-up', id, '--units', '9')).left, 10);
    let more = 0;
    await eventually('the top-up is usable', async () => {
      more += await spend(token);
      return more === 5;
    });
  });

  for (const signal of signals) {
    test(`never buys one unit too many when Redis ends by ${signal}`, async () => {
      const units = killUnits;
      const { id, token } = await issue(units);
      const spending = spend(token);
      for (let round = 0; round < rounds; round++) {
        await sleep(killUnits / 100);
        await world().server.stop(signal);
        await sleep(200);
        await world().server.start();
      }
      const served = await spending;
      assert.ok(served > 0);
      for (const { log } of world().denying) {
        assert.match(log, /is lost \([^)]+\): tokens that this node has not seen are refused/);
        assert.match(log, /--quota-store redis:\/\/127\.0\.0\.1:\d+\/0 is back/);
      }
      assert.ok(served * PRICE <= units, `${served * PRICE} of ${units} units`);
      let total = served;
      await eventually('the balance is used up', async () => {
        total += await spend(token);
        return (await world().fleet.token(dataDir(), 'show', id)).left < PRICE;
      });
      assert.ok(total * PRICE <= units, `${total * PRICE} of ${units} units`);
    });
  }

  if (killsNode) {
    test('never buys one unit too many when a node is killed', async () => {
      const units = killUnits;
      const { id, token } = await issue(units);
      const spending = spend(token);
      await sleep(500);
      const victim = world().nodes[2];
      assert.ok(victim !== undefined);
      await victim.kill();
      const restarted = world().fleet.restart(victim.dataDir);
      let total = await spending;
      world().nodes[2] = await restarted;
      await eventually('the balance is used up', async () => {
        total += await spend(token);
        return (await world().fleet.token(dataDir(), 'show', id)).left < PRICE;
      });
      assert.ok(total > 0);
      assert.ok(total * PRICE <= units, `${total * PRICE} of ${units} units`);
    });
  }

  test('is refused on all nodes after its revocation on one', async () => {
    const { id, token } = await issue(1_000_000);
    const clients = Array.from(
      { length: 12 },
      (_, at) => new RpcClient(world().nodes[at % 3]?.url ?? '', token),
    );
    const statuses = async (): Promise<Set<number>> => new Set(await Promise.all(clients.map(callAccount)));
    await eventually('all nodes serve it', async () => [...(await statuses())].join() === '200');
    await world().fleet.token(dataDir(), 'revoke', id);
    await refusedToAll(clients);
    for (const rpc of clients) rpc.close();
    assert.equal((await world().fleet.token(world().nodes[1]?.dataDir ?? '', 'show', id)).state, 'revoked');
  });

  test('prints no password', () => {
    for (const { log } of world().fleet.nodes) assert.doesNotMatch(log, /fleet-password/);
  });
}
