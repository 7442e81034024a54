// Floods of bad tokens and of refused callers do not disturb others.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { floodTime } from '../../support/floods/flood-time.js';
import { LoopbackConnection, refusalIn } from '../../support/floods/loopback-connection.js';
import type { AttackedNode } from '../../support/nodes/attacked-node.js';
import { issueToken } from '../../support/tokens/issue-token.js';

const ATTACKERS = 24;
const STATUS = '{"jsonrpc":"2.0","id":1,"method":"status"}';

export function tokenFloods(attacked: AttackedNode, floodMs: number): void {
  const bogusToken = (): string =>
    [
      Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url'),
      Buffer.from(
        JSON.stringify({ sub: 'x', tier: 'admin', exp: 4_000_000_000, jti: randomBytes(8).toString('hex') }),
      ).toString('base64url'),
      randomBytes(32).toString('base64url'),
    ].join('.');

  /** Refusals by kind, and calls of the honest client. */
  interface Outcome {
    readonly refusals: ReadonlyMap<string, number>;
    readonly served: number;
  }

  /** Posts with fresh tokens from many addresses, beside an honest client with a token whose calls must be answered. */
  async function flood(tokenOf: () => string): Promise<Outcome> {
    const { token } = await issueToken(attacked.dataDir);
    const refusals = new Map<string, number>();
    let served = 0;
    const isOver = floodTime(
      floodMs,
      () => served > 20 && [...refusals.values()].some((count) => count > 100),
    );
    const post = async (connection: LoopbackConnection, bearer: string) =>
      refusalIn(await connection.post(STATUS, { headers: { authorization: `Bearer ${bearer}` } }));
    const attacker = async (index: number): Promise<void> => {
      const connection = new LoopbackConnection(attacked.node.url, `127.0.1.${1 + (index % 8)}`);
      while (!isOver()) {
        const kind = (await post(connection, tokenOf())) ?? 'served';
        refusals.set(kind, (refusals.get(kind) ?? 0) + 1);
      }
      connection.close();
    };
    const honest = async (): Promise<void> => {
      const connection = new LoopbackConnection(attacked.node.url, '127.0.0.77');
      for (; !isOver(); served++) assert.equal(await post(connection, token), undefined);
      connection.close();
    };
    await Promise.all([honest(), ...Array.from({ length: ATTACKERS }, (_, index) => attacker(index))]);
    return { refusals, served };
  }

  test('forged tokens are refused, and clients with tokens are served meanwhile', async () => {
    const { refusals, served } = await flood(bogusToken);
    assert.ok((refusals.get('unauthorized') ?? 0) > 100, JSON.stringify([...refusals]));
    assert.deepEqual(
      [...refusals.keys()].filter((kind) => kind !== 'unauthorized' && kind !== 'overloaded'),
      [],
    );
    assert.ok(served > 20, `${served} calls served`);
    await attacked.assertSound({ peakMiB: 900 });
  });

  test('a token without units costs the node little, and blocks continue', async () => {
    const exhausted = await issueToken(attacked.dataDir, '--units', '0');
    const { refusals, served } = await flood(() => exhausted.token);
    assert.deepEqual([...refusals.keys()], ['payment_required']);
    assert.ok(served > 20, `${served} calls served`);
    await attacked.sealed(3, 10_000);
    await attacked.assertSound({ peakMiB: 900 });
  });

  test('a token that is longer than any real one is refused by its length', async () => {
    const connection = new LoopbackConnection(attacked.node.url, '127.0.1.1');
    for (const length of [3_000, 4_097, 7_000]) {
      const answer = await connection.post(STATUS, {
        headers: { authorization: `Bearer ${'A'.repeat(length)}` },
      });
      // The server refuses headers of more than 4 KiB by itself.
      assert.match(refusalIn(answer) ?? 'served', /^(unauthorized|http_431)$/, `${length} characters`);
    }
    connection.close();
    await attacked.assertSound();
  });
}
