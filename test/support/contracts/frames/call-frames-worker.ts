/** Measures the stack used by a nested call beyond the counted size, and prints it in bytes. */
import { isMainThread, Worker } from 'node:worker_threads';
import { EngineError } from '../../../../src/vm/errors.js';
import { LIMITS } from '../../../../src/vm/wasm/engine-limits.js';
import { HOST_CRYPTO } from '../../crypto/host-crypto.js';
import { address, VmWorld } from '../../worlds/vm-world.js';
import { assemble } from '../wasm-assembler.js';

const STACK_MB = 1;
/** Part of a worker's stack that Node reserves. */
const KEPT_BYTES = 192 * 1024;
/** Calls nested deeper than this run short of gas, because each callee gets 63/64 of its caller's. */
const MOST_NESTED = 2_000;
const SELF = address(1);

if (isMainThread) {
  const thread = new Worker(new URL(import.meta.url), { resourceLimits: { stackSizeMb: STACK_MB } });
  thread.on('error', (error) => {
    throw error;
  });
} else {
  const crypto = HOST_CRYPTO;
  const code = assemble({
    imports: ['call'],
    memory: [1],
    data: [{ at: 0, bytes: SELF }],
    functions: [
      {
        name: 'invoke',
        type: '>i',
        code: 'i32.const 0; i32.const 48; i64.const -1; i32.const 0; i32.const 0; call call',
      },
    ],
  });
  const fits = (depth: number): boolean => {
    const limits = { ...LIMITS, stackBytes: 2 ** 30, chainMemoryPages: 2 ** 20, depth };
    const world = new VmWorld(crypto, limits);
    world.deploy(SELF, code);
    try {
      world.run(SELF, { gas: 1n << 62n });
      return true;
    } catch (error) {
      if (error instanceof EngineError && error.code === 'host_stack_exhausted') return false;
      throw error;
    }
  };
  for (let round = 0; round < 30; round++) fits(20);
  let low = 1;
  let high = MOST_NESTED;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  console.log(Math.ceil((STACK_MB * 1024 * 1024 - KEPT_BYTES) / low));
}
