import type { Bls, Crypto } from '../crypto/crypto.js';
import { EngineRegistry } from './engine-registry.js';
import { createHostCrypto } from './host-crypto.js';
import { checkStackSize } from './thread-stack.js';
import { WasmEngine } from './wasm/wasm-engine.js';

/** What of the process's means the engine of a thread may have. */
export interface EngineShare {
  /** Instances at a time, see `thread-shares.ts`; left out, a few hundred. */
  readonly instances?: number | undefined;
  /** Bytes of machine code, see `thread-shares.ts`; left out, some hundred MiB. */
  readonly codeBytes?: number | undefined;
}

/**
 * The engines that run this chain's contracts; one registry for each thread.
 * @throws EngineError `thread_stack_too_small`
 */
export function createContractEngines(
  crypto: Crypto,
  bls: Pick<Bls, 'verify'>,
  share: EngineShare = {},
): EngineRegistry {
  checkStackSize();
  return new EngineRegistry({ wasm: new WasmEngine({ crypto: createHostCrypto(crypto, bls), ...share }) });
}
