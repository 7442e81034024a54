import type { Bls, Crypto } from '../crypto/crypto.js';
import type { Engine } from './engine.js';
import { createHostCrypto } from './host-crypto.js';
import { expectContractStack } from './thread-stack.js';
import { WasmEngine } from './wasm/wasm-engine.js';

/** What of the process's means the engine of a thread may have. */
export interface EngineShare {
  /** Instances at a time, see `instance-shares.ts`; left out, a few hundred. */
  readonly instances?: number | undefined;
  /** Bytes of machine code, see `code-share.ts`; left out, some hundred MiB. */
  readonly codeBytes?: number | undefined;
}

/**
 * The engine that runs this chain's contracts; one for each thread.
 * @throws EngineError `thread_stack_too_small`
 */
export function createContractEngine(crypto: Crypto, bls: Bls, share: EngineShare = {}): Engine {
  expectContractStack();
  return new WasmEngine({ crypto: createHostCrypto(crypto, bls), ...share });
}
