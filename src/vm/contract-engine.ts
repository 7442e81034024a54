import type { Bls, Crypto } from '../crypto/crypto.js';
import type { Engine } from './engine.js';
import { createHostCrypto } from './host-crypto.js';
import { expectContractStack } from './thread-stack.js';
import { WasmEngine } from './wasm/wasm-engine.js';

/**
 * The engine that runs this chain's contracts; one for each thread.
 * @param instances that the thread may have at a time, see `instance-shares.ts`; left out, a few hundred
 * @throws EngineError `thread_stack_too_small`
 */
export function createContractEngine(crypto: Crypto, bls: Bls, instances?: number): Engine {
  expectContractStack();
  return new WasmEngine({
    crypto: createHostCrypto(crypto, bls),
    ...(instances === undefined ? {} : { instances }),
  });
}
