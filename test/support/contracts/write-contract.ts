import type { Sha256 } from '../../../src/crypto/crypto.js';
import type { WorldState } from '../../../src/execution/world-state.js';
import { hexOf, numbered } from '../worlds/block-world.js';

/** Writes a contract into a state without running its deployment. @param bytes its wasm module */
export function writeContract(
  state: WorldState,
  address: Uint8Array,
  bytes: Uint8Array,
  crypto: Sha256,
): void {
  const hash = crypto.sha256(bytes);
  state.addCode({ hash, bytes });
  state.writeContract(hexOf(address), {
    vm: { type: 'wasm' },
    code_hash: hash,
    code_size: bytes.length,
    abi_version: 1,
    upgrade_policy: { type: 'immutable' },
    deployer: numbered(1),
    deployed_at: 0n,
  });
}
