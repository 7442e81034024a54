/**
 * Overhead of the contract engine over the contract's own work.
 *
 * - A metered integer loop, with the same loop unmetered as its floor.
 * - Creating an instance of 128 KiB, against resetting one.
 * - One call of a view that does nothing, by pages of memory; one that reads its input and a slot and sets an output;
 *   one that calls another contract. The aim is under 3 µs for the engine's part.
 * - Chains of short hashes.
 * - A cold first call of a large contract: validate, instrument, compile, instantiate, run.
 *
 *     node dist/bench/vm.bench.js
 */
import { createHash } from 'node:crypto';
import { Bench } from 'tinybench';
import { loadBls } from '../src/crypto/load-bls.js';
import { loadCrypto } from '../src/crypto/load-crypto.js';
import type { Frame } from '../src/vm/engine.js';
import { createHostCrypto } from '../src/vm/host-crypto.js';
import { Host } from '../src/vm/wasm/host.js';
import { InstancePool } from '../src/vm/wasm/instances.js';
import { LIMITS } from '../src/vm/wasm/limits.js';
import { WasmProgram } from '../src/vm/wasm/program.js';
import { WasmEngine } from '../src/vm/wasm/wasm-engine.js';
import { address, VmWorld } from '../test/support/vm-world.js';
import { assemble } from '../test/support/wasm-assembler.js';
import { largeContract } from './support/large-contract.js';

const ROUNDS = 1_000_000;
const LOOP = `loop
    local.get 1; local.get 0; i64.extend_i32_u; i64.xor; i64.const 0x9e3779b97f4a7c15; i64.mul; local.set 1
    local.get 0; i32.const 1; i32.add; local.tee 0; i32.const ${ROUNDS}; i32.lt_u; br_if 0
  end
  local.get 1; i64.eqz`;

const crypto = createHostCrypto(await loadCrypto('auto'), await loadBls('auto'));
const world = new VmWorld(crypto, LIMITS);
const self = address(1);
const other = address(2);
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

function contract(code: string, pages = 2, imports: readonly string[] = []): Uint8Array {
  const data = [{ at: 0, bytes: other }];
  return assemble({
    imports,
    memory: [pages],
    data: pages === 0 ? [] : data,
    functions: [{ name: 'invoke', type: '>i', locals: 'ij', code }],
  });
}

function calling(code: string, pages?: number, imports?: readonly string[]): () => unknown {
  const program = world.deploy(self, contract(code, pages, imports));
  return () => world.engine.call(program, frame, world);
}

const loop = contract(LOOP);
const raw = new WebAssembly.Instance(new WebAssembly.Module(loop)).exports['invoke'];
if (typeof raw !== 'function') {
  throw new TypeError('the loop is not exported');
}
const pool = new InstancePool({
  imports: new Host(crypto, LIMITS).imports,
  maxIdleBytes: 1 << 30,
  maxIdlePerProgram: 8,
  maxInstances: 1_024,
});
const trivial = contract('i32.const 0');
const trivialHash = createHash('sha256').update(trivial).digest();
const program = new WasmProgram(trivialHash, new WebAssembly.Module(world.engine.prepare(trivial)));
const instance = pool.acquire(program);
world.deploy(other, trivial);

const bench = new Bench({ time: 500 });
bench
  .add(`unmetered loop, ${ROUNDS} rounds`, () => raw())
  .add(`metered loop, ${ROUNDS} rounds`, calling(LOOP))
  .add('new instance, 128 KiB', () => {
    pool.discard(pool.acquire(program));
  })
  .add('reset of an instance, 128 KiB', () => instance.reset())
  .add('call of an empty view, no memory', calling('i32.const 0', 0))
  .add('call of an empty view, 64 KiB', calling('i32.const 0', 1))
  .add('call of an empty view, 128 KiB', calling('i32.const 0', 2))
  .add(
    'call that reads input and a slot and sets an output, 64 KiB',
    calling(
      `i32.const 64; i32.const 0; i32.const 36; call input_read; drop
       i32.const 64; i32.const 128; i32.const 16; call storage_read; drop
       i32.const 128; i32.const 16; call set_output; i32.const 0`,
      1,
      ['input_read', 'storage_read', 'set_output'],
    ),
  )
  .add(
    'call that views another contract, 64 KiB and 128 KiB',
    calling('i32.const 0; i64.const -1; i32.const 0; i32.const 4; call view', 1, ['view']),
  );
for (const hash of ['sha256', 'blake3', 'keccak256']) {
  bench.add(
    `1,000 chained ${hash} of 32 bytes`,
    calling(
      `loop; i32.const 64; i32.const 32; i32.const 64; call ${hash}
         local.get 0; i32.const 1; i32.add; local.tee 0; i32.const 1000; i32.lt_u; br_if 0; end; i32.const 0`,
      1,
      [hash],
    ),
  );
}
await bench.run();
console.table(bench.table());

const cold: number[] = [];
let size = 0;
for (let run = 0; run < 15; run++) {
  const code = largeContract(run);
  size = code.length;
  const engine = new WasmEngine({ crypto });
  const start = performance.now();
  const loaded = engine.load(createHash('sha256').update(code).digest(), engine.prepare(code));
  engine.call(loaded, frame, world);
  cold.push(performance.now() - start);
}
cold.sort((left, right) => left - right);
console.log(
  `cold first call of ${size} bytes: median ${cold[7]?.toFixed(1)} ms, worst ${cold[14]?.toFixed(1)} ms`,
);
