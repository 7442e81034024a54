import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { Secp256k1Backend } from '../../src/crypto/strict-secp256k1.js';

const OPTIONS = { prehash: false, lowS: true } as const;

export const nobleSecp256k1: Secp256k1Backend = {
  publicKey: (privateKey) => secp256k1.getPublicKey(privateKey, true),
  uncompress: (publicKey) => secp256k1.Point.fromBytes(publicKey).toBytes(false),
  sign: (hash, privateKey) => secp256k1.sign(hash, privateKey, OPTIONS),
  verify: (signature, hash, publicKey) => secp256k1.verify(signature, hash, publicKey, OPTIONS),
  recover: (signature, hash, recoveryId) =>
    secp256k1.Signature.fromBytes(signature, 'compact')
      .addRecoveryBit(recoveryId)
      .recoverPublicKey(hash)
      .toBytes(false),
};
