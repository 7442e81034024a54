import { sameBytes } from '../../base/same-bytes.js';
import type { BlsKeys, Sha256 } from '../../crypto/crypto.js';
import { decodeChecked } from '../../crypto/dkg/commitments.js';
import { matchesCommitments, proveDecryption } from '../../crypto/dkg/complaint.js';
import { sealEvaluation, sharedPoint, unmaskEvaluation } from '../../crypto/dkg/sealed-share.js';
import {
  encodeScalar,
  expectEvaluation,
  expectScalar,
  type RandomBytes,
} from '../../crypto/scalars/scalars.js';
import type { Complaint, Dealing, SealedShare } from '../../generated/ledger.js';

const EPHEMERAL = new TextEncoder().encode('heddle/ephemeral/1');

/** Evaluations of one dealing, to be encrypted. Secret. */
export interface SharesToSeal {
  readonly chainId: bigint;
  readonly epoch: bigint;
  readonly dealer: number;
  /** 32 bytes; ephemeral scalars and nonces of proofs derive from it, so that the same seed gives the same shares. */
  readonly seed: Uint8Array;
  readonly shares: readonly {
    readonly player: number;
    /** 48 bytes; `Bls.isPublicKey` must accept it. */
    readonly encryptionKey: Uint8Array;
    /** 32 bytes. */
    readonly evaluation: Uint8Array;
  }[];
}

/** A share sealed to this validator by a dealing in a block, with the keys to read it. Secret. */
export interface ShareToOpen {
  readonly chainId: bigint;
  readonly epoch: bigint;
  readonly dealer: number;
  /** Of a dealing that has passed `checkDealing`. */
  readonly commitments: Dealing['commitments'];
  readonly sealed: SealedShare;
  /** The validator's private encryption keys, 32 bytes each. */
  readonly privateKeys: readonly Uint8Array[];
  /** The validator's encryption key in this epoch, 48 bytes; only its private half can prove garbage. */
  readonly encryptionKey: Uint8Array;
  /** 48 random bytes for a proof. */
  readonly nonce: Uint8Array;
}

/** The content of a sealed share. Secret. */
export type OpenedShare =
  /** The evaluation, 32 bytes, matches the commitments. */
  | { readonly type: 'good'; readonly share: Uint8Array }
  /** No private key gives such an evaluation. */
  | {
      readonly type: 'garbage';
      /** Proves it; undefined without the private half of the epoch's encryption key. */
      readonly complaint: Complaint | undefined;
    };

interface SealingCrypto {
  readonly crypto: Sha256;
  readonly bls: BlsKeys;
}

/** Encrypts evaluations to players. Takes milliseconds a share, so task `seal_shares` runs it in a worker. */
export function sealShares(
  { crypto, bls }: SealingCrypto,
  { chainId, epoch, dealer, seed, shares }: SharesToSeal,
): SealedShare[] {
  return shares.map(({ player, encryptionKey, evaluation }) => {
    const parts = { crypto, bls, random: derivedBytes(crypto, seed, player, encryptionKey) };
    const context = { chainId, epoch, dealer, player };
    return { player, ...sealEvaluation(parts, context, encryptionKey, expectEvaluation(evaluation)) };
  });
}

/** Decrypts a sealed share. Takes milliseconds, so task `open_share` runs it in a worker. */
export function openShare(
  { crypto, bls }: SealingCrypto,
  { chainId, epoch, dealer, commitments, sealed, privateKeys, encryptionKey, nonce }: ShareToOpen,
): OpenedShare {
  const { player, ephemeral } = sealed;
  const context = { chainId, epoch, dealer, player };
  const points = decodeChecked(commitments);
  for (const key of privateKeys) {
    const shared = sharedPoint(ephemeral, expectScalar(key));
    const evaluation = unmaskEvaluation(crypto, context, sealed, shared);
    if (evaluation === undefined || !matchesCommitments(bls, points, player, evaluation)) continue;
    return { type: 'good', share: encodeScalar(evaluation) };
  }
  const own = privateKeys.find((key) => sameBytes(bls.publicKey(key), encryptionKey));
  if (own === undefined) return { type: 'garbage', complaint: undefined };
  const proof = proveDecryption({ crypto, bls, random: () => nonce }, context, expectScalar(own), ephemeral);
  return { type: 'garbage', complaint: { epoch, dealer, player, ...proof } };
}

/**
 * A stream of sha256("heddle/ephemeral/1" ‖ seed ‖ key ‖ u32le player ‖ u32le block). It depends on the key because
 * the nonce of a proof must not serve for two statements.
 */
function derivedBytes(
  crypto: Sha256,
  seed: Uint8Array,
  player: number,
  encryptionKey: Uint8Array,
): RandomBytes {
  const counters = new Uint8Array(8);
  const view = new DataView(counters.buffer);
  view.setUint32(0, player, true);
  let block = 0;
  return (length) => {
    const blocks = Array.from({ length: Math.ceil(length / 32) }, () => {
      view.setUint32(4, block++, true);
      return crypto.sha256(Buffer.concat([EPHEMERAL, seed, encryptionKey, counters]));
    });
    return Uint8Array.from(Buffer.concat(blocks).subarray(0, length));
  };
}
