import { keccak_256 } from '@noble/hashes/sha3.js';
import { nodeEd25519 } from '../../native-free/crypto/ed25519.js';
import type { NativeMode, NativeReport } from '../config/native-mode.js';
import { addKeccak256 } from '../wasm/hashes/keccak256.js';
import { standaloneHash } from '../wasm/hashes/standalone.js';
import { chooseImplementation } from './choose-implementation.js';
import type { Crypto } from './crypto.js';
import { loadHashes } from './load-hashes.js';
import { loadLibsecp256k1 } from './native/libsecp256k1.js';
import { loadSodiumEd25519 } from './native/sodium-ed25519.js';
import { checkEd25519, checkSecp256k1 } from './self-check.js';
import { strictEd25519 } from './strict-ed25519.js';
import { strictSecp256k1 } from './strict-secp256k1.js';

/**
 * Loads the node's cryptographic primitives. Each chosen implementation must first pass known-answer tests, including
 * cases where libraries differ, so that an upgraded library cannot silently change what the chain accepts.
 * @param report called once per part with the chosen implementation
 * @throws CryptoError `native_unavailable` in mode `require` if a native part does not load, `implementation_refused`
 * if an implementation fails its check and there is no fallback
 */
export async function loadCrypto(mode: NativeMode, report?: NativeReport): Promise<Crypto> {
  const ed25519 = await chooseImplementation(
    {
      name: 'ed25519',
      nativeName: 'sodium-native',
      loadNative: loadSodiumEd25519,
      fallbackName: 'node:crypto',
      loadFallback: async () => nodeEd25519,
      check: (backend) => checkEd25519(strictEd25519(backend)),
    },
    mode,
    report,
  );
  const secp256k1 = await chooseImplementation(
    {
      name: 'secp256k1',
      nativeName: 'secp256k1 (libsecp256k1)',
      loadNative: loadLibsecp256k1,
      fallbackName: '@noble/curves',
      loadFallback: async () => (await import('../../native-free/crypto/secp256k1.js')).nobleSecp256k1,
      check: (backend) => checkSecp256k1(strictSecp256k1(backend)),
    },
    mode,
    report,
  );
  const { sha256, sha256Pairs } = await loadHashes(mode, report);
  return {
    sha256,
    sha256Pairs,
    keccak256: standaloneHash(addKeccak256, keccak_256),
    ed25519: strictEd25519(ed25519),
    secp256k1: strictSecp256k1(secp256k1),
  };
}
