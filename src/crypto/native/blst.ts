import { createRequire } from 'node:module';
import type { ThresholdBackend } from '../strict-bls.js';
import { type Fp2Element, timesX } from '../threshold/fast-multiple.js';
import { type PointAdder, weightedSum } from '../threshold/weighted-sum.js';

/** The parts of `@chainsafe/blst` used here. Loaded by `require`: a failing static import would break the module. */
interface Blst {
  readonly SecretKey: { fromBytes(bytes: Uint8Array): BlstSecretKey };
  readonly PublicKey: { fromBytes(bytes: Uint8Array, validate: boolean): BlstPublicKey };
  readonly Signature: {
    fromBytes(bytes: Uint8Array, validate: boolean, refuseInfinity?: boolean): BlstSignature;
  };
  verify(message: Uint8Array, publicKey: BlstPublicKey, signature: BlstSignature): boolean;
  aggregateSignatures(signatures: readonly BlstSignature[], checkGroup: boolean): BlstSignature;
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

/**
 * BLS signatures by blst, which has the suite's tag built in, and threshold signatures by its signature aggregation.
 * @throws if the package or its binary is missing
 */
export function loadBlst(): ThresholdBackend {
  const blst = createRequire(import.meta.url)('@chainsafe/blst') as Blst;
  const { SecretKey, PublicKey, Signature, verify } = blst;
  const adder = signatureAdder(blst);
  return {
    publicKey: (privateKey) => plain(SecretKey.fromBytes(privateKey).toPublicKey().toBytes(true)),
    sign: (message, privateKey) => plain(SecretKey.fromBytes(privateKey).sign(message).toBytes(true)),
    verify: (signature, message, publicKey) =>
      verify(message, PublicKey.fromBytes(publicKey, true), Signature.fromBytes(signature, true, true)),
    isPublicKey: (encoded) => {
      PublicKey.fromBytes(encoded, true);
      return true;
    },
    interpolate: (partials, weights) => plain(weightedSum(adder, partials, weights).toBytes(true)),
  };
}

function signatureAdder({ Signature, aggregateSignatures }: Blst): PointAdder<BlstSignature> {
  return {
    decode: (encoded) => Signature.fromBytes(encoded, false),
    sum: (points) => aggregateSignatures(points, false),
    doubleAndAdd: (point, others) => aggregateSignatures([point, point, ...others], false),
    timesX: (point) => {
      const bytes = point.toBytes(false);
      return isInfinity(bytes) ? point : Signature.fromBytes(timesXEncoded(bytes), false);
    },
  };
}

/** Bytes per coordinate. */
const COORDINATE = 48;

/** Multiplies an uncompressed point, x.c1 ‖ x.c0 ‖ y.c1 ‖ y.c0 with flags in the first byte's top bits, by X. */
function timesXEncoded(bytes: Uint8Array): Uint8Array {
  const coordinate = (place: number) => {
    const at = place * COORDINATE;
    return BigInt(`0x${Buffer.from(bytes.subarray(at, at + COORDINATE)).toString('hex')}`);
  };
  const { x, y } = timesX({
    x: { c0: coordinate(1), c1: coordinate(0) },
    y: { c0: coordinate(3), c1: coordinate(2) },
  });
  return Buffer.from([x, y].map(pairHex).join(''), 'hex');
}

function pairHex({ c0, c1 }: Fp2Element): string {
  return [c1, c0].map((value) => value.toString(16).padStart(2 * COORDINATE, '0')).join('');
}

function isInfinity(bytes: Uint8Array): boolean {
  return ((bytes[0] ?? 0) & 0x40) !== 0;
}

/** Converts the library's Buffers to plain Uint8Arrays, as other implementations return. */
function plain(bytes: Uint8Array): Uint8Array {
  return Uint8Array.from(bytes);
}
