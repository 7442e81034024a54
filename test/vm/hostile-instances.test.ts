import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../src/load/workload.js';
import { CodeRefused } from '../../src/vm/errors.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { HOST_CRYPTO } from '../support/crypto/host-crypto.js';
import { hostileModule } from '../support/forged/hostile-instances.js';
import { hex } from '../support/hex.js';
import { address, VmWorld } from '../support/worlds/vm-world.js';

const MODULES = 40;
const GAS = 3_000_000n;
const AT = address(1);

/** The outcomes of two calls of the module in a fresh world. */
function endings(code: Uint8Array, variant: 'plain' | 'observed'): readonly string[] {
  const world = new VmWorld(HOST_CRYPTO);
  world.deploy(AT, code, variant);
  return [GAS, GAS, GAS / 7n, 12_345n, 0n, GAS].map((gas) => {
    const { status, gasUsed, output, trap } = world.run(AT, { gas, isView: true });
    assert.ok(['success', 'reverted', 'out_of_gas', 'trapped'].includes(status));
    assert.ok(gasUsed >= 0n && gasUsed <= gas, `${gasUsed} of ${gas} gas`);
    return `${status} ${gasUsed} ${hex(output)} ${trap?.kind}`;
  });
}

test('hostile modules end in one of four ways within their gas, the same each time', () => {
  const random = seededRandom(20_261);
  const seen = new Set<string>();
  for (let index = 0; index < MODULES; index++) {
    const code = assemble(hostileModule(random));
    try {
      const ended = endings(code, 'plain');
      assert.deepEqual(endings(code, 'plain'), ended);
      assert.deepEqual(endings(code, 'observed'), ended);
      // Calls with the same gas have the same outcome on a new instance and on a reset one.
      assert.equal(ended[1], ended[0]);
      assert.equal(ended[5], ended[0]);
      seen.add((ended[0] ?? '').split(' ')[0] ?? '');
    } catch (error) {
      if (!(error instanceof CodeRefused)) throw error;
      seen.add('refused');
    }
  }
  assert.ok(seen.has('out_of_gas') && seen.has('trapped'), [...seen].join());
});
