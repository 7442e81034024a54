// Sealed transactions, from the design page on consensus alone ("Formats, to the byte"), with @noble/curves and
// @noble/ciphers.
import { createHash } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { sealIdentityOf } from './agreement.js';
import { ascii, concat, hex, sha256, unhex } from './bytes.js';
import { Action } from './ledger-shapes.js';
import {
  address,
  bytes,
  bytes32,
  bytes48,
  decode,
  encode,
  struct,
  u32,
  u64,
  u128,
  type ValueOf,
} from './shapes.js';

export const SealedHeader = struct({
  chain_id: u64,
  sender: address,
  lane: u32,
  nonce: u64,
  gas_limit: u64,
  max_fee: u128,
  priority_fee: u128,
  max_seal_fee: u128,
  opens_at: u64,
});
export const SealedEnvelope = struct({
  header: SealedHeader,
  u: bytes48,
  v: bytes32,
  w: bytes32,
  payload: bytes,
});

const TAG = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';
const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

type Gt = ReturnType<typeof bls12_381.pairing>;

export function envelopeHash(envelope: ValueOf<typeof SealedEnvelope>): Uint8Array {
  return sha256(ascii('heddle/sealed/1'), encode(SealedEnvelope, envelope));
}

/** The twelve coordinates of an element of Gt, 48 bytes each, c0 before c1 before c2 at every level. */
function gtBytes(gt: Gt): Uint8Array {
  const pairs = [gt.c0, gt.c1].flatMap((half) => [half.c0, half.c1, half.c2]);
  const coordinates = pairs.flatMap((pair) => [pair.c0, pair.c1]);
  return concat(...coordinates.map((value) => unhex(value.toString(16).padStart(96, '0'))));
}

function exponentOf(sigma: Uint8Array, key: Uint8Array): bigint {
  const digest = createHash('sha512').update('heddle/seal/3').update(sigma).update(key).digest('hex');
  return (BigInt(`0x${digest}`) % (ORDER - 1n)) + 1n;
}

function xor(one: Uint8Array, other: Uint8Array): Uint8Array {
  return one.map((byte, at) => byte ^ (other[at] ?? 0));
}

/** @param randomness σ and K, 32 bytes each */
export function sealOutside(
  groupKey: Uint8Array,
  header: ValueOf<typeof SealedHeader>,
  action: ValueOf<typeof Action>,
  randomness: { readonly sigma: Uint8Array; readonly key: Uint8Array },
): ValueOf<typeof SealedEnvelope> {
  const { sigma, key } = randomness;
  const r = exponentOf(sigma, key);
  const q = bls12_381.longSignatures.hash(sealIdentityOf(header.chain_id, header.opens_at), TAG);
  const base = bls12_381.pairing(bls12_381.G1.Point.fromBytes(groupKey), q);
  const gt = bls12_381.fields.Fp12.pow(base, r);
  return {
    header,
    u: bls12_381.G1.Point.BASE.multiply(r).toBytes(true),
    v: xor(sigma, sha256(ascii('heddle/seal/2'), gtBytes(gt))),
    w: xor(key, sha256(ascii('heddle/seal/4'), sigma)),
    payload: xchacha20poly1305(key, new Uint8Array(24), encode(SealedHeader, header)).encrypt(
      encode(Action, action),
    ),
  };
}

/** @throws if the envelope does not open */
export function openOutside(
  envelope: ValueOf<typeof SealedEnvelope>,
  heightKey: Uint8Array,
): ValueOf<typeof Action> {
  const point = bls12_381.G1.Point.fromBytes(envelope.u);
  const gt = bls12_381.pairing(point, bls12_381.G2.Point.fromBytes(heightKey));
  const sigma = xor(envelope.v, sha256(ascii('heddle/seal/2'), gtBytes(gt)));
  const key = xor(envelope.w, sha256(ascii('heddle/seal/4'), sigma));
  const expected = bls12_381.G1.Point.BASE.multiply(exponentOf(sigma, key)).toBytes(true);
  if (hex(expected) !== hex(envelope.u)) throw new Error('u is of another σ and K');
  const header = encode(SealedHeader, envelope.header);
  return decode(Action, xchacha20poly1305(key, new Uint8Array(24), header).decrypt(envelope.payload));
}
