import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../src/load/workload.js';
import { LIMITS } from '../../src/vm/wasm/engine-limits.js';
import { validateModule } from '../../src/vm/wasm/validate.js';
import { measureMachineCode } from '../support/contracts/machine-code.js';
import { assemble } from '../support/contracts/wasm-assembler.js';
import { randomModule } from '../support/contracts/wasm-generator.js';
import { hostileModules } from '../support/forged/hostile-modules.js';
import { sweep } from '../support/sweep.js';
import { contractCode } from '../support/worlds/contract-world.js';

/** Modules beyond a limit are measured too: only the estimate's correctness matters here. */
const NO_LIMITS = {
  ...LIMITS,
  parameters: 1_000,
  anyTypes: true,
  types: 4_096,
  flowWork: 1e9,
  functionMachineCode: 1e9,
  machineCode: 1e9,
};
/** Repetitions in each module; `npm run bench -- prices` covers more. */
const REPEATED = 40;
const CONTRACTS = ['amm', 'compute', 'escrow', 'registry', 'token'];

function modules(): Map<string, Uint8Array> {
  const all = hostileModules(REPEATED);
  for (let seed = 1; seed <= sweep(2); seed++) {
    const { source } = randomModule(seededRandom(seed));
    const invoke = { name: 'invoke', type: '>i', code: 'i32.const 0' };
    all.set(`random ${seed}`, assemble({ ...source, functions: [...source.functions, invoke] }));
  }
  for (const name of CONTRACTS) {
    all.set(name, contractCode(name));
  }
  return all;
}

test('the machine code of both V8 compilers together stays within the estimate, and so does memory', (context) => {
  const all = modules();
  const measured = measureMachineCode([...all.values()], NO_LIMITS);
  let tightest = { name: '', share: 0 };
  for (const [index, name] of [...all.keys()].entries()) {
    const found = measured[index];
    assert.ok(found !== undefined);
    const share = (found.baseline + found.optimized) / found.estimate;
    if (share > tightest.share) tightest = { name, share };
    assert.ok(share <= 0.8, `${name}: ${share} of the estimate of ${found.estimate} bytes`);
    // At 4 MiB per function the optimizing compiler uses at most 256 MiB.
    assert.ok(
      found.compilerMemory <= 64 * found.estimate,
      `${name}: ${found.compilerMemory} bytes to compile it`,
    );
  }
  context.diagnostic(`${tightest.name}: ${tightest.share.toFixed(2)} of the estimate`);
});

test('typical contracts take a twentieth of the machine code limit', () => {
  for (const name of CONTRACTS) {
    const { machineCode } = validateModule(contractCode(name), LIMITS, 'contract');
    assert.ok(machineCode < LIMITS.machineCode / 20, `${name}: ${machineCode}`);
  }
});
