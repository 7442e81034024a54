import { readJsonValidatorSet } from '../../generated/verify-codecs.js';
import { fromHex } from '../../idl/hex.js';
import { Answer, reading } from './decoding.js';
import { VerifyError } from './verify-error.js';

/** Bytes, or their hex digits with or without 0x. */
export type Bytes = Uint8Array | string;

/**
 * The root of a client's trust, accepted without proof. Exactly one of:
 * - `groupPublicKey`: the validators' group key (G1, 48 bytes); with `chainId`, headers of other chains under the
 *   same key are refused;
 * - `genesis`: the genesis file as parsed by JSON.parse, whose key and chain id are used;
 * - `headerHash`: the hash of one block, 32 bytes.
 */
export type TrustAnchor =
  | { readonly groupPublicKey: Bytes; readonly chainId?: bigint | number }
  | { readonly genesis: unknown }
  | { readonly headerHash: Bytes };

/** A validated trust anchor. */
export type TrustRoot =
  | { readonly kind: 'key'; readonly groupPublicKey: Uint8Array; readonly chainId: bigint | undefined }
  | { readonly kind: 'header'; readonly hash: Uint8Array };

const KINDS = ['groupPublicKey', 'genesis', 'headerHash'] as const;

/** @throws VerifyError `malformed` unless exactly one kind is given, with a valid key, hash or genesis */
export function trustRoot(trust: TrustAnchor): TrustRoot {
  // Plain JavaScript callers are not type-checked.
  const given: unknown = trust;
  const named = KINDS.filter((kind) => typeof given === 'object' && given !== null && kind in given);
  if (named.length !== 1) {
    const got = named.length === 0 ? 'none of them' : named.join(' and ');
    throw new VerifyError(
      'malformed',
      `trust: expected an object with one of ${KINDS.join(', ')}, got ${got}`,
    );
  }
  if ('headerHash' in trust) {
    return { kind: 'header', hash: bytesOf(trust.headerHash, 32, 'trusted header hash') };
  }
  if ('groupPublicKey' in trust) {
    const groupPublicKey = bytesOf(trust.groupPublicKey, 48, 'trusted group key');
    return {
      kind: 'key',
      groupPublicKey,
      chainId: trust.chainId === undefined ? undefined : chainIdOf(trust.chainId),
    };
  }
  return reading(() => {
    const genesis = new Answer(trust.genesis, 'Genesis', 'genesis');
    const set = genesis.read('validator_set', readJsonValidatorSet);
    const groupPublicKey = bytesOf(set.group_public_key, 48, 'group_public_key of the genesis');
    const chainId = genesis.read('chain_id', (reader, value, path) => reader.u64(value, path, '', -1));
    return { kind: 'key', groupPublicKey, chainId };
  });
}

function chainIdOf(given: bigint | number): bigint {
  if (typeof given === 'bigint' || Number.isSafeInteger(given)) return BigInt(given);
  throw new VerifyError('malformed', `trusted chain id: expected an integer, got ${String(given)}`);
}

/** @throws VerifyError `malformed` unless `given` is `length` bytes */
export function bytesOf(given: Bytes, length: number, what: string): Uint8Array {
  const bytes = typeof given === 'string' ? fromHex(given, given.startsWith('0x') ? 2 : 0) : given;
  const isBytes = ArrayBuffer.isView(bytes);
  if (isBytes && bytes.length === length) return bytes;
  const got = !isBytes ? 'something else' : `${bytes.length} bytes`;
  throw new VerifyError('malformed', `${what}: expected ${length} bytes or their hex digits, got ${got}`);
}
