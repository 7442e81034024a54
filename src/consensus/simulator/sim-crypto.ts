import type { Crypto } from '../../crypto/crypto.js';
import { sha256 } from '../../crypto/sha256.js';

/** SHA-256 only: votes have simulated signatures, and blocks hold no transactions that are signed. */
export const SIM_CRYPTO: Crypto = {
  sha256,
  sha256Pairs: (input, output = new Uint8Array(input.length / 2)) => {
    for (let at = 0; at < input.length; at += 64) output.set(sha256(input.subarray(at, at + 64)), at / 2);
    return output;
  },
  keccak256: unused,
  ed25519: { publicKey: unused, sign: unused, signer: unused, verify: unused },
  secp256k1: { publicKey: unused, uncompress: unused, sign: unused, verify: unused, recover: unused },
};

function unused(): never {
  throw new Error('simulated validators use no other cryptography than SHA-256');
}
