import type { Crypto } from '../crypto/crypto.js';
import { EngineRegistry } from './engine-registry.js';
import { type BlsVerifier, createHostCrypto } from './host-crypto.js';
import { checkStackSize } from './thread-stack.js';
import { type EngineShare, WasmEngine } from './wasm/wasm-engine.js';

/** Creates this chain's engines; one registry per thread. @throws EngineError `thread_stack_too_small` */
export function createContractEngines(
  crypto: Crypto,
  bls: BlsVerifier,
  share: EngineShare = {},
): EngineRegistry {
  checkStackSize();
  return new EngineRegistry({ wasm: new WasmEngine({ crypto: createHostCrypto(crypto, bls), ...share }) });
}
