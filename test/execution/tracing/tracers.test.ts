import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connect } from '../../../src/client/client.js';
import type { JsonValue } from '../../../src/idl/json-value.js';
import { ALICE, alice, BOB } from '../../support/actions.js';
import { PROBE } from '../../support/contracts/assembled-contracts.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import { text } from '../../support/hex.js';
import { ContractNode, token } from '../../support/nodes/contract-node.js';
import { spread } from '../../support/sweep.js';
import {
  ALL_TRACERS,
  foldedGas,
  framesOf,
  type TraceJson,
  traceCall,
  traceTransaction,
  treeOf,
} from './trace-answers.js';

const NOBODY = `0x${'76'.repeat(20)}`;
const INNER = `0x${'77'.repeat(20)}`;
const OUTER = `0x${'78'.repeat(20)}`;
const ZERO_SLOT = '00'.repeat(32);

/** Writes 8 bytes to slot zero, emits an event without topics, and returns the bytes. */
const inner = assemble({
  imports: ['storage_read', 'storage_write', 'emit', 'set_output', 'log'],
  memory: [1, 1],
  data: [
    { at: 64, bytes: Uint8Array.of(9, 0, 0, 0, 0, 0, 0, 0) },
    { at: 128, bytes: Buffer.from('inside') },
  ],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: `
        i32.const 0; i32.const 256; i32.const 8; call storage_read; drop
        i32.const 0; i32.const 64; i32.const 8; call storage_write
        i32.const 0; i32.const 0; i32.const 64; i32.const 8; call emit
        i32.const 128; i32.const 6; call log
        i32.const 64; i32.const 8; call set_output; i32.const 0`,
    },
  ],
});

/**
 * Sends 3 to bob, calls {@link inner} with value 5 and 1,000,000 gas, calls it again as a view, and reverts with
 * "no".
 */
const outer = assemble({
  imports: ['transfer', 'call', 'view', 'revert', 'gas_left'],
  memory: [1, 1],
  data: [
    { at: 0, bytes: Buffer.from(INNER.slice(2), 'hex') },
    { at: 32, bytes: Buffer.from(BOB.slice(2), 'hex') },
    { at: 64, bytes: Uint8Array.of(3) },
    { at: 96, bytes: Uint8Array.of(5) },
    { at: 128, bytes: Buffer.from('no') },
  ],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: `
        call gas_left; drop
        i32.const 32; i32.const 64; call transfer; drop
        i32.const 0; i32.const 96; i64.const 1000000; i32.const 128; i32.const 2; call call; drop
        i32.const 0; i64.const 50000; i32.const 128; i32.const 1; call view; drop
        i32.const 128; i32.const 2; call revert; i32.const 0`,
    },
  ],
});

const overrides = [
  { address: INNER, code: text(inner) },
  { address: OUTER, code: text(outer), balance: '100' },
];

/** An event of the outermost frame, which makes no calls. */
const beforeAllCalls = <Log extends object>(log: Log) => ({ ...log, position: 0 });

const SETTINGS = [
  { native: 'auto', workers: '1' },
  { native: 'off', workers: '2' },
];

for (const flags of spread(SETTINGS, 1)) {
  describe(`tracers, --native ${flags.native} --workers ${flags.workers}`, () => {
    let world: ContractNode;
    let payments: readonly string[];

    before(async () => {
      world = await ContractNode.start(flags);
      payments = await world.seal([world.pay(10), world.pay(20), world.pay(5)]);
    });
    after(() => world?.stop());

    test('show the call tree with the effects of each frame before the revert', async () => {
      const { result, trace } = await traceCall(world, {
        contract: OUTER,
        input: '0x',
        caller: ALICE,
        overrides,
      });
      const root = treeOf(trace);
      assert.deepEqual(result.status, root.status);
      assert.deepEqual(root.status, {
        type: 'reverted',
        value: { message: 'no', data: '0x6e6f' },
      });
      assert.equal(root.gas_used, result.gas_used);
      assert.deepEqual(
        framesOf(root).map(({ kind, from, to, value, input, gas_limit: limit }) => [
          kind,
          from,
          to,
          value,
          input,
          kind === 'call' && from === ALICE ? 0 : limit,
        ]),
        [
          ['call', ALICE, OUTER, '0', '0x', 0],
          ['transfer', OUTER, BOB, '3', '0x', 0],
          ['call', OUTER, INNER, '5', '0x6e6f', 1_000_000],
          ['view', OUTER, INNER, '0', '0x6e', 50_000],
        ],
      );
      const [, called, viewed] = root.calls;
      assert.equal(called?.output, '0x0900000000000000');
      assert.equal(called?.logs.length, 1);
      assert.equal(called?.logs[0]?.['data'], '0x0900000000000000');
      assert.equal(viewed?.status.type, 'trapped');
      assert.match(JSON.stringify(viewed?.status), /view_violation/);
      assert.equal(trace.truncated, false);
    });

    test('tell how many calls of its frame came before an event', async () => {
      const call = 'i32.const 0; i32.const 96; i64.const 100000; i32.const 128; i32.const 2; call call; drop';
      const emit = 'i32.const 0; i32.const 0; i32.const 64; i32.const 1; call emit';
      const woven = assemble({
        imports: ['transfer', 'call', 'emit'],
        memory: [1, 1],
        data: [{ at: 0, bytes: Buffer.from(INNER.slice(2), 'hex') }],
        functions: [
          {
            name: 'invoke',
            type: '>i',
            code: `${emit}; ${call}; ${emit}; ${emit}; i32.const 0; i32.const 96; call transfer; drop
              ${call}; ${emit}; i32.const 0`,
          },
        ],
      });
      const given = [overrides[0], { address: OUTER, code: text(woven) }];
      const { result, trace } = await traceCall(world, { contract: OUTER, input: '0x', overrides: given });
      assert.equal(result.status.type, 'success');
      const root = treeOf(trace);
      assert.deepEqual(
        root.logs.map((log) => [log['log_index'], log['position']]),
        [
          [0, 0],
          [2, 1],
          [3, 1],
          [5, 3],
        ],
      );
      assert.deepEqual(
        root.calls.map(({ kind, logs }) => [kind, logs.map((log) => log['position'])]),
        [
          ['call', [0]],
          ['transfer', []],
          ['call', [0]],
        ],
      );
    });

    test('list every host operation with its frame, price, arguments and result', async () => {
      const { trace } = await traceCall(world, { contract: OUTER, input: '0x', caller: ALICE, overrides }, [
        'host_ops',
        'call_tree',
      ]);
      const operations = (trace.host_ops ?? []).map(({ frame, name, gas, args, result }) => [
        frame,
        name,
        gas,
        name === 'gas_left' ? 'some' : { ...args },
        ...(result === undefined || name === 'gas_left' ? [] : [result]),
      ]);
      assert.deepEqual(operations, [
        [0, 'gas_left', 10, 'some'],
        [0, 'transfer', 20_000, { to: BOB, amount: '3' }, true],
        [2, 'storage_read', 6_000, { slot: ZERO_SLOT }],
        [2, 'storage_write', 20_128, { slot: ZERO_SLOT, value: '0x0900000000000000' }],
        [2, 'emit', 3_456, { topics: [], data: '0x0900000000000000' }],
        [2, 'log', 106, { text: 'inside' }],
        [2, 'set_output', 356, { output: '0x0900000000000000' }],
        [0, 'call', 10_002, { to: INNER, value: '5', gas: 1_000_000, input: '0x6e6f' }, 0],
        [3, 'storage_read', 6_016, { slot: ZERO_SLOT }, '0x0900000000000000'],
        [0, 'view', 10_001, { to: INNER, gas: 50_000, input: '0x6e' }, 3],
        [0, 'revert', 164, { data: '0x6e6f' }],
      ]);
    });

    test('report the changes of a call, and none if it is reverted', async () => {
      const call = { contract: INNER, input: '0x', caller: ALICE, value: '7', overrides };
      const { trace } = await traceCall(world, call, ['state_diff']);
      const slots = [{ slot: ZERO_SLOT, after: '0x0900000000000000' }];
      const inner = trace.state_diff?.find(({ address }) => address === INNER);
      assert.deepEqual(inner, { address: INNER, balance: { before: '0', after: '7' }, slots });
      assert.equal(trace.state_diff?.length, 2);
      const failed = await traceCall(world, { contract: OUTER, input: '0x', caller: ALICE, overrides }, [
        'state_diff',
      ]);
      assert.deepEqual(failed.trace.state_diff, []);
    });

    test('give a prestate that reproduces a transaction without running contracts', async () => {
      const { probe } = world;
      const actions = {
        // Paying an account that does not exist costs more.
        success: { type: 'transfer', value: { to: probe, amount: '1' } },
        reverted: { type: 'call', value: { contract: probe, input: PROBE.height, value: '9'.repeat(30) } },
      };
      for (const [end, action] of Object.entries(actions)) {
        const build = { sender: NOBODY, action };
        const simulate = async (more: object) =>
          (await world.rpc.call('tx_simulate_trace', {
            build,
            tracers: [{ type: 'prestate' }],
            ...more,
          })) as {
            readonly simulation: { readonly status: { readonly type: string }; readonly gas_used: number };
            readonly trace: TraceJson;
          };
        const { simulation, trace } = await simulate({ overrides: [{ address: NOBODY, balance: '10' }] });
        assert.equal(simulation.status.type, end);
        const overrides = trace.prestate;
        const again = await simulate({ at: { type: 'height', value: 0 }, overrides });
        assert.deepEqual(again.simulation.status, simulation.status);
        assert.equal(again.simulation.gas_used, simulation.gas_used);
      }
    });

    test('are as complete together as alone after a recursion deeper than a profile shows', async () => {
      const deep = assemble({
        imports: ['call', 'gas_left', 'emit'],
        memory: [1, 1],
        data: [{ at: 0, bytes: Buffer.from(INNER.slice(2), 'hex') }],
        functions: [
          {
            name: 'invoke',
            type: '>i',
            code: `i32.const 300; call down; call gas_left; drop
              i32.const 0; i32.const 0; i32.const 64; i32.const 8; call emit
              i32.const 0; i32.const 96; i64.const 1000000; i32.const 128; i32.const 2; call call; drop; i32.const 0`,
          },
          {
            name: 'down',
            type: 'i>',
            isExported: false,
            code: 'local.get 0; if; local.get 0; i32.const 1; i32.sub; call down; end',
          },
        ],
      });
      const given = [overrides[0], { address: OUTER, code: text(deep) }];
      const call = { contract: OUTER, input: '0x', overrides: given };
      const { result, trace } = await traceCall(world, call, ALL_TRACERS);
      assert.equal(result.status.type, 'success');
      assert.equal(framesOf(treeOf(trace)).length, 2);
      assert.equal(foldedGas(trace), result.gas_used);
      for (const name of ALL_TRACERS) {
        const alone = await traceCall(world, call, [name]);
        assert.deepEqual(alone.trace, { [name]: trace[name], truncated: false });
      }
    });

    test('agree on gas in any combination, and with an untraced call', async () => {
      const calls = [
        { contract: OUTER, input: '0x', caller: ALICE, overrides },
        { contract: world.token, method: 'transfer', args: [BOB, '5'], caller: ALICE },
        { contract: world.token, method: 'transfer', args: [BOB, '5'], caller: BOB },
        { contract: world.token, method: 'transfer', args: [BOB, '999999999'], caller: ALICE },
        ...Object.values(PROBE).map((input) => ({ contract: world.probe, input, gas_limit: 3_000_000 })),
      ];
      for (const call of calls) {
        const untraced = await world.view(call);
        for (const names of [
          ['call_tree'],
          ['host_ops'],
          ['gas_profile'],
          ['prestate'],
          ALL_TRACERS,
        ] as const) {
          const { result, trace } = await traceCall(world, call, names);
          assert.deepEqual(result, untraced);
          if (trace.call_tree !== undefined) assert.deepEqual(trace.call_tree.status, untraced.status);
          if (trace.gas_profile !== undefined) assert.equal(foldedGas(trace), untraced.gas_used);
        }
      }
    });

    test('give a prestate that reproduces the call when used as overrides', async () => {
      const calls = [
        { contract: world.token, method: 'transfer', args: [BOB, '5'], caller: ALICE },
        { contract: world.token, method: 'balance_of', args: [BOB] },
        { contract: world.token, method: 'transfer', args: [BOB, '999999999'], caller: ALICE },
        { contract: OUTER, input: '0x', caller: ALICE, value: '11', overrides },
        { contract: world.probe, input: PROBE.slot },
        { contract: world.probe, input: PROBE.balance, value: '4', caller: ALICE },
        { contract: world.probe, input: PROBE.balance, value: '4', caller: NOBODY },
      ];
      for (const call of calls) {
        for (const height of [1, 2]) {
          const at = { at: { type: 'height', value: height } };
          const { result, trace } = await traceCall(world, { ...call, ...at }, ['prestate', 'call_tree']);
          // Genesis has neither contract, so the prestate must provide everything except interfaces.
          const { method, args, ...rest } = { method: undefined, args: undefined, ...call };
          const input = treeOf(trace).input;
          const again = await traceCall(world, {
            ...rest,
            ...('input' in call ? {} : { input }),
            at: { type: 'height', value: 0 },
            block_override: { height, timestamp_ms: 1_800_000_000_000 + 1_000 * (height - 1) },
            overrides: trace.prestate as JsonValue,
          });
          const raw = ({ gas_used, output, status }: typeof result) => [gas_used, output, status.type];
          assert.deepEqual(raw(again.result), raw(result), JSON.stringify({ method, args, height }));
        }
      }
    });

    test('show a transaction at its block position with the names of its interface', async () => {
      const { receipt, trace } = await traceTransaction(world, payments[2] ?? '', ALL_TRACERS);
      const root = treeOf(trace);
      assert.deepEqual(
        [root.kind, root.from, root.to, root.method, root.args],
        ['call', ALICE, world.token, 'transfer', { to: BOB, amount: '5' }],
      );
      assert.deepEqual(root.logs, receipt.logs.map(beforeAllCalls));
      const own = trace.prestate?.find(({ address }) => address === world.token);
      // Before this transaction, bob had the amounts of the block's first two transactions.
      assert.ok(own?.slots?.some(({ value }) => value === `0x1e${'00'.repeat(15)}`));
      const bobs = trace.state_diff?.find(({ address }) => address === world.token)?.slots ?? [];
      assert.ok(bobs.some(({ before, after }) => before?.startsWith('0x1e') && after?.startsWith('0x23')));
      const sender = trace.state_diff?.find(({ address }) => address === ALICE)?.balance;
      assert.equal(BigInt(sender?.before ?? 0) - BigInt(sender?.after ?? 0), BigInt(receipt.fee));
      assert.equal(foldedGas(trace), receipt.gas_used);
      const [first] = trace.gas_profile?.folded ?? [];
      assert.equal(first?.startsWith('(transaction) '), true);
      assert.ok(trace.gas_profile?.folded.some((line) => line.includes(';Token.transfer;')));
    });

    test('trace a transaction that is only simulated', async () => {
      const client = connect(world.node.url);
      const contract = Buffer.from(world.token.slice(2), 'hex');
      const input = token.function('transfer').encodeCall([BOB, '7']);
      const { simulation, trace } = await client.tx_simulate_trace({
        build: { sender: alice.address, action: { type: 'call', value: { contract, input } } },
        tracers: ALL_TRACERS.map((type) => ({ type })),
      });
      assert.equal(simulation.status.type, 'success');
      assert.equal(trace.call_tree?.gas_used, simulation.gas_used);
      assert.deepEqual(trace.call_tree?.args, { to: BOB, amount: '7' });
      assert.deepEqual(trace.call_tree?.logs, simulation.logs.map(beforeAllCalls));
      assert.deepEqual(trace.state_diff, simulation.state_diff);
      assert.equal(await world.bobs(), '35');
    });

    test('report the documented errors for missing blocks and transactions', async () => {
      const missing = await world.refusal('chain_traceTransaction', { tx_hash: 'ab'.repeat(32) });
      assert.equal(missing.data.kind, 'not_found');
      const nobody = await world.refusal('chain_traceCall', {
        contract: `0x${'66'.repeat(20)}`,
        input: '0x',
      });
      assert.equal(nobody.data.kind, 'not_found');
      const tracer = await world.refusal('chain_traceCall', {
        contract: world.token,
        input: '0x',
        tracers: [{ type: 'everything' }],
      });
      assert.equal(tracer.data.kind, 'invalid_params');
      const gas = await world.refusal('chain_traceCall', {
        contract: world.token,
        input: '0x',
        gas_limit: 9_000_000_000_000,
      });
      assert.equal(gas.data.kind, 'limit_exceeded');
      const future = await world.refusal('chain_traceCall', {
        contract: world.token,
        input: '0x',
        at: { type: 'height', value: 99 },
      });
      assert.equal(future.data.kind, 'state_unavailable');
    });
  });
}

/** Calls itself with its own input to the maximum depth. */
const hall = assemble({
  imports: ['input_size', 'input_read', 'self', 'call'],
  memory: [2, 2],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: `
        i32.const 0; call self
        i32.const 1024; i32.const 0; call input_size; call input_read; drop
        loop
          i32.const 0; i32.const 64; i64.const -1; i32.const 1024; call input_size; call call
          i32.const 1; i32.lt_u; br_if 0
        end
        i32.const 0`,
    },
  ],
});

test('a trace that grows too large is truncated and marked so', async (t) => {
  const world = await ContractNode.for(t, { workers: '1' }, { maxTraceBytes: 65_536 });
  const call = {
    contract: OUTER,
    input: `0x${'ab'.repeat(1_000)}`,
    gas_limit: 80_000_000,
    overrides: [{ address: OUTER, code: text(hall) }],
  };
  const untraced = await world.view(call);
  for (const name of ALL_TRACERS) {
    const { result, trace } = await traceCall(world, call, [name]);
    assert.deepEqual(result, untraced);
    assert.ok(JSON.stringify(trace).length <= 65_536 + 200, `${name} has ${JSON.stringify(trace).length}`);
    if (name === 'call_tree' || name === 'host_ops') assert.equal(trace.truncated, true, name);
  }
  const { trace } = await traceCall(world, call);
  assert.equal(treeOf(trace).gas_used, untraced.gas_used);
  const limits = (await (await fetch(`${world.node.url}/v2/rpc/manifest`)).json()) as {
    readonly limits: { readonly trace_bytes?: number };
  };
  assert.equal(limits.limits.trace_bytes, 65_536);
});

/** Queries its remaining gas often enough to fill any small trace. */
const asking = assemble({
  imports: ['gas_left'],
  memory: [2, 2],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      locals: 'i',
      code: `
        loop
          call gas_left; drop
          local.get 0; i32.const 1; i32.add; local.tee 0; i32.const 5000; i32.lt_u; br_if 0
        end
        i32.const 0`,
    },
  ],
});

test('a long list of host operations displaces no other part of a trace', async (t) => {
  const world = await ContractNode.for(t, { workers: '1' }, { maxTraceBytes: 65_536 });
  const call = { contract: OUTER, input: '0x', overrides: [{ address: OUTER, code: text(asking) }] };
  const { trace } = await traceCall(world, call, ALL_TRACERS);
  assert.deepEqual(Object.keys(trace), [...ALL_TRACERS, 'truncated']);
  assert.equal(trace.truncated, true);
  assert.ok(JSON.stringify(trace).length <= 65_536 + 200);
  assert.ok((trace.host_ops ?? []).length > 500);
  const alone = await traceCall(world, call, ['call_tree', 'state_diff', 'prestate']);
  assert.equal(alone.trace.truncated, false);
  assert.deepEqual(
    { ...trace, host_ops: 0, gas_profile: 0 },
    { ...alone.trace, host_ops: 0, gas_profile: 0, truncated: true },
  );
  assert.deepEqual(trace.prestate?.find(({ address }) => address === OUTER)?.code, text(asking));
  assert.equal(foldedGas(trace), treeOf(trace).gas_used);
});

test('a trace that runs too long is terminated while others continue', async (t) => {
  const world = await ContractNode.for(t, {
    workers: '1',
    'max-call-gas': '1000000000000',
    'max-call-ms': '1500',
  });
  const late = world.refusal('chain_traceCall', { contract: world.probe, input: PROBE.loop });
  const [failure, other] = await Promise.all([
    late,
    traceCall(world, { contract: world.token, method: 'balance_of', args: [BOB] }),
  ]);
  assert.equal(failure.data.kind, 'timeout');
  assert.equal(other.result.status.type, 'success');
});

test('the deepest possible call is traced and decoded by a client', async (t) => {
  const world = await ContractNode.for(t, { workers: '1' });
  const deep = assemble({
    imports: ['self', 'call'],
    memory: [1, 1],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        code: `i32.const 0; call self
          i32.const 0; i32.const 64; i64.const -1; i32.const 64; i32.const 0; call call; drop; i32.const 0`,
      },
    ],
  });
  const { trace } = await connect(world.node.url).chain_traceCall({
    contract: Buffer.from(OUTER.slice(2), 'hex'),
    input: new Uint8Array(0),
    overrides: [{ address: Buffer.from(OUTER.slice(2), 'hex'), code: deep }],
  });
  let depth = 0;
  for (let frame = trace.call_tree; frame !== undefined; frame = frame.calls[0]) depth++;
  assert.equal(depth, 64);
});
