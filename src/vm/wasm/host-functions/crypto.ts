import type { HostCrypto } from '../../host-crypto.js';
import { declare, type HostPrice } from './declaration.js';

function hash(price: HostPrice, compute: (crypto: HostCrypto, data: Uint8Array) => Uint8Array) {
  return declare({
    params: ['i32', 'i32', 'i32'],
    result: undefined,
    price,
    bind:
      ({ active, crypto, report }) =>
      (pointer, length, out) => {
        const call = active();
        const digest = compute(crypto, call.peek(pointer, length));
        call.write(out, digest);
        if (call.observer !== undefined) {
          report(call, [pointer, length, out], { length: length >>> 0 }, digest);
        }
      },
  });
}

/** @param sizes of signature and public key, in bytes */
function verification(
  base: number,
  sizes: { readonly signature: number; readonly key: number },
  verify: (crypto: HostCrypto, signature: Uint8Array, message: Uint8Array, key: Uint8Array) => boolean,
) {
  return declare({
    params: ['i32', 'i32', 'i32', 'i32'],
    result: 'i32',
    price: { base, perUnit: [{ parameter: 1, gas: 4 }] },
    bind:
      ({ active, crypto, report }) =>
      (pointer, length, signature, key) => {
        const call = active();
        const isGood = verify(
          crypto,
          call.peek(signature, sizes.signature),
          call.peek(pointer, length),
          call.peek(key, sizes.key),
        );
        if (call.observer !== undefined) {
          report(call, [pointer, length, signature, key], { length: length >>> 0 }, isGood);
        }
        return isGood ? 1 : 0;
      },
  });
}

/** Hashes and signatures. The primitives read contract memory directly and retain nothing of it. */
export const CRYPTO_FUNCTIONS = {
  sha256: hash({ base: 400, perUnit: [{ parameter: 1, gas: 2 }] }, (crypto, data) => crypto.sha256(data)),
  // The price per byte covers the host's work for inputs too long for the contract's own function.
  blake3: hash({ base: 300, perUnit: [{ parameter: 1, gas: 24 }] }, (crypto, data) => crypto.blake3(data)),
  keccak256: hash({ base: 400, perUnit: [{ parameter: 1, gas: 4 }] }, (crypto, data) =>
    crypto.keccak256(data),
  ),
  ed25519_verify: verification(80_000, { signature: 64, key: 32 }, (crypto, signature, message, key) =>
    crypto.verifyEd25519(signature, message, key),
  ),
  secp256k1_recover: declare({
    params: ['i32', 'i32', 'i32', 'i32'],
    result: 'i32',
    price: { base: 300_000 },
    bind:
      ({ active, crypto, report }) =>
      (hashPointer, signature, recoveryId, out) => {
        const call = active();
        call.peek(out, 20);
        const address = crypto.recoverSecp256k1(
          call.peek(hashPointer, 32),
          call.peek(signature, 64),
          recoveryId >>> 0,
        );
        if (address !== undefined) call.write(out, address);
        if (call.observer !== undefined) {
          const shown = { hash: call.read(hashPointer, 32) };
          report(call, [hashPointer, signature, recoveryId, out], shown, address);
        }
        return address === undefined ? 0 : 1;
      },
  }),
  bls_verify: verification(4_000_000, { signature: 96, key: 48 }, (crypto, signature, message, key) =>
    crypto.verifyBls(signature, message, key),
  ),
};
