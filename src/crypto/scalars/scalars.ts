/**
 * Integers modulo r, the order of the groups of BLS12-381: private keys, shares, evaluations, and polynomial
 * coefficients. Not constant-time, since bigint never is: a share is only used on its own validator, never at a
 * stranger's request.
 */
import { CryptoError } from '../crypto-error.js';

/** The group order r. */
export const GROUP_ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

/** Bytes drawn for a uniform scalar: 128 bits more than its size, so that the modular bias is negligible. */
const DRAWN_BYTES = 48;

export type RandomBytes = (length: number) => Uint8Array;

/** A uniform scalar from 1 to r − 1, given uniform bytes. */
export function randomScalar(random: RandomBytes): bigint {
  return (numberOf(random(DRAWN_BYTES)) % (GROUP_ORDER - 1n)) + 1n;
}

/** Decodes 32 big-endian bytes, or returns undefined unless the length matches and the number is from 1 to r − 1. */
export function decodeScalar(bytes: Uint8Array): bigint | undefined {
  if (bytes.length !== 32) return undefined;
  const value = numberOf(bytes);
  return value > 0n && value < GROUP_ORDER ? value : undefined;
}

/** Decodes an evaluation, which may be 0: 32 big-endian bytes below r, or else undefined. */
export function decodeEvaluation(bytes: Uint8Array): bigint | undefined {
  if (bytes.length !== 32) return undefined;
  const value = numberOf(bytes);
  return value < GROUP_ORDER ? value : undefined;
}

/** As {@link decodeScalar}, for a value stored by this node. @throws CryptoError whose message never contains it */
export function expectScalar(bytes: Uint8Array): bigint {
  return stored(decodeScalar(bytes));
}

/** As {@link decodeEvaluation}, for a value stored by this node. @throws CryptoError whose message never contains it */
export function expectEvaluation(bytes: Uint8Array): bigint {
  return stored(decodeEvaluation(bytes));
}

function stored(value: bigint | undefined): bigint {
  if (value === undefined)
    throw new CryptoError('out_of_range', 'a stored scalar is not below the group order');
  return value;
}

/** The remainder modulo r of big-endian bytes. */
export function reduceToScalar(bytes: Uint8Array): bigint {
  return numberOf(bytes) % GROUP_ORDER;
}

/** Encodes a number below r as 32 big-endian bytes. */
export function encodeScalar(value: bigint): Uint8Array {
  const bytes = new Uint8Array(32);
  const view = new DataView(bytes.buffer);
  for (let word = 0; word < 4; word++) {
    view.setBigUint64(8 * word, (value >> BigInt(64 * (3 - word))) & 0xffff_ffff_ffff_ffffn);
  }
  return bytes;
}

/** The non-negative remainder modulo r, from 0 to r − 1. */
export function modOrder(value: bigint): bigint {
  const rest = value % GROUP_ORDER;
  return rest < 0n ? rest + GROUP_ORDER : rest;
}

/** The multiplicative inverse modulo r. @throws CryptoError `out_of_range` for multiples of r */
export function invertScalar(value: bigint): bigint {
  let [rest, next] = [GROUP_ORDER, modOrder(value)];
  if (next === 0n) throw new CryptoError('out_of_range', 'scalar: zero has no inverse');
  let [factor, nextFactor] = [0n, 1n];
  while (next !== 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  return modOrder(factor);
}

/** The sum of products modulo r. */
export function weightedSum(values: readonly bigint[], weights: readonly bigint[]): bigint {
  return values.reduce((sum, value, at) => (sum + value * (weights[at] ?? 0n)) % GROUP_ORDER, 0n);
}

function numberOf(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let value = 0n;
  let at = 0;
  for (; at + 8 <= bytes.length; at += 8) value = (value << 64n) | view.getBigUint64(at);
  for (; at < bytes.length; at++) value = (value << 8n) | BigInt(view.getUint8(at));
  return value;
}
