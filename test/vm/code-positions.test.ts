import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodePosition, PrepareVariant } from '../../src/vm/engine.js';
import { CodePositions } from '../../src/vm/wasm/code-positions.js';
import { OP } from '../../src/wasm/opcodes.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { HOST_CRYPTO } from '../support/crypto/host-crypto.js';
import { address, PLENTY, VmWorld, WORLD_LIMITS } from '../support/worlds/vm-world.js';

const CALLER = address(1);
const CALLEE = address(2);

/** A contract whose functions call each other; the innermost runs the code after some control flow. */
function contract(code: string): Uint8Array {
  return assemble({
    imports: ['revert', 'call'],
    memory: [1],
    data: [{ at: 0, bytes: CALLEE }],
    table: 2,
    functions: [
      { name: 'invoke', type: '>i', code: 'call middle; i32.const 0' },
      { name: 'middle', locals: 'i', code: 'i32.const 7; local.set 0; i32.const 1; call innermost' },
      { name: 'innermost', type: 'i>', code: `local.get 0; if; nop; else; nop; end; ${code}` },
    ],
  });
}

/** Runs a contract that stops. Returns where, innermost function first. */
function stop(world: VmWorld, gas = PLENTY): readonly CodePosition[] {
  const stops: (readonly CodePosition[])[] = [];
  world.observer = { frameStopped: (_frame, positions) => stops.push(positions) };
  world.run(CALLER, { gas });
  return stops.at(-1) ?? [];
}

const CASES: readonly (readonly [opcode: number, code: string])[] = [
  [OP.unreachable, 'unreachable'],
  [0x6e, 'i32.const 1; i32.const 0; i32.div_u; drop'],
  [OP.i32Load, 'i32.const -1; i32.load; drop'],
  [OP.callIndirect, 'i32.const 0; call_indirect >'],
  [0xfc, 'i32.const 65535; i32.const 0; i32.const 2; memory.fill'],
  [OP.call, 'i32.const 0; i32.const 4; call revert'],
  [OP.call, 'i32.const -1; i32.const 4; call revert'],
];

for (const variant of ['plain', 'observed'] as const satisfies readonly PrepareVariant[]) {
  test(`positions in ${variant} code lead to the instructions of the original module`, () => {
    for (const [opcode, code] of CASES) {
      const world = new VmWorld(HOST_CRYPTO);
      const original = contract(code);
      world.deploy(CALLER, original, variant);
      const positions = stop(world);
      const map = new CodePositions(original, variant, WORLD_LIMITS);
      assert.deepEqual(
        positions.map((position) => position.function),
        ['innermost', 'middle', 'invoke'],
        code,
      );
      const opcodes = positions.map(({ offset }) => original[map.originalOf(offset)?.offset ?? 0]);
      assert.deepEqual(opcodes, [opcode, OP.call, OP.call], code);
    }
  });
}

test('a call that runs out of gas stops in the run that it cannot pay for', () => {
  const world = new VmWorld(HOST_CRYPTO);
  const original = contract('loop; i32.const 3; drop; br 0; end');
  world.deploy(CALLER, original);
  const [innermost] = stop(world, 100_000n);
  const found = new CodePositions(original, 'plain', WORLD_LIMITS).originalOf(innermost?.offset ?? 0);
  assert.equal(found && original[found.offset], OP.i32Const);
  assert.equal(found && original[found.offset + 1], 3);
});

test('a position outside of the functions of the contract has no original', () => {
  const map = new CodePositions(contract('nop'), 'plain', WORLD_LIMITS);
  assert.equal(map.originalOf(0), undefined);
  assert.equal(map.originalOf(1 << 20), undefined);
});

test('the functions of a caller are not taken for those of its callee', () => {
  const world = new VmWorld(HOST_CRYPTO);
  const call =
    'i32.const 0; i32.const 64; i64.const -1; i32.const 0; i32.const 0; call call; drop; unreachable';
  world.deploy(CALLER, contract(call));
  world.deploy(CALLEE, contract('unreachable'));
  const stops: string[][] = [];
  const backtraces: (readonly string[] | undefined)[] = [];
  world.observer = {
    frameStopped: (_frame, positions) => stops.push(positions.map((position) => position.function)),
    frameLeft: (_frame, { trap }) => backtraces.push(trap?.backtrace),
  };
  world.run(CALLER);
  const own = ['innermost', 'middle', 'invoke'];
  assert.deepEqual(stops, [own, own]);
  assert.deepEqual(backtraces, [own, own]);
});
