import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NODE_ITSELF } from '../../src/async/caller.js';
import type { TokenUsageArgs, TokenUsageResult } from '../../src/generated/node-rpc-v1.js';
import type { Tier } from '../../src/idl/manifest.js';
import type { TokenDay, UsageQuery } from '../../src/rpc/access/usage/usage.js';
import { RpcError } from '../../src/rpc/errors.js';
import type { HandlerContext } from '../../src/rpc/handlers.js';
import { tokenUsageHandlers } from '../../src/rpc/methods/token-usage.js';

const TODAY = '2026-11-29';

function callerWith(tokenId: string | undefined, tier: Tier): HandlerContext {
  return {
    ...NODE_ITSELF,
    remoteAddress: '127.0.0.1',
    requestId: 'r',
    tier,
    subject: 'ann',
    tokenId,
    signal: new AbortController().signal,
  };
}

const DAYS: readonly TokenDay[] = ['2026-11-27', '2026-11-28', TODAY].map((day) => ({
  day,
  token: 'own',
  subject: 'ann',
  methods: [
    { method: 'status', calls: 2, units: 2 },
    { method: 'get_logs', calls: 1, units: 27 },
  ],
}));

describe('token_usage', () => {
  const queries: UsageQuery[] = [];
  const { token_usage } = tokenUsageHandlers({
    usage: {
      usage: async (query) => {
        queries.push(query);
        return DAYS.filter(({ day }) => day > (query.after?.day ?? '')).slice(0, query.limit);
      },
    },
    now: () => Date.parse(`${TODAY}T12:00:00Z`),
    maxPageSize: 500,
  });
  const ask = async (args: TokenUsageArgs, caller = callerWith('own', 'paid')) =>
    (await token_usage(args, caller)) as TokenUsageResult;
  const anonymous = callerWith(undefined, 'public');
  const admin = callerWith('own', 'admin');
  const withKind = (kind: string, message: RegExp) => (error: unknown) =>
    error instanceof RpcError && error.kind === kind && message.test(error.message);

  test('tells a caller the last 30 days of its own token, with totals', async () => {
    const { token, subject, days, next_cursor } = await ask({});
    assert.deepEqual([token, subject, next_cursor, days.length], ['own', 'ann', undefined, 3]);
    assert.deepEqual(days[0], {
      day: '2026-11-27',
      calls: 3n,
      units: 29n,
      methods: [
        { method: 'get_logs', calls: 1n, units: 27n },
        { method: 'status', calls: 2n, units: 2n },
      ],
    });
    const { from, to, token: asked } = queries.at(-1) ?? assert.fail();
    assert.deepEqual([from, to, asked], ['2026-10-31', TODAY, 'own']);
    assert.deepEqual(await ask({ token: 'own' }), await ask({}), 'by its id, too');
  });

  test('refuses callers without a token, and the token of another unless the caller is an admin', async () => {
    await assert.rejects(ask({}, anonymous), withKind('unauthorized', /Authorization: Bearer/));
    await assert.rejects(ask({ token: 'own' }, anonymous), withKind('unauthorized', /Bearer/));
    const before = queries.length;
    await assert.rejects(ask({ token: 'other' }), withKind('forbidden', /needs a token of tier admin/));
    assert.equal(queries.length, before, 'the store is not asked');
    assert.equal((await ask({ token: 'other' }, admin)).token, 'other');
    await assert.rejects(
      ask({ token: 'x'.repeat(129) }, admin),
      withKind('invalid_params', /at most 128 characters, got 129/),
    );
  });

  test('answers in pages', async () => {
    const first = await ask({ limit: 2 });
    assert.deepEqual([first.days.length, first.next_cursor], [2, '2026-11-28']);
    const { next_cursor = '' } = first;
    const last = await ask({ limit: 2, cursor: next_cursor });
    assert.deepEqual([last.days.map(({ day }) => day), last.next_cursor], [[TODAY], undefined]);
    for (const cursor of ['2026-01-01', '2026-11-1x', '2026-11-31', '9999-12-31', '']) {
      await assert.rejects(ask({ cursor }), withKind('invalid_params', /next_cursor/));
    }
    await assert.rejects(ask({ limit: 501 }), withKind('limit_exceeded', /at most 500/));
  });

  const wrong: readonly (readonly [TokenUsageArgs, kind: string, message: RegExp])[] = [
    [{ from_day: 'yesterday' }, 'invalid_params', /params.from_day: expected a day such as 2026-01-31/],
    [{ to_day: '2026-02-30' }, 'invalid_params', /params.to_day: .* got "2026-02-30"/],
    [{ from_day: '2026-1-1' }, 'invalid_params', /from_day/],
    [{ from_day: '1969-12-31' }, 'invalid_params', /from_day/],
    [{ to_day: '+010000-01' }, 'invalid_params', /to_day/],
    [{ to_day: `${TODAY}${' '.repeat(10_000)}` }, 'invalid_params', /^.{1,100}$/],
    [{ from_day: '9999-12-31' }, 'invalid_params', /expected a day up to the last one, 2026-11-29/],
    [{ from_day: '1970-01-01', to_day: '9999-12-31' }, 'limit_exceeded', /at most 400/],
    [{ from_day: '2025-10-25' }, 'limit_exceeded', /at most 400/],
  ];
  for (const [args, kind, message] of wrong) {
    test(`refuses ${JSON.stringify(args).slice(0, 80)}`, async () => {
      const before = queries.length;
      await assert.rejects(ask(args), withKind(kind, message));
      assert.equal(queries.length, before, 'the store is not asked');
    });
  }

  test('answers for any 400 days, however far ahead', async () => {
    for (const [from_day, to_day] of [
      ['2025-10-26', TODAY],
      ['9998-12-01', '9999-12-31'],
      ['1970-01-01', '1970-01-01'],
    ] as const) {
      await ask({ from_day, to_day });
      const { from, to } = queries.at(-1) ?? assert.fail();
      assert.deepEqual([from, to], [from_day, to_day]);
    }
  });
});
