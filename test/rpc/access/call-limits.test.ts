import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ledger } from '../../../src/ledger/codecs.js';
import { CallLimits, ReservedCall } from '../../../src/rpc/access/call-limits.js';
import { declaredGas } from '../../../src/rpc/access/declared-gas.js';
import { TokenSlots } from '../../../src/rpc/access/token-slots.js';
import { RpcError } from '../../../src/rpc/errors.js';
import { JsonSource } from '../../../src/rpc/json/json-text.js';

const NODE = { maxCallGas: 1_000_000_000, maxCallMs: 5_000 };
const SLOT = { slot: 3, generation: 0 };
const M = 1_000_000;

class World {
  readonly slots: TokenSlots;
  readonly claims: { readonly gas?: number; readonly time?: number };
  ns = 5_000_000_000n;

  constructor(claims: { readonly gas?: number; readonly time?: number }) {
    this.claims = claims;
    this.slots = new TokenSlots(TokenSlots.memory(), () => this.ns);
  }

  /** The limits as one thread has them. */
  thread(): CallLimits {
    const claims = { subject: 'ann', tier: 'paid', expiresAtMs: 0, ...this.claims } as const;
    return CallLimits.of(claims, SLOT, this.slots, NODE) ?? assert.fail('there are limits');
  }
}

function view(limits: CallLimits, gas?: number): ReservedCall | RpcError | 'wait' {
  return limits.reserve('view_call', gas === undefined ? {} : { gas_limit: gas });
}

function reserved(outcome: ReservedCall | RpcError | 'wait'): ReservedCall {
  return outcome instanceof ReservedCall ? outcome : assert.fail(`not reserved: ${JSON.stringify(outcome)}`);
}

function retryMs(outcome: ReservedCall | RpcError | 'wait'): number {
  assert.ok(outcome instanceof RpcError && outcome.kind === 'rate_limited', JSON.stringify(outcome));
  return (outcome.details as { retry_after_ms: number }).retry_after_ms;
}

describe('the limits of a token for calls', () => {
  test('are absent without claims', () => {
    const claims = { subject: 'ann', tier: 'paid', expiresAtMs: 0, rate: 5, units: 5 } as const;
    assert.equal(CallLimits.of(claims, SLOT, new TokenSlots(TokenSlots.memory()), NODE), undefined);
  });

  test('lower the limits of a call to the use of one second, and keep lower ones', () => {
    const limits = new World({ gas: 100 * M, time: 400 }).thread();
    const lowered = reserved(view(limits));
    assert.deepEqual([lowered.gas, lowered.ms], [100 * M, 400]);
    lowered.settle();
    assert.equal(reserved(view(limits, 30 * M)).gas, 30 * M);
    const wide = reserved(view(new World({ gas: 5_000 * M, time: 20_000 }).thread()));
    assert.deepEqual([wide.gas, wide.ms], [NODE.maxCallGas, NODE.maxCallMs], "the node's limits are lower");
  });

  test('let a small token run a call', () => {
    const call = reserved(view(new World({ gas: 1, time: 1 }).thread()));
    assert.deepEqual([call.gas, call.ms], [10 * M, 250]);
  });

  test('count what calls use, not what they reserve', () => {
    const limits = new World({ gas: 100 * M, time: 1_000 }).thread();
    for (let call = 0; call < 500; call++) {
      const one = reserved(view(limits));
      one.use(0.1, 100_000);
      one.settle();
    }
  });

  test('refuse calls once the use of a second is exceeded, until it has leaked', () => {
    const world = new World({ gas: 100 * M });
    const limits = world.thread();
    for (let call = 0; call < 2; call++) {
      const one = reserved(view(limits));
      one.use(80, 90 * M);
      one.settle();
    }
    assert.equal(retryMs(view(limits)), 800);
    world.ns += 799_000_000n;
    assert.ok(view(limits) instanceof RpcError);
    world.ns += 1_000_000n;
    reserved(view(limits));
  });

  test('let a call that used more than it reserved pay for all of it', () => {
    const world = new World({ time: 500 });
    const limits = world.thread();
    const one = reserved(view(limits));
    one.use(2_000, 0);
    one.settle();
    assert.equal(retryMs(view(limits)), 3_000);
  });

  test('count the whole gas limit if the use is unknown', () => {
    const limits = new World({ gas: 100 * M }).thread();
    for (let call = 0; call < 2; call++) {
      const one = reserved(view(limits));
      one.use(80, undefined);
      one.settle();
    }
    assert.equal(retryMs(view(limits)), 1_000);
  });

  test('count use that is reported after the end of a call', () => {
    const limits = new World({ time: 1_000 }).thread();
    const one = reserved(view(limits));
    one.settle();
    one.settle();
    one.use(1_500, 0);
    assert.equal(retryMs(view(limits)), 500);
  });

  test('make a call wait while running ones hold reservations, in order of arrival', async () => {
    const limits = new World({ gas: 100 * M }).thread();
    const running = [reserved(view(limits)), reserved(view(limits))];
    assert.equal(view(limits), 'wait');
    const order: string[] = [];
    const later = ['first', 'second'].map(async (name) => {
      const outcome = await limits.reserveLater('view_call', {}, () => false);
      order.push(name);
      return outcome;
    });
    for (const one of running) one.settle();
    for (const one of await Promise.all(later)) reserved(one);
    assert.deepEqual(order, ['first', 'second']);
  });

  test('refuse a waiting call if the running ones used their reservations', async () => {
    const limits = new World({ gas: 100 * M }).thread();
    const running = [reserved(view(limits)), reserved(view(limits))];
    const later = limits.reserveLater('view_call', {}, () => false);
    for (const one of running) {
      one.use(1, 100 * M);
      one.settle();
    }
    assert.equal(retryMs(await later), 1_000);
  });

  test('end the wait of a call whose client is gone', async () => {
    const limits = new World({ gas: 100 * M }).thread();
    const running = [reserved(view(limits)), reserved(view(limits))];
    let isGone = false;
    const gone = limits.reserveLater('view_call', {}, () => isGone);
    const next = limits.reserveLater('view_call', {}, () => false);
    isGone = true;
    assert.ok((await gone) instanceof RpcError);
    running[0]?.settle();
    reserved(await next);
  });

  test('are shared by all threads', async () => {
    const world = new World({ gas: 100 * M });
    const [one, other] = [world.thread(), world.thread()];
    const running = [reserved(view(one)), reserved(view(other))];
    const later = one.reserveLater('view_call', {}, () => false);
    running[1]?.settle();
    reserved(await later);
  });

  test('give back the gas of a call that is refused for lack of time', () => {
    const world = new World({ gas: 100 * M, time: 1_000 });
    const limits = world.thread();
    const long = reserved(view(limits, 1));
    long.use(2_000, 0);
    long.settle();
    retryMs(view(limits));
    world.ns += 2_000_000_000n;
    reserved(view(limits));
    reserved(view(limits));
  });

  test('end with the slot of the token', () => {
    const world = new World({ gas: 100 * M });
    const limits = world.thread();
    const call = reserved(view(limits));
    world.slots.renew(SLOT.slot);
    world.slots.clear(SLOT.slot);
    call.use(1, 100 * M);
    call.settle();
    const refused = view(limits);
    assert.ok(refused instanceof RpcError && refused.kind === 'unauthorized');
  });
});

/** `0x` and the hex digits of a signed transaction. */
function transactionOf(gas: bigint): string {
  const encoded = ledger.SignedTransaction.encode({
    transaction: {
      chain_id: 7n,
      sender: new Uint8Array(20).fill(9),
      lane: 1,
      nonce: 2n,
      gas_limit: gas,
      max_fee: 10n,
      priority_fee: 1n,
      action: { type: 'transfer', value: { to: new Uint8Array(20), amount: 5n } },
    },
    signature: {
      type: 'ed25519',
      value: { public_key: new Uint8Array(32), signature: new Uint8Array(64) },
    },
  });
  return `0x${Buffer.from(encoded).toString('hex')}`;
}

describe('the declared gas of a call', () => {
  const view = { type: 'view', value: { gas_limit: 5 } };
  const code = { overrides: [{ address: '0x', code: '0x00' }] };
  const INFINITE = Number.POSITIVE_INFINITY;
  const cases: readonly (readonly [method: string, params: unknown, gas: number])[] = [
    ['view_call', {}, 100],
    ['view_call', { gas_limit: 7 }, 7],
    ['view_call', { gas_limit: '7' }, 7],
    ['view_call', { gas_limit: -7 }, 100],
    ['view_call', { gas_limit: {} }, 100],
    ['view_call', { ...code, gas_limit: 7 }, 7],
    ['chain_traceCall', { gas_limit: 7 }, 7],
    ['tx_simulate', { transaction: { gas_limit: 8 } }, 8],
    ['tx_simulate', { build: { gas_limit: 9 } }, 9],
    ['tx_simulate', { build: { gas_limit: 9 }, ...code }, INFINITE],
    ['tx_simulate_access', { encoded: '0x' }, 100],
    ['tx_simulate_trace', { build: {} }, 100],
    ['tx_simulate_pipeline', { steps: [view, view, { type: 'tx', value: { build: {} } }] }, 110],
    ['tx_simulate_pipeline', { steps: [view], ...code }, INFINITE],
    ['tx_simulate_pipeline', { steps: [{ type: 'view', value: code }] }, INFINITE],
    ['tx_simulate_pipeline', { steps: 5 }, 0],
    ['chain_simulateBundle', { transactions: ['0x', '0x'] }, 200],
    ['tx_simulate', { encoded: transactionOf(12n) }, 12],
    ['tx_simulate', { encoded: transactionOf(12n).toUpperCase().replace('X', 'x') }, 12],
    ['tx_simulate_access', { encoded: `${transactionOf(0x0102030405n)}0011` }, 0x0102030405],
    ['tx_simulate_trace', { encoded: transactionOf((1n << 64n) - 1n) }, 2 ** 64],
    ['tx_simulate', { encoded: transactionOf(12n), ...code }, INFINITE],
    ['tx_simulate', { encoded: transactionOf(12n).slice(0, 97) }, 100],
    ['tx_simulate', { encoded: transactionOf(12n).replace('0c', 'zz') }, 100],
    ['tx_simulate', { encoded: 5 }, 100],
    ['tx_simulate', { args: { encoded: transactionOf(12n) } }, 12],
    ['tx_simulate_pipeline', { steps: [{ type: 'tx', value: { encoded: transactionOf(12n) } }, view] }, 17],
    ['tx_simulate_pipeline', { args: { steps: [view, view] } }, 10],
    ['chain_simulateBundle', { transactions: [transactionOf(12n), transactionOf(5n), '0x'] }, 117],
    ['chain_simulateBundle', { args: { transactions: [transactionOf(12n)] } }, 12],
    ['chain_simulateBundle', { transactions: [transactionOf(12n)], ...code }, INFINITE],
    ['tx_build_simulate', { gas_limit: 7 }, 7],
    ['tx_build_simulate', { args: { gas_limit: 7 } }, 7],
    ['tx_build_simulate', {}, 100],
    ['view_call', { args: { gas_limit: 7 } }, 7],
    ['view_call', { args: { gas_limit: 7 }, gas_limit: 9 }, 9],
    ['chain_traceTransaction', { tx_hash: '0x' }, INFINITE],
    ['view_call', null, INFINITE],
    ['view_call', new JsonSource('{"gas_limit":7}', 2), 7],
    ['view_call', new JsonSource('', undefined, { gas_limit: 7 }), 7],
    ['view_call', new JsonSource(`{"gas_limit":7,"idl":"${'x'.repeat(100_000)}"}`, 3), INFINITE],
  ];
  for (const [method, params, gas] of cases) {
    test(`${method} ${JSON.stringify(params).slice(0, 80)}: ${gas}`, () => {
      assert.equal(declaredGas(method, params, 100), gas);
    });
  }
});
