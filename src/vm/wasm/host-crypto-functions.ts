import type { HostCrypto } from '../host-crypto.js';
import type { ActiveFrame } from './host-functions.js';

/** Hashes and signatures. The primitives see memory itself, and keep nothing of it. */
export function cryptoFunctions(active: ActiveFrame, crypto: HostCrypto) {
  const hash = (name: 'sha256' | 'blake3' | 'keccak256', compute: (data: Uint8Array) => Uint8Array) => {
    return (pointer: number, length: number, out: number): undefined => {
      const call = active();
      const digest = compute(call.peek(pointer, length));
      call.write(out, digest);
      if (call.observer !== undefined) {
        call.report(name, [length], { length: length >>> 0 }, digest);
      }
    };
  };
  return {
    sha256: hash('sha256', (data) => crypto.sha256(data)),
    blake3: hash('blake3', (data) => crypto.blake3(data)),
    keccak256: hash('keccak256', (data) => crypto.keccak256(data)),
    ed25519_verify: (pointer: number, length: number, signature: number, key: number): number => {
      const call = active();
      const isGood = crypto.verifyEd25519(
        call.peek(signature, 64),
        call.peek(pointer, length),
        call.peek(key, 32),
      );
      if (call.observer !== undefined) {
        call.report('ed25519_verify', [length], { length: length >>> 0 }, isGood);
      }
      return isGood ? 1 : 0;
    },
    secp256k1_recover: (hashPointer: number, signature: number, recoveryId: number, out: number): number => {
      const call = active();
      call.peek(out, 20);
      const address = crypto.recoverSecp256k1(
        call.peek(hashPointer, 32),
        call.peek(signature, 64),
        recoveryId >>> 0,
      );
      if (address !== undefined) {
        call.write(out, address);
      }
      if (call.observer !== undefined) {
        call.report('secp256k1_recover', [], { hash: call.read(hashPointer, 32) }, address);
      }
      return address === undefined ? 0 : 1;
    },
    bls_verify: (pointer: number, length: number, signature: number, key: number): number => {
      const call = active();
      const isGood = crypto.verifyBls(
        call.peek(signature, 96),
        call.peek(pointer, length),
        call.peek(key, 48),
      );
      if (call.observer !== undefined) {
        call.report('bls_verify', [length], { length: length >>> 0 }, isGood);
      }
      return isGood ? 1 : 0;
    },
  };
}
