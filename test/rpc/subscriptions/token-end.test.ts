// Subscriptions of a connection whose token expires or is revoked.
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { eventually } from '../../support/eventually.js';
import { HTTP_IMPLEMENTATIONS } from '../../support/http/http-implementations.js';
import { SocketServer } from '../../support/http/socket-server.js';
import type { SocketWire } from '../../support/http/socket-wire.js';

const HOUR_MS = 3_600_000;

interface Notice {
  readonly params: {
    readonly subscription: string;
    readonly result?: { readonly height: number };
    readonly dropped?: { readonly from_height: number; readonly reason: string };
  };
}

async function subscribe(wire: SocketWire, params: object): Promise<string> {
  const { result, error } = await wire.call('subscribe', params);
  assert.equal(error, undefined, JSON.stringify(error));
  return (result as { subscription: string }).subscription;
}

async function notice(wire: SocketWire): Promise<Notice['params']> {
  return ((await wire.json()) as Notice).params;
}

for (const implementation of HTTP_IMPLEMENTATIONS) {
  describe(`subscriptions with a token on ${implementation.name}`, {
    skip: implementation.skip,
  }, async () => {
    let lateMs = 0;
    const server = await SocketServer.open(implementation, { now: () => Date.now() + lateMs });
    const { chain, rpc } = server;
    const counts = rpc.metrics.rpc.sockets;
    after(() => server.dispose());
    const active = () => Object.values(counts.subscriptions).reduce((sum, count) => sum + count, 0);

    async function connect(token: string): Promise<SocketWire> {
      const wire = await server.connect({ headers: { authorization: `Bearer ${token}` } });
      assert.equal(wire.status, 101);
      return wire;
    }

    async function assertEnds(wire: SocketWire, ids: readonly string[], reason: RegExp): Promise<void> {
      const notices = [await notice(wire), await notice(wire)];
      assert.deepEqual(notices.map(({ subscription }) => subscription).sort(), [...ids].sort());
      for (const { dropped } of notices) {
        assert.equal(dropped?.from_height, Number(chain.height) + 1);
        assert.match(dropped?.reason ?? '', reason);
      }
      const refused = await wire.call('subscribe', { topic: 'new_blocks' });
      assert.equal(refused.error?.data.kind, 'unauthorized');
    }

    test('end with a notice once it is revoked; those of other connections go on', async () => {
      const claims = { tier: 'paid', expiresAtMs: Date.now() + HOUR_MS } as const;
      const revoked = await rpc.tokens.issue({ ...claims, subject: 'alice' });
      const kept = await rpc.tokens.issue({ ...claims, subject: 'bob' });
      const alice = await connect(revoked.token);
      const bob = await connect(kept.token);
      const stranger = await server.connect();
      const ids = [
        await subscribe(alice, { topic: 'new_blocks' }),
        await subscribe(alice, { topic: 'logs' }),
      ];
      for (const wire of [bob, stranger]) await subscribe(wire, { topic: 'new_blocks' });
      await rpc.tokens.manager.revoke(revoked.id);
      await assertEnds(alice, ids, /it was revoked/);
      chain.height++;
      for (const wire of [bob, stranger]) {
        assert.equal((await notice(wire)).result?.height, Number(chain.height));
      }
      assert.equal(active(), 2);
      for (const wire of [alice, bob, stranger]) wire.close();
      await eventually('all subscriptions end', async () => active() === 0);
    });

    test('end in time although the rate of their address is used up', async () => {
      const rate = { perSecond: 0.001, burst: 50 };
      const limited = await SocketServer.open(implementation, {
        rules: { addressRates: { public: rate, paid: rate } },
      });
      try {
        const claims = { tier: 'paid', expiresAtMs: Date.now() + HOUR_MS } as const;
        const { id, token } = await limited.rpc.tokens.issue({ ...claims, subject: 'erin' });
        const wire = await limited.connect({ headers: { authorization: `Bearer ${token}` } });
        await subscribe(wire, { topic: 'new_blocks' });
        const stranger = await limited.connect();
        while ((await stranger.call('echo', { value: 1 })).error?.data.kind !== 'rate_limited');
        await limited.rpc.tokens.manager.revoke(id);
        assert.match((await notice(wire)).dropped?.reason ?? '', /it was revoked/);
      } finally {
        await limited.dispose();
      }
    });

    test('end with a notice once it expires', async () => {
      const token = await rpc.tokens.issue({
        subject: 'carol',
        tier: 'paid',
        expiresAtMs: Date.now() + 60_000,
      });
      const wire = await connect(token.token);
      const ids = [
        await subscribe(wire, { topic: 'new_blocks' }),
        await subscribe(wire, { topic: 'new_blocks' }),
      ];
      lateMs = 120_000;
      try {
        await assertEnds(wire, ids, /it has expired/);
      } finally {
        lateMs = 0;
      }
      wire.close();
    });
  });
}
