/**
 * Known-answer tests that every implementation must pass before use: acceptance is a consensus rule, and a library may
 * change its behavior in an upgrade (libsodium's verification and @noble/curves' differ on the third vector). Each
 * throws CryptoError `implementation_refused` if one fails.
 */
import { sameBytes } from '../base/same-bytes.js';
import { bytesOfHex as hex } from './bounded-bytes.js';
import type { Bls, Ed25519, Secp256k1, ThresholdBls } from './crypto.js';
import { CryptoError } from './crypto-error.js';
import { lagrangeAtZero } from './scalars/lagrange.js';

const RFC8032_TEST_2 = {
  seed: hex('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb'),
  publicKey: hex('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'),
  message: hex('72'),
  signature: hex(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ),
};

/** A public key with a component of order 8, and two signatures under it with the same R. */
const MIXED_ORDER_KEY = hex('ef2a32ce8d9c67056724a53f63c0c182a6e021dc6e708741f63a7d50c730982c');
/** Valid: the exact equation holds, because the hash is a multiple of 8. */
const EXACT = {
  message: hex('00'),
  signature: hex(
    '3e54c441927f9f0ee5e13e34f0b0404c5043651a8f4b7ef087a1c42262a85d0a090060ccb9c001979fcb6f967f3e4cf0316bf2d6be9e05c762b672af73c5d50e',
  ),
};
/** Invalid: the equation holds only after multiplication by the cofactor. */
const COFACTORED_ONLY = {
  message: hex('01'),
  signature: hex(
    '3e54c441927f9f0ee5e13e34f0b0404c5043651a8f4b7ef087a1c42262a85d0a463b02b3e52db39c5f8b4e8f740d7ccd7f0cab0e4c652e963df08e6f1f109202',
  ),
};

export function checkEd25519(ed25519: Ed25519): void {
  const { seed, publicKey, message, signature } = RFC8032_TEST_2;
  expect('ed25519', 'the public key of RFC 8032', sameBytes(ed25519.publicKey(seed), publicKey));
  expect('ed25519', 'the signature of RFC 8032', sameBytes(ed25519.sign(message, seed), signature));
  expect('ed25519', 'true for a good signature', ed25519.verify(signature, message, publicKey));
  expect('ed25519', 'false for another message', !ed25519.verify(signature, hex('73'), publicKey));
  expect(
    'ed25519',
    'true for an exact signature of a mixed-order key',
    ed25519.verify(EXACT.signature, EXACT.message, MIXED_ORDER_KEY),
  );
  expect(
    'ed25519',
    'false for a signature that needs the cofactor',
    !ed25519.verify(COFACTORED_ONLY.signature, COFACTORED_ONLY.message, MIXED_ORDER_KEY),
  );
}

/** Valid: R has x = group order + 2, so r is 2; careless implementations do not reduce x. */
const WRAPPED_R = {
  publicKey: hex('02d7119f53fa2d6aa4e6629f533c4800e6457a09cf81b523c1af949ab45c3e8f1e'),
  hash: word(5),
  signature: Uint8Array.from([...word(2), ...word(7)]),
};

export function checkSecp256k1(secp256k1: Secp256k1): void {
  const one = word(1);
  const generator = hex('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
  // RFC 6979 nonce over sha256("Satoshi Nakamoto"), private key 1: a vector known from many libraries.
  const satoshi = {
    hash: hex('a0dc65ffca799873cbea0ac274015b9526505daaaed385155425f7337704883e'),
    signature: hex(
      '934b1ea10a4b3c1757e2b0c017d0b6143ce3c9a7e6a4a49860d7a6ab210ee3d82442ce9d2b916064108014783e923ec36b49743e2ffa1c4496f01a512aafd9e5',
    ),
  };
  expect('secp256k1', 'the generator as the key of 1', sameBytes(secp256k1.publicKey(one), generator));
  expect('secp256k1', 'the known signature', sameBytes(secp256k1.sign(satoshi.hash, one), satoshi.signature));
  expect(
    'secp256k1',
    'true for a good signature',
    secp256k1.verify(satoshi.signature, satoshi.hash, generator),
  );
  expect('secp256k1', 'false for another hash', !secp256k1.verify(satoshi.signature, one, generator));
  expect(
    'secp256k1',
    'true for an x above the group order',
    secp256k1.verify(WRAPPED_R.signature, WRAPPED_R.hash, WRAPPED_R.publicKey),
  );
}

/** Signature of "heddle" under the private key 1, identical in blst and @noble/curves. */
const BLS_ONE = {
  publicKey: hex(
    '97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb',
  ),
  message: hex('686564646c65'),
  signature: hex(
    'b8dab296cb2e8423f0df53774e806b773df1997e3661e4df45f409373b30f4663801897140f3842f56c36cc8a9f9f2431079d32840fcc31a1157db36918920f20da2b1efaace0f0a45aba6be0e599ce760623c18eb911a4a035d64785ad4b5c4',
  ),
  /** The same key plus a point of small order: without a subgroup check the signature would verify under it too. */
  outsideSubgroup: hex(
    '89cc53e3c5bcd46e16418011263d86916b1627671fe5b132acd5129628d6bc5a836d65544bcd27c6288deb3602a1246b',
  ),
};

export function checkBls(bls: Bls): void {
  const { publicKey, message, signature, outsideSubgroup } = BLS_ONE;
  expect('bls12-381', 'the generator for the private key 1', sameBytes(bls.publicKey(word(1)), publicKey));
  expect('bls12-381', 'true for a good signature', bls.verify(signature, message, publicKey));
  expect(
    'bls12-381',
    'false for a key outside the subgroup',
    !bls.verify(signature, message, outsideSubgroup),
  );
  expect('bls12-381', 'true for a point of the subgroup', bls.isPublicKey(publicKey));
  expect('bls12-381', 'false for a point outside the subgroup', !bls.isPublicKey(outsideSubgroup));
}

/**
 * Partial signatures by the shares 1 + 2x at x = 1 and 3, over the same message; they combine into the signature
 * under the private key 1.
 */
const PARTIALS_OF_ONE = [
  hex(
    '8bf33694950cae01a872908e79fa24e20531af6f9804f812ef1beb4e431f9184ff5f39767edb1ffdb81433b6e20ab40806a2c744367c0a1bebb209efbcc2e110f0ead209eddf997715c79906be83655c1147514cb65f329e1f3ad73889a78f48',
  ),
  hex(
    '972fda6f99342f68650850d60758f888e27378605cc591b1f227a48370266fea33f2de386347e49b6e081641a650623c011ab169ec381b2ea56774d7d21b9b9fb6cddfc2e436c540f76638cb8402df48bfcd646d82d4d1eed197c8aa1a1e98d4',
  ),
];

export function checkThresholdBls(bls: ThresholdBls): void {
  checkBls(bls);
  const { signature } = BLS_ONE;
  const interpolated = bls.interpolate(PARTIALS_OF_ONE, lagrangeAtZero([0, 2]));
  expect(
    'bls12-381',
    'the signature combined from two partial ones',
    sameBytes(interpolated ?? hex(''), signature),
  );
}

/** sha256 of 64 zero bytes. */
const ZERO_PAIR = hex('f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b');

export function checkSha256Pairs(sha256Pairs: (input: Uint8Array) => Uint8Array): void {
  const count = 19;
  const digests = sha256Pairs(new Uint8Array(count * 64));
  const expected = new Uint8Array(count * 32);
  for (let i = 0; i < count; i++) expected.set(ZERO_PAIR, i * 32);
  expect('sha256 pairs', 'the digest of 64 zero bytes, 19 times', sameBytes(digests, expected));
  expect('sha256 pairs', 'empty output for empty input', sha256Pairs(new Uint8Array(0)).length === 0);
}

function expect(part: string, what: string, holds: boolean): void {
  if (!holds) {
    throw new CryptoError(
      'implementation_refused',
      `${part}: expected ${what}; this implementation breaks the chain's rules and is not used`,
    );
  }
}

function word(value: number): Uint8Array {
  const bytes = new Uint8Array(32);
  bytes[31] = value;
  return bytes;
}
