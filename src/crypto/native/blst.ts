import { createRequire } from 'node:module';
import type { BlsBackend } from '../strict-bls.js';

/** The part of `@chainsafe/blst` that is used here; loaded by hand because its import would fail as a whole. */
interface Blst {
  readonly SecretKey: { fromBytes(bytes: Uint8Array): BlstSecretKey };
  readonly PublicKey: { fromBytes(bytes: Uint8Array, validate: boolean): BlstPublicKey };
  readonly Signature: {
    fromBytes(bytes: Uint8Array, validate: boolean, refuseInfinity: boolean): BlstSignature;
  };
  verify(message: Uint8Array, publicKey: BlstPublicKey, signature: BlstSignature): boolean;
}

interface BlstSecretKey {
  toPublicKey(): BlstPublicKey;
  sign(message: Uint8Array): BlstSignature;
}

interface BlstPublicKey {
  toBytes(compress: boolean): Uint8Array;
}

interface BlstSignature {
  toBytes(compress: boolean): Uint8Array;
}

/** BLS signatures by blst, which has the suite's tag built in. @throws where the package or its binary is missing */
export function loadBlst(): BlsBackend {
  const { SecretKey, PublicKey, Signature, verify } = createRequire(import.meta.url)(
    '@chainsafe/blst',
  ) as Blst;
  return {
    publicKey: (privateKey) => plain(SecretKey.fromBytes(privateKey).toPublicKey().toBytes(true)),
    sign: (message, privateKey) => plain(SecretKey.fromBytes(privateKey).sign(message).toBytes(true)),
    verify: (signature, message, publicKey) =>
      verify(message, PublicKey.fromBytes(publicKey, true), Signature.fromBytes(signature, true, true)),
  };
}

/** The library answers with Buffers; callers get what every other implementation gives. */
function plain(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(bytes);
}
