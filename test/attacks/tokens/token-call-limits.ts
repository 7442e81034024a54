// The holder of a token with limits of gas and time burns as much as it can, and hangs up to avoid paying.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { counting, deployCompute } from '../../support/contracts/compute-calls.js';
import { LoopbackConnection, refusalIn } from '../../support/floods/loopback-connection.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import { issueToken } from '../../support/tokens/issue-token.js';

const ATTACKERS = 16;
const GAS = 20_000_000;
/** Milliseconds per second. */
const TIME = 200;
const PATIENCE_MS = 30_000;

/** The node's --max-call-gas lets a burning call without a limit of gas run into its limit of time. */
export function tokenCallLimits(attacked: AttackedNode, floodMs: number): void {
  let burning: string;
  let cheap: string;
  before(async () => {
    const contract = await deployCompute(attacked.node.url);
    const call = (iterations: number) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'view_call',
      params: { contract, input: counting(iterations) },
    });
    burning = JSON.stringify(call(1_000_000_000));
    cheap = JSON.stringify(call(10));
  });

  function gasIn(body: Buffer): number {
    return [...body.toString().matchAll(/"gas_used":(\d+)/g)].reduce((sum, [, gas]) => sum + Number(gas), 0);
  }

  test('calls, batches and broken connections use no more gas than the token grants', async () => {
    const headers = {
      authorization: `Bearer ${(await issueToken(attacked.dataDir, '--gas', String(GAS))).token}`,
    };
    const honest = {
      authorization: `Bearer ${(await issueToken(attacked.dataDir, '--sub', 'honest')).token}`,
    };
    const begun = performance.now();
    const end = begun + floodMs;
    let gas = 0;
    // The callers that hang up may use all the token's gas at first, and nobody sees how much they used.
    const goesOn = () => performance.now() < end || (gas === 0 && performance.now() < begun + PATIENCE_MS);
    const kinds = new Map<string, number>();
    const attacker = async (index: number): Promise<void> => {
      const batch = `[${Array.from({ length: 20 }, () => burning).join(',')}]`;
      const connection = new LoopbackConnection(attacked.node.url, `127.0.1.${1 + index}`);
      while (goesOn()) {
        const hangsUp = index % 4 === 0;
        const asked = connection.post(index % 2 === 0 ? batch : burning, {
          headers,
          ...(hangsUp ? { signal: AbortSignal.timeout(20) } : {}),
        });
        const answer = await asked.catch((error: unknown) => {
          if (!hangsUp) throw error;
          return undefined;
        });
        if (answer === undefined) continue;
        gas += gasIn(answer.body);
        const kind = refusalIn(answer) ?? 'answered';
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
      connection.close();
    };
    let served = 0;
    const customer = async (): Promise<void> => {
      const connection = new LoopbackConnection(attacked.node.url, '127.0.0.77');
      while (performance.now() < end || served <= 3) {
        assert.equal(refusalIn(await connection.post(cheap, { headers: honest })), undefined);
        served++;
      }
      connection.close();
    };
    await Promise.all([customer(), ...Array.from({ length: ATTACKERS }, (_, index) => attacker(index))]);
    const granted = 2 * GAS + (GAS * (performance.now() - begun)) / 1_000;
    assert.ok(gas > 0 && gas <= granted, `${gas} gas used, ${granted} granted`);
    assert.ok((kinds.get('rate_limited') ?? 0) > 0, JSON.stringify([...kinds]));
    assert.ok(served > 3, `${served} calls served`);
    await attacked.sealed(3, 10_000);
    await attacked.assertSound({ peakMiB: 900 });
  });

  test('calls that end at their time limit are charged for the restart of their thread', async () => {
    const headers = {
      authorization: `Bearer ${(await issueToken(attacked.dataDir, '--time', String(TIME))).token}`,
    };
    const begun = performance.now();
    const end = begun + floodMs;
    let ran = 0;
    const attacker = async (index: number): Promise<void> => {
      const connection = new LoopbackConnection(attacked.node.url, `127.0.2.${1 + index}`);
      while (performance.now() < end) {
        const kind = refusalIn(await connection.post(burning, { headers })) ?? 'answered';
        if (kind !== 'rate_limited') ran++;
      }
      connection.close();
    };
    await Promise.all(Array.from({ length: ATTACKERS }, (_, index) => attacker(index)));
    // Each call burns more than its 250 ms, and two find room at once.
    const granted = 2 + (TIME * (performance.now() - begun)) / 1_000 / 250;
    assert.ok(ran >= 1 && ran <= Math.ceil(granted), `${ran} calls ran, ${granted} granted`);
    await attacked.assertSound({ peakMiB: 900 });
  });
}
