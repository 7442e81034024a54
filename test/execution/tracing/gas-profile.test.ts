import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GasProfileCollector } from '../../../src/execution/tracing/gas-profile.js';
import { TraceBudget } from '../../../src/execution/views/trace-budget.js';
import type { CallObserver, CallOutcome } from '../../../src/vm/engine.js';
import { assemble } from '../../support/contracts/wasm-assembler.js';
import { HOST_CRYPTO } from '../../support/crypto/host-crypto.js';
import { address, PLENTY, VmWorld } from '../../support/worlds/vm-world.js';
import type { GasProfileJson } from './trace-answers.js';

const LIMIT = 1_000_000;
const CALLER = address(1);
const CALLEE = address(2);

/** Runs observed code at {@link CALLER}, with another contract at {@link CALLEE}. */
async function profile(
  caller: Uint8Array,
  options: { readonly callee?: Uint8Array; readonly bytes?: number; readonly gas?: bigint } = {},
): Promise<{ readonly outcome: CallOutcome; readonly profile: GasProfileJson; readonly truncated: boolean }> {
  const world = new VmWorld(HOST_CRYPTO);
  world.deploy(CALLER, caller, 'observed');
  if (options.callee !== undefined) world.deploy(CALLEE, options.callee, 'observed');
  const budget = new TraceBudget(options.bytes ?? LIMIT);
  const collector = new GasProfileCollector(budget);
  world.observer = observerOf(collector);
  const outcome = world.run(CALLER, { gas: options.gas ?? PLENTY });
  const json = collector.json(undefined, () => undefined, new TraceBudget(LIMIT));
  return { outcome, profile: JSON.parse(json), truncated: budget.isExhausted };
}

function observerOf(collector: GasProfileCollector): CallObserver {
  return {
    frameEntered: (frame) => collector.enter(frame),
    frameLeft: (frame, outcome) => collector.leave(frame, outcome),
    hostOperation: (operation) => collector.operation(operation),
    functionEntered: (name, gasLeft) => collector.functionEntered(name, gasLeft),
    functionLeft: (_name, gasLeft) => collector.functionLeft(gasLeft),
  };
}

function gasOf({ folded }: GasProfileJson): bigint {
  return folded.reduce((sum, line) => sum + BigInt(line.slice(line.lastIndexOf(' ') + 1)), 0n);
}

function sumOf({ functions }: GasProfileJson, name: string) {
  const found = functions.find((each) => each.function === name);
  assert.ok(found, `no function ${name} in ${functions.map((each) => each.function)}`);
  return found;
}

/** Calls a function of two constants twice and writes a slot. */
const working = assemble({
  imports: ['storage_write'],
  memory: [1, 1],
  functions: [
    {
      name: 'invoke',
      type: '>i',
      code: 'call work; call work; i32.const 0; i32.const 32; i32.const 8; call storage_write; i32.const 0',
    },
    { name: 'work', code: 'i32.const 1; drop; i32.const 2; drop', isExported: false },
  ],
});

test('each function has its own gas, by the schedule', async () => {
  const { outcome, profile: found } = await profile(working);
  assert.equal(outcome.status, 'success');
  // Entering a function costs 2 gas, a constant 1, a call 4, and writing 8 bytes to a slot 20,000 plus 16 a byte.
  const work = sumOf(found, 'work');
  assert.deepEqual([work.self_gas, work.total_gas, work.calls], [8, 8, 2]);
  const write = sumOf(found, 'heddle.storage_write');
  assert.deepEqual([write.self_gas, write.total_gas, write.calls], [20_128, 20_128, 1]);
  const invoke = sumOf(found, 'invoke');
  assert.deepEqual([invoke.self_gas, invoke.total_gas, invoke.calls], [18, 18 + 8 + 20_128, 1]);
  // The instance costs 8,000 gas, each of its two functions 3, and its page 4,000.
  assert.equal(sumOf(found, '(instance)').self_gas, 12_006);
  assert.equal(gasOf(found), outcome.gasUsed);
  const name = `0x${'01'.repeat(20)}`;
  assert.deepEqual(found.folded, [
    `${name} 12006`,
    `${name};invoke 18`,
    `${name};invoke;work 8`,
    `${name};invoke;heddle.storage_write 20128`,
  ]);
});

test('gas of a called contract is attributed to it, whatever the outcome', async () => {
  const calling = assemble({
    imports: ['call'],
    memory: [1, 1],
    data: [{ at: 0, bytes: CALLEE }],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        code: `i32.const 0; i32.const 64; i64.const 1000000; i32.const 0; i32.const 0; call call; drop
          i32.const 0; i32.const 64; i64.const 1000000; i32.const 0; i32.const 0; call call; drop; i32.const 0`,
      },
    ],
  });
  const ends = {
    working,
    trapping: assemble({
      memory: [1, 1],
      functions: [
        { name: 'invoke', type: '>i', code: 'call fall; i32.const 0' },
        { name: 'fall', code: 'unreachable', isExported: false },
      ],
    }),
    endless: assemble({
      memory: [1, 1],
      functions: [{ name: 'invoke', type: '>i', code: 'loop; br 0; end; i32.const 0' }],
    }),
  };
  for (const [name, callee] of Object.entries(ends)) {
    const { outcome, profile: found } = await profile(calling, { callee });
    assert.equal(outcome.status, 'success', name);
    assert.equal(gasOf(found), outcome.gasUsed, name);
    assert.equal(
      found.functions.reduce((sum, { self_gas: self }) => sum + self, 0),
      Number(outcome.gasUsed),
    );
    const inner = found.functions.filter(({ contract }) => contract === `0x${'02'.repeat(20)}`);
    assert.equal(inner.find((each) => each.function === '(instance)')?.calls, 2, name);
    if (name === 'endless')
      assert.equal(
        inner.reduce((sum, { self_gas: self }) => sum + self, 0),
        2_000_000,
      );
  }
});

test('a call that runs out of gas midway accounts for all of its gas', async () => {
  const { outcome } = await profile(working);
  for (let gas = outcome.gasUsed - 1n; gas > 0n; gas -= 977n) {
    const short = await profile(working, { gas });
    assert.equal(short.outcome.status, 'out_of_gas');
    assert.equal(gasOf(short.profile), gas);
    for (const { self_gas: self } of short.profile.functions) assert.ok(self >= 0);
  }
});

test('a function that calls itself counts once in its own total', async () => {
  const recursing = assemble({
    memory: [1, 1],
    functions: [
      { name: 'invoke', type: '>i', code: 'i32.const 20; call down; i32.const 0' },
      {
        name: 'down',
        type: 'i>',
        isExported: false,
        code: 'local.get 0; if; local.get 0; i32.const 1; i32.sub; call down; end',
      },
    ],
  });
  const { outcome, profile: found } = await profile(recursing);
  const down = sumOf(found, 'down');
  assert.equal(down.calls, 21);
  assert.equal(down.self_gas, down.total_gas);
  assert.equal(gasOf(found), outcome.gasUsed);
});

test('the gas of frames without room for a node counts at the root', async () => {
  const world = new VmWorld(HOST_CRYPTO);
  world.deploy(CALLER, working, 'observed');
  const collector = new GasProfileCollector(new TraceBudget(100));
  world.observer = observerOf(collector);
  const { gasUsed } = world.run(CALLER);
  const shown = (transaction?: { readonly to: Uint8Array; readonly gasUsed: bigint }): GasProfileJson =>
    JSON.parse(collector.json(transaction, () => undefined, new TraceBudget(LIMIT)));
  assert.deepEqual(shown().folded, [`(transaction) ${gasUsed}`]);
  assert.deepEqual(shown({ to: CALLER, gasUsed: gasUsed + 20_000n }).folded, [
    `(transaction) ${gasUsed + 20_000n}`,
  ]);
});

test('functions below the depth limit count at the limit, and later ones separately', async () => {
  const deep = assemble({
    memory: [1, 1],
    functions: [
      { name: 'invoke', type: '>i', code: 'i32.const 300; call down; call after; i32.const 0' },
      {
        name: 'down',
        type: 'i>',
        isExported: false,
        code: 'local.get 0; if; local.get 0; i32.const 1; i32.sub; call down; end',
      },
      { name: 'after', isExported: false, code: 'i32.const 1; drop' },
    ],
  });
  const { outcome, profile: found, truncated } = await profile(deep);
  assert.equal(outcome.status, 'success');
  assert.equal(sumOf(found, 'after').calls, 1);
  assert.equal(gasOf(found), outcome.gasUsed);
  assert.equal(truncated, false);
});

test('stacks beyond the limits are counted where there was room and marked as truncated', async () => {
  const deep = assemble({
    memory: [1, 1],
    functions: [
      { name: 'invoke', type: '>i', code: 'i32.const 600; call down; i32.const 0' },
      {
        name: 'down',
        type: 'i>',
        isExported: false,
        code: 'local.get 0; if; local.get 0; i32.const 1; i32.sub; call down; end',
      },
    ],
  });
  const whole = await profile(deep);
  // The test thread's stack is too small for 600 frames; the resulting trap is a normal outcome.
  assert.equal(gasOf(whole.profile), whole.outcome.gasUsed);
  const small = await profile(deep, { bytes: 1_000 });
  assert.equal(small.truncated, true);
  assert.equal(gasOf(small.profile), small.outcome.gasUsed);
  assert.ok(small.profile.folded.length <= 5);
});
