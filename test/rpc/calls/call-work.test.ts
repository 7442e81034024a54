import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SlicedWork } from '../../../src/async/sliced-work.js';
import { BoundedLog } from '../../../src/config/bounded-log.js';
import { DEFAULT_LIMITS } from '../../../src/config/limits.js';
import { rpcMethods } from '../../../src/ledger/rpc-codecs.js';
import type { Meter } from '../../../src/rpc/access/meter.js';
import { CallWork, UNIT_BYTES, UNIT_GAS } from '../../../src/rpc/calls/charges.js';
import { SlowCalls } from '../../../src/rpc/calls/slow-calls.js';
import { Dispatcher } from '../../../src/rpc/dispatcher.js';
import { RpcError } from '../../../src/rpc/errors.js';
import { bindNodeRpcV1 } from '../../../src/rpc/front-end.js';
import { EncodedResult, type HandlerContext, type MethodHandlers } from '../../../src/rpc/handlers.js';
import { ByteBudget } from '../../../src/rpc/limits/byte-budget.js';
import { RpcMetrics } from '../../../src/rpc/metrics/rpc-metrics.js';
import { meteredCaller } from '../../support/tokens/metered-caller.js';

type Answer = (params: unknown, call: HandlerContext) => unknown;

/** A dispatcher whose methods all answer alike, and the charges of its callers. */
function charged(answer: Answer) {
  const charges: [kind: string, units: number, tier: string][] = [];
  const meter: Meter = {
    charge: ({ cost, tier }) => void charges.push(['before', cost, tier]),
    chargeLater: () => Promise.resolve(undefined),
    chargeWork: (units, { tier }) => void charges.push(['work', units, tier]),
    refund: ({ cost, tier }) => void charges.push(['refund', cost, tier]),
    chargeRefusal: () => undefined,
    headers: () => [],
  };
  const handlers = Object.fromEntries([...rpcMethods.keys()].map((name) => [name, answer]));
  const ignore = () => undefined;
  const log = new BoundedLog({ info: ignore, error: ignore });
  const dispatcher = new Dispatcher({
    interfaces: [bindNodeRpcV1(rpcMethods, handlers as unknown as MethodHandlers)],
    limits: DEFAULT_LIMITS,
    metrics: new RpcMetrics(),
    log,
    slowCalls: new SlowCalls(log, 0),
    budget: new ByteBudget(1_000_000, assert.ifError),
    work: new SlicedWork({ now: () => 0 }),
  });
  const context = meteredCaller(meter);
  return { charges, call: (method: string, params: object = {}) => dispatcher.call(method, params, context) };
}

test('a call costs its base price before it runs, and its gas and bytes when it ends', async () => {
  const { charges, call } = charged((_params, { allowance }) => {
    assert.deepEqual(charges, [['before', 10, 'paid']]);
    allowance?.use(3, 5 * UNIT_GAS - 1);
    allowance?.noteWork(2 * UNIT_GAS + 1);
    return Promise.resolve(new EncodedResult('x'.repeat(3 * UNIT_BYTES)));
  });
  await call('view_call', { contract: `0x${'00'.repeat(20)}` });
  assert.deepEqual(charges, [
    ['before', 10, 'paid'],
    ['work', 7 + 3, 'paid'],
  ]);
});

test('a small call costs its base price alone', async () => {
  const { charges, call } = charged((_params, { allowance }) => {
    allowance?.use(0, UNIT_GAS - 1);
    return new EncodedResult('{}');
  });
  await call('status');
  assert.deepEqual(charges, [['before', 1, 'public']]);
});

test('a call that fails pays for its work, unless the node is at fault', async () => {
  const failing = (kind: 'timeout' | 'overloaded') =>
    charged((_params, { allowance }) => {
      // The execution was ended, so its gas is unknown.
      allowance?.use(1_000, undefined);
      return Promise.reject(new RpcError(kind, 'failed', {}));
    });
  const late = failing('timeout');
  await late.call('view_call', {});
  assert.deepEqual(late.charges, [
    ['before', 10, 'paid'],
    ['work', 2_500, 'paid'],
  ]);
  const refused = failing('overloaded');
  await refused.call('view_call', {});
  assert.deepEqual(refused.charges, [
    ['before', 10, 'paid'],
    ['refund', 10, 'paid'],
  ]);
});

test('long lists of accounts and of signed transactions cost more than their bytes', async () => {
  const { charges, call } = charged(() => new EncodedResult('{}'));
  const address = `0x${'11'.repeat(20)}`;
  await call('accounts', { addresses: Array.from({ length: 20 }, () => address) });
  await call('tx_submit_bundle', { transactions: ['0x00', '0x01'] });
  assert.deepEqual(
    charges.filter(([kind]) => kind === 'work'),
    [
      ['work', 2, 'public'],
      ['work', 10, 'public'],
    ],
  );
});

test("a call's work counts towards the limits of its token too", () => {
  const used: unknown[] = [];
  const limits = {
    gas: 7,
    ms: 8,
    use: (...given: unknown[]) => void used.push(given),
    noteWork: () => assert.fail('only compute units pay for it'),
  };
  const work = new CallWork(limits);
  assert.deepEqual([work.gas, work.ms], [7, 8]);
  work.use(1, 2);
  work.noteWork(3);
  assert.deepEqual(used, [[1, 2]]);
});
