import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type FakeAnswer, FakeRpc } from '../../support/http/fake-rpc.js';

const HEALTH = '{"jsonrpc":"2.0","id":1,"method":"health"}';
const OTHER = '192.0.2.2';

function kindOf({ json }: FakeAnswer): string {
  const { error } = json as { error?: { data: { kind: string } } };
  return error?.data.kind ?? 'served';
}

describe('refusals on a node with rates by address', () => {
  let rpc: FakeRpc;
  before(async () => {
    // One unit in an hour: the bucket holds 10 units, and none comes back during a test.
    const hourly = { perSecond: 1 / 3_600, burst: 10 };
    rpc = await FakeRpc.create({ rules: { addressRates: { public: hourly, paid: hourly } } });
  });
  after(() => rpc.dispose());

  let address = 0;
  const from = (): string => `198.51.100.${++address}`;
  const post = (remoteAddress: string, body: string, authorization?: string): Promise<FakeAnswer> =>
    rpc.request({
      method: 'POST',
      path: '/v2/rpc',
      body: Buffer.from(body),
      remoteAddress,
      headers: {
        'content-type': 'application/json',
        ...(authorization === undefined ? {} : { authorization }),
      },
    });
  const get = (remoteAddress: string, target: string): Promise<FakeAnswer> => {
    const [path = '', query = ''] = target.split('?');
    return rpc.request({ method: 'GET', path, query, remoteAddress });
  };

  const kinds: readonly (readonly [
    what: string,
    body: string,
    authorization: string | undefined,
    kind: string,
  ])[] = [
    ['invalid JSON', '{', undefined, 'parse_error'],
    ['invalid requests', '{"jsonrpc":"1.0","id":1,"method":"health"}', undefined, 'invalid_request'],
    ['calls of unknown methods', '{"jsonrpc":"2.0","id":1,"method":"helth"}', undefined, 'method_not_found'],
    ['calls of denied methods', '{"jsonrpc":"2.0","id":1,"method":"secret"}', undefined, 'unauthorized'],
    ['bad tokens', HEALTH, 'Bearer xyz', 'unauthorized'],
    ['headers without a token', HEALTH, 'Basic xyz', 'unauthorized'],
  ];
  for (const [what, body, authorization, kind] of kinds) {
    test(`${what} use up the rate of their address, and no other`, async () => {
      const sender = from();
      for (let n = 0; n < 5; n++) assert.equal(kindOf(await post(sender, body, authorization)), kind);
      const refused = await post(sender, body, authorization);
      assert.equal(kindOf(refused), 'rate_limited');
      assert.equal(refused.status, 429);
      assert.ok(Number(refused.headers['retry-after']) > 1);
      assert.equal(kindOf(await post(sender, HEALTH)), 'rate_limited');
      assert.equal(kindOf(await post(from(), HEALTH)), 'served');
    });
  }

  test('calls of unknown methods by GET count too', async () => {
    const sender = from();
    for (let n = 0; n < 5; n++) assert.equal((await get(sender, '/v2/rpc/call/helth')).status, 404);
    assert.equal((await get(sender, '/v2/rpc/call/helth')).status, 429);
  });

  test('invalid queries by GET and methods that it does not allow count too', async () => {
    for (const [path, status] of [
      ['/v2/rpc/call/repeat?params={', 400],
      ['/v2/rpc/call/health', 405],
    ] as const) {
      const sender = from();
      for (let n = 0; n < 5; n++) assert.equal((await get(sender, path)).status, status, path);
      const refused = await get(sender, path);
      assert.equal(refused.status, 429);
      assert.ok(Number(refused.headers['retry-after']) > 1);
    }
  });

  test('answers to bad tokens tell what is left of the rate', async () => {
    const { status, headers } = await post(from(), HEALTH, 'Bearer xyz');
    assert.deepEqual([status, headers['ratelimit-limit'], headers['ratelimit-remaining']], [401, '10', '8']);
  });

  test('each refused call of a batch counts', async () => {
    const calls = Array.from({ length: 7 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'helth' }));
    const { json } = await post(from(), JSON.stringify(calls));
    const answers = json as readonly { error: { data: { kind: string } } }[];
    assert.deepEqual(
      answers.map(({ error }) => error.data.kind),
      [...Array.from({ length: 5 }, () => 'method_not_found'), 'rate_limited', 'rate_limited'],
    );
  });

  test('a valid token costs its address nothing, and once known is served even from an address whose rate is used up', async () => {
    const { token } = await rpc.tokens.issue({
      subject: 'ann',
      tier: 'paid',
      expiresAtMs: Date.now() + 3_600_000,
    });
    const bearer = `Bearer ${token}`;
    const sender = from();
    for (let n = 0; n < 20; n++) assert.equal(kindOf(await post(sender, HEALTH, bearer)), 'served');
    for (let n = 0; n < 5; n++) assert.equal(kindOf(await post(sender, '{')), 'parse_error');
    assert.equal(kindOf(await post(sender, '{')), 'rate_limited');
    assert.equal(kindOf(await post(sender, HEALTH, bearer)), 'served');
    assert.equal(kindOf(await post(OTHER, HEALTH, bearer)), 'served');
  });

  test('refusals of a token with a rate count against that rate', async () => {
    const claims = { subject: 'bob', tier: 'paid', expiresAtMs: Date.now() + 3_600_000, rate: 50 } as const;
    const { token } = await rpc.tokens.issue(claims);
    const calls = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'secret' }));
    const { json } = await post(from(), JSON.stringify(calls), `Bearer ${token}`);
    const answers = json as readonly { error: { data: { kind: string } } }[];
    assert.equal(answers[0]?.error.data.kind, 'forbidden');
    assert.equal(answers.at(-1)?.error.data.kind, 'rate_limited');
  });

  test('refusals of a prepaid token without a rate count against its address', async () => {
    const claims = { subject: 'eve', tier: 'paid', expiresAtMs: Date.now() + 3_600_000, units: 1 } as const;
    const bearer = `Bearer ${(await rpc.tokens.issue(claims)).token}`;
    const [talker, spender] = [from(), from()];
    for (let n = 0; n < 5; n++) assert.equal(kindOf(await post(talker, '{', bearer)), 'parse_error');
    assert.equal(kindOf(await post(talker, '{', bearer)), 'rate_limited');
    assert.equal(kindOf(await post(spender, HEALTH, bearer)), 'served');
    for (let n = 0; n < 5; n++) {
      assert.equal(kindOf(await post(spender, HEALTH, bearer)), 'payment_required');
    }
    assert.equal(kindOf(await post(spender, HEALTH, bearer)), 'rate_limited');
  });
});

test('refusals are free on a node without rates', async () => {
  const rpc = await FakeRpc.create();
  for (let n = 0; n < 100; n++) assert.equal(kindOf(await rpc.post('{')), 'parse_error');
  await rpc.dispose();
});
