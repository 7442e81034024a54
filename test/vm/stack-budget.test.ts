import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadBls } from '../../src/crypto/load-bls.js';
import { loadCrypto } from '../../src/crypto/load-crypto.js';
import { createContractEngines } from '../../src/vm/contract-engines.js';
import type { Frame } from '../../src/vm/engine.js';
import {
  CALL_FRAMES_BYTES,
  CONTRACT_STACK_MB,
  LIMITS,
  STACK_MARGIN,
} from '../../src/vm/wasm/engine-limits.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { HOST_CRYPTO } from '../support/crypto/host-crypto.js';
import { address, VmWorld } from '../support/worlds/vm-world.js';

const SELF = address(1);
const OTHER = address(2);
const BUDGET = 10 * CALL_FRAMES_BYTES;

/** Memory: the other's address at 0, zeros at 32. `dive` recurses to a given depth, `call` calls the other. */
function contract(code: string, to = OTHER): Uint8Array {
  return assemble({
    imports: ['call', 'view', 'set_output', 'input_size'],
    memory: [1],
    data: [{ at: 0, bytes: to }],
    functions: [
      { name: 'invoke', type: '>i', locals: 'i', code: `${code}; i32.const 0` },
      {
        name: 'dive',
        type: 'i>',
        code: 'local.get 0; if; local.get 0; i32.const 1; i32.sub; call dive; end',
      },
      {
        name: 'dive_and_call',
        type: 'i>i',
        code: `local.get 0; if i; local.get 0; i32.const 1; i32.sub; call dive_and_call
               else; ${CALL}; end`,
      },
      {
        name: 'tell',
        type: 'i>',
        code: 'i32.const 64; local.get 0; i32.store8; i32.const 64; i32.const 1; call set_output',
      },
    ],
  });
}

const CALL = 'i32.const 0; i32.const 32; i64.const -1; i32.const 0; i32.const 0; call call';

function worldOf(contracts: readonly (readonly [Uint8Array, Uint8Array])[], stackBytes = BUDGET): VmWorld {
  const world = new VmWorld(HOST_CRYPTO, { ...LIMITS, stackBytes });
  for (const [at, code] of contracts) world.deploy(at, code);
  return world;
}

/** The largest number of rounds that succeeds, given that fewer succeed too. */
function mostRounds(ends: (rounds: number) => boolean): number {
  let low = 0;
  let high = 10_000;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (ends(middle)) low = middle;
    else high = middle;
  }
  return low;
}

test('the budget is at most an eighth of the stack of contract threads', () => {
  assert.ok(LIMITS.stackBytes * 8 <= CONTRACT_STACK_MB * 1024 * 1024);
  assert.ok(STACK_MARGIN >= 8);
});

test('contracts run only in threads with that stack', async () => {
  const [own, bls] = [await loadCrypto('off'), await loadBls('off')];
  assert.throws(() => createContractEngines(own, bls), {
    name: 'EngineError',
    code: 'thread_stack_too_small',
  });
});

test('nested calls share one budget, and a call without room is refused', () => {
  const depths: number[] = [];
  const world = worldOf([[SELF, contract(`${CALL}; call tell`, SELF)]]);
  world.observer = { frameEntered: ({ depth }: Frame) => depths.push(depth) };
  assert.equal(world.run(SELF).status, 'success');
  // The budget holds ten times the host's frames, minus the contract's own.
  assert.equal(Math.max(...depths), 9);
});

test('the innermost of nested calls gets status 4, all others success', () => {
  const codes: number[] = [];
  const world = worldOf([[SELF, contract(`${CALL}; call tell`, SELF)]]);
  world.observer = {
    frameLeft: (_frame: Frame, { output }) => {
      codes.push(output[0] ?? -1);
    },
  };
  world.run(SELF);
  assert.deepEqual(codes, [4, ...Array.from({ length: 9 }, () => 0)]);
});

test('a callee has the rest of the budget and returns it', () => {
  const alone = mostRounds((rounds) => {
    const { status } = worldOf([[OTHER, contract(`i32.const ${rounds}; call dive`)]]).run(OTHER);
    return status === 'success';
  });
  const below = (callerRounds: number): number =>
    mostRounds((rounds) => {
      const world = worldOf([
        [SELF, contract(`i32.const ${callerRounds}; call dive_and_call; call tell`)],
        [OTHER, contract(`i32.const ${rounds}; call dive`)],
      ]);
      const { status, output } = world.run(SELF);
      assert.equal(status, 'success');
      assert.ok(output[0] === 0 || output[0] === 3, 'the callee succeeds or traps');
      return output[0] === 0;
    });
  const [first, second] = [below(0), below(100)];
  assert.ok(first < alone, `${first} rounds below a call, ${alone} without`);
  assert.ok(first - second >= 99, `${first} rounds below a shallow caller, ${second} below a deep one`);
  // The caller dives as deep after the call as before.
  const after = mostRounds((rounds) => {
    const world = worldOf([
      [SELF, contract(`${CALL}; drop; i32.const ${rounds}; call dive`)],
      [OTHER, contract(`i32.const ${first - 1}; call dive`)],
    ]);
    return world.run(SELF).status === 'success';
  });
  assert.ok(after >= alone - 1, `${after} rounds after a call, ${alone} without`);
});

test('a frame over the budget traps with its writes reverted, and its callers continue', () => {
  const world = worldOf([
    [SELF, contract(`${CALL}; call tell`)],
    [OTHER, contract('i32.const 10000; call dive')],
  ]);
  const { status, output } = world.run(SELF);
  assert.equal(status, 'success');
  assert.deepEqual([...output], [3]);
  assert.equal(world.run(OTHER).trap?.kind, 'stack_overflow');
});

test('observed code and plain code have the same budget', () => {
  const most = (variant: 'plain' | 'observed'): number =>
    mostRounds((rounds) => {
      const world = worldOf([]);
      world.deploy(OTHER, contract(`i32.const ${rounds}; call dive`), variant);
      return world.run(OTHER).status === 'success';
    });
  assert.equal(most('observed'), most('plain'));
});

test('the deepest point of a call is charged once, beyond the first 16 KiB', () => {
  const used = (code: string): bigint => {
    const { status, gasUsed } = worldOf([[OTHER, contract(code)]]).run(OTHER);
    assert.equal(status, 'success');
    return gasUsed;
  };
  const dive = (rounds: number): string => `i32.const ${rounds}; call dive`;
  const round = used(dive(21)) - used(dive(20));
  const deep = used(dive(400)) - used(dive(20)) - 380n * round;
  // 400 frames of at least 128 bytes, minus the free part, at two bytes per gas.
  assert.ok(deep > (400n * 128n - 16n * 1024n) / 2n, `${deep} gas for the deepest point`);
  assert.equal(
    used(`${dive(400)}; ${dive(400)}`) - used(dive(400)),
    used(dive(20)) - used('nop') + 380n * round,
  );
});

test('a deep recursion runs out of gas exactly if it cannot pay for its stack', () => {
  const world = worldOf([[OTHER, contract('i32.const 400; call dive')]]);
  const { gasUsed } = world.run(OTHER);
  assert.equal(world.run(OTHER, { gas: gasUsed }).status, 'success');
  assert.equal(world.run(OTHER, { gas: gasUsed - 1n }).status, 'out_of_gas');
});
