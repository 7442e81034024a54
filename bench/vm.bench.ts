/**
 * Overhead of the contract engine over the contract's own work: a metered integer loop beside the same loop unmetered,
 * a new instance of 128 KiB beside the reset of one, and the cold first call of a large contract (validate, instrument,
 * compile, instantiate, run). Calls and host calls: `bench/micro/contract-entry.bench.ts`, `host-calls.bench.ts`.
 *
 *     npm run bench -- vm [--rounds 5] [--milliseconds 150]
 */
import { createHash } from 'node:crypto';
import { loadBls } from '../src/crypto/load-bls.js';
import { loadCrypto } from '../src/crypto/load-crypto.js';
import type { Frame } from '../src/vm/engine.js';
import { createHostCrypto } from '../src/vm/host-crypto.js';
import { LIMITS } from '../src/vm/wasm/engine-limits.js';
import { Host } from '../src/vm/wasm/host-interface.js';
import { InstancePool } from '../src/vm/wasm/instances.js';
import { WasmProgram } from '../src/vm/wasm/program.js';
import { WasmEngine } from '../src/vm/wasm/wasm-engine.js';
import { assemble } from '../test/support/contracts/wasm-assembler.js';
import { address, VmWorld } from '../test/support/worlds/vm-world.js';
import { measurePairs } from './micro/paired-tasks.js';
import { recordFigure } from './results/record.js';
import { largeContract } from './support/large-contract.js';
import { quantile } from './support/statistics.js';

const ROUNDS = 1_000_000;
const LOOP = `loop
    local.get 1; local.get 0; i64.extend_i32_u; i64.xor; i64.const 0x9e3779b97f4a7c15; i64.mul; local.set 1
    local.get 0; i32.const 1; i32.add; local.tee 0; i32.const ${ROUNDS}; i32.lt_u; br_if 0
  end
  local.get 1; i64.eqz`;
/** Contracts that are called for the first time. */
const COLD = 15;

const crypto = createHostCrypto(await loadCrypto('auto'), await loadBls('auto'));
const world = new VmWorld(crypto, LIMITS);
const self = address(1);
const frame: Frame = {
  purpose: 'call',
  contract: self,
  caller: address(3),
  origin: address(3),
  value: 0n,
  input: new Uint8Array(36),
  gas: 1_000_000_000n,
  isView: true,
  depth: 0,
};

const contract = (code: string): Uint8Array =>
  assemble({ memory: [2], functions: [{ name: 'invoke', type: '>i', locals: 'ij', code }] });

const loop = contract(LOOP);
const bare = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(loop))).exports['invoke'];
if (typeof bare !== 'function') throw new TypeError('the loop is not exported');
const metered = world.deploy(self, loop);

const pool = new InstancePool({
  imports: new Host(crypto, LIMITS).imports,
  maxIdleBytes: 1 << 30,
  maxIdlePerProgram: 8,
  maxInstances: 1_024,
});
const trivial = contract('i32.const 0');
const trivialHash = createHash('sha256').update(trivial).digest();
const program = new WasmProgram(
  trivialHash,
  new WebAssembly.Module(world.engine.validate(trivial).prepare()),
);
const instance = pool.acquire(program);

await measurePairs('contract engine', 'µs', [
  {
    name: 'integer loop of a million rounds',
    run: () => world.engine.call(metered, frame, world),
    floors: [{ name: 'unmetered', run: () => bare() }],
  },
  {
    name: 'new instance, 128 KiB',
    run: () => pool.discard(pool.acquire(program)),
    floors: [{ name: 'reset', run: () => instance.reset() }],
  },
]);

const cold: number[] = [];
let size = 0;
for (let run = 0; run < COLD; run++) {
  const code = largeContract(run);
  size = code.length;
  const engine = new WasmEngine({ crypto });
  const start = performance.now();
  const loaded = engine.load(createHash('sha256').update(code).digest(), engine.validate(code).prepare());
  engine.call(loaded, frame, world);
  cold.push(performance.now() - start);
}
recordFigure({ name: 'cold first call of a large contract', unit: 'ms', better: 'lower', rounds: cold });
console.log(
  `cold first call of ${size} bytes: median ${quantile(cold, 0.5).toFixed(1)} ms, worst ${quantile(cold, 1).toFixed(1)} ms`,
);
