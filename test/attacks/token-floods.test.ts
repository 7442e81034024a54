// Floods of bad tokens and of refused callers do not disturb others.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { AttackedNode } from '../support/attacked-node.js';
import { LoopbackConnection, refusalIn } from '../support/floods/loopback-connection.js';
import { runHeddle } from '../support/node-process.js';

const ATTACKERS = 24;
const FLOOD_MS = 6_000;
const STATUS = '{"jsonrpc":"2.0","id":1,"method":"status"}';

let attacked: AttackedNode;
before(async () => {
  attacked = await AttackedNode.start([
    '--front-threads',
    '2',
    '--block-time',
    '100',
    '--idle-block-time',
    '100',
  ]);
});
after(() => attacked.dispose());

const bogusToken = (): string =>
  [
    Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url'),
    Buffer.from(
      JSON.stringify({ sub: 'x', tier: 'admin', exp: 4_000_000_000, jti: randomBytes(8).toString('hex') }),
    ).toString('base64url'),
    randomBytes(32).toString('base64url'),
  ].join('.');

/** Posts with fresh tokens from many addresses until the time is over. Returns the refusals by kind. */
async function flood(tokenOf: () => string): Promise<ReadonlyMap<string, number>> {
  const refusals = new Map<string, number>();
  const end = performance.now() + FLOOD_MS;
  const attacker = async (index: number): Promise<void> => {
    const connection = new LoopbackConnection(attacked.node.url, `127.0.1.${1 + (index % 8)}`);
    while (performance.now() < end) {
      const answer = await connection.post(STATUS, { headers: { authorization: `Bearer ${tokenOf()}` } });
      const kind = refusalIn(answer) ?? 'served';
      refusals.set(kind, (refusals.get(kind) ?? 0) + 1);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: ATTACKERS }, (_, index) => attacker(index)));
  return refusals;
}

async function issue(...flags: readonly string[]): Promise<{ id: string; token: string }> {
  const args = ['token', 'issue', '--tier', 'paid', '--json', '--data-dir', attacked.dataDir, ...flags];
  const { code, stdout, stderr } = await runHeddle(args, { timeoutMs: 120_000 });
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as { id: string; token: string };
}

/** Calls as an honest client with a token until the flood is over; every call must be answered. */
async function honest(token: string, during: Promise<unknown>): Promise<number> {
  let isOver = false;
  void during.finally(() => {
    isOver = true;
  });
  const connection = new LoopbackConnection(attacked.node.url, '127.0.0.77');
  let answered = 0;
  while (!isOver) {
    const answer = await connection.post(STATUS, { headers: { authorization: `Bearer ${token}` } });
    assert.equal(refusalIn(answer), undefined);
    answered++;
  }
  connection.close();
  return answered;
}

test('forged tokens are refused, and clients with tokens are served meanwhile', async () => {
  const { token } = await issue();
  const flooding = flood(bogusToken);
  const served = await honest(token, flooding);
  const refusals = await flooding;
  assert.ok((refusals.get('unauthorized') ?? 0) > 100, JSON.stringify([...refusals]));
  assert.deepEqual(
    [...refusals.keys()].filter((kind) => kind !== 'unauthorized' && kind !== 'overloaded'),
    [],
  );
  assert.ok(served > 20, `${served} calls served`);
  await attacked.assertSound({ peakMiB: 900 });
});

test('a token without units costs the node little, and blocks continue', async () => {
  const { token } = await issue();
  const exhausted = await issue('--units', '0');
  const flooding = flood(() => exhausted.token);
  const served = await honest(token, flooding);
  const refusals = await flooding;
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
