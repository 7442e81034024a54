import assert from 'node:assert/strict';
import { test } from 'node:test';
import { devV1MethodCodecs } from '../../src/generated/dev-v1-codecs.js';
import { CallsInFlight } from '../../src/rpc/limits/calls-in-flight.js';
import { MethodTable } from '../../src/rpc/method-table.js';
import { RpcMetrics } from '../../src/rpc/metrics/rpc-metrics.js';
import type { BoundInterface, MethodDeclaration } from '../../src/rpc/rpc-interface.js';

function bound(declarations: Iterable<MethodDeclaration>): BoundInterface {
  const handler = () => undefined;
  return Array.from(declarations, (declaration) => ({ declaration, handler, takesRawParams: false }));
}

test('a plain name that two interfaces share is ambiguous; their qualified names are not', () => {
  const controls = [...devV1MethodCodecs.values()];
  const [mine] = controls.filter(({ name }) => name === 'dev_mine');
  assert.ok(mine !== undefined);
  const other: MethodDeclaration = {
    name: 'dev_mine',
    qualifiedName: 'OtherV1.dev_mine',
    tier: 'public',
    cost: 1,
    isImmutable: false,
    decodeParams: (params) => params,
    encodeResult: () => 'null',
  };
  const table = new MethodTable([bound(controls), bound([other])], new RpcMetrics(new CallsInFlight()));
  assert.equal(table.get('dev_mine'), undefined);
  const refusal = table.refusal('dev_mine');
  assert.equal(refusal.kind, 'ambiguous_method');
  assert.deepEqual(refusal.details, { candidates: ['DevV1.dev_mine', 'OtherV1.dev_mine'] });
  assert.equal(table.get('DevV1.dev_mine')?.declaration.tier, 'admin');
  assert.equal(table.get('OtherV1.dev_mine')?.declaration.tier, 'public');
  assert.equal(table.get('dev_setTime')?.declaration.qualifiedName, 'DevV1.dev_setTime');
});
