import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TraceRecorder } from '../../../src/execution/tracing/trace-recorder.js';
import { WorldState } from '../../../src/execution/world-state.js';
import { EMPTY_ACCOUNT } from '../../../src/ledger/accounts.js';
import type { Frame } from '../../../src/vm/engine.js';
import { address } from '../../support/worlds/vm-world.js';
import { ALL_TRACERS, type TraceJson, tracers } from './trace-answers.js';

const MAX_BYTES = 64 * 1024;
const KEY = new Uint8Array(32);
const EMPTY_STATE = {
  account: () => ({ key: KEY, raw: undefined, record: EMPTY_ACCOUNT }),
  slot: () => ({ key: KEY, raw: undefined }),
  record: () => ({ key: KEY, raw: undefined }),
  code: () => undefined,
};
const NO_BYTES = new Uint8Array(0);
const FRAME: Frame = {
  purpose: 'call',
  contract: address(1),
  caller: address(2),
  origin: address(2),
  value: 0n,
  input: NO_BYTES,
  gas: 1_000_000n,
  isView: false,
  depth: 0,
};
const ENDED = { status: 'success', gasUsed: 1_000_000n, output: NO_BYTES, trap: undefined } as const;

/** A trace with all tracers of a call that enters nested functions, does operations, reads accounts, and emits events. */
function traced({
  functions = 1,
  operations = 1,
  accounts = 1,
  events = 1,
}: {
  readonly functions?: number;
  readonly operations?: number;
  readonly accounts?: number;
  readonly events?: number;
}): TraceJson {
  const recorder = new TraceRecorder(tracers(...ALL_TRACERS), MAX_BYTES);
  const state = new WorldState(recorder.watch(EMPTY_STATE));
  const { observer } = recorder;
  observer.frameEntered?.(FRAME);
  for (let at = 0; at < functions; at++) {
    observer.functionEntered?.(`${at}${'x'.repeat(20)}`, 1_000_000n - BigInt(at));
  }
  for (let at = 0; at < accounts; at++) state.balance(at.toString(16).padStart(40, '0'));
  for (let at = 0; at < operations; at++) {
    observer.hostOperation?.({ name: 'gas_left', gas: 1n, args: {}, result: 5n });
  }
  for (let at = 0; at < events; at++) observer.eventEmitted?.(address(1), [], NO_BYTES);
  observer.frameLeft?.(FRAME, ENDED);
  const view = {
    logPlace: '"height":1,"block_hash":"","tx_hash":"","tx_index":0',
    abiOf: () => undefined,
    rootAbis: [],
  };
  const json = recorder.json(state, EMPTY_STATE, view, 0);
  assert.ok(json.length <= MAX_BYTES + 200, `${json.length}`);
  return JSON.parse(json);
}

/** The number of entries in each part of a trace. */
function counts({ call_tree, host_ops, prestate, gas_profile }: TraceJson) {
  return {
    events: call_tree?.logs.length,
    operations: host_ops?.length,
    accounts: prestate?.length,
    stacks: gas_profile?.folded.length,
  };
}

test('only the part of a trace that is too long is cut', () => {
  const whole = traced({});
  assert.equal(whole.truncated, false);
  const small = { events: 1, operations: 1, accounts: 1, stacks: 2 };
  assert.deepEqual(counts(whole), small);
  const many = {
    functions: 'stacks',
    operations: 'operations',
    accounts: 'accounts',
    events: 'events',
  } as const;
  for (const [given, cut] of Object.entries(many)) {
    const trace = traced({ [given]: 2_000 });
    assert.equal(trace.truncated, true, given);
    const { [cut]: entries = 0, ...others } = counts(trace);
    const { [cut]: _, ...expected } = small;
    assert.ok(entries > 10, `${given}: ${entries} ${cut}`);
    assert.deepEqual(others, expected, given);
  }
});

test('parts that are all too long share the space', () => {
  const trace = traced({ functions: 2_000, operations: 2_000, accounts: 2_000, events: 2_000 });
  assert.equal(trace.truncated, true);
  for (const part of [trace.call_tree, trace.host_ops, trace.prestate, trace.gas_profile]) {
    const { length } = JSON.stringify(part);
    assert.ok(length > MAX_BYTES / 8 && length < MAX_BYTES / 2, `${length}`);
  }
});
