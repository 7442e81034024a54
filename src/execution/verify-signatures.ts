import { sameBytes } from '../base/same-bytes.js';
import { ed25519Address, secp256k1Address } from '../crypto/address.js';
import type { Crypto } from '../crypto/crypto.js';
import { decodeSignatures, encodeVerdicts, type SignatureItem } from './signature-batch.js';

/** Checks a batch in the encoding of `signature-batch.ts` and returns its bitmap. */
export function verifySignatures(batch: Uint8Array, crypto: Crypto): Uint8Array {
  return encodeVerdicts(decodeSignatures(batch).map((item) => isSignedBySender(item, crypto)));
}

/** Returns true if the key belongs to the sender and the signature to the key. */
export function isSignedBySender(item: SignatureItem, crypto: Crypto): boolean {
  const { scheme, hash, sender, publicKey, signature } = item;
  switch (scheme) {
    case 'ed25519':
      return (
        sameBytes(ed25519Address(crypto, publicKey), sender) &&
        crypto.ed25519.verify(signature, hash, publicKey)
      );
    case 'secp256k1': {
      const address = secp256k1Address(crypto, publicKey);
      return sameBytes(address, sender) && crypto.secp256k1.verify(signature, hash, publicKey);
    }
  }
}
