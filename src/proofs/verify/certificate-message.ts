import { concatBytes } from '../../base/concat-bytes.js';

/** The block that validators vote on and certificates sign. Numbers are u64. */
export interface CertifiedBlock extends CertifiedView {
  /** View of the block's parent; 0 for the genesis block. */
  readonly parentView: bigint;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/** A view of an epoch; views count from 1 in each epoch. Numbers are u64. */
export interface CertifiedView {
  readonly chainId: bigint;
  readonly epoch: bigint;
  readonly view: bigint;
}

const encoder = new TextEncoder();
const NOTARIZE = encoder.encode('heddle/notarize/1');
const NULLIFY = encoder.encode('heddle/nullify/1');
const FINALIZE = encoder.encode('heddle/finalize/1');
const VOTE = encoder.encode('heddle/vote/1');

/**
 * The message that a finality certificate signs:
 * "heddle/finalize/1" ‖ u64le chain_id ‖ u64le epoch ‖ u64le view ‖ u64le parent_view ‖ block_hash32, 81 bytes.
 */
export function finalizeMessage(block: CertifiedBlock): Uint8Array {
  return blockMessage(FINALIZE, block);
}

/** The message that a notarization signs: like {@link finalizeMessage} with "heddle/notarize/1", 81 bytes. */
export function notarizeMessage(block: CertifiedBlock): Uint8Array {
  return blockMessage(NOTARIZE, block);
}

/** The message that a nullification signs: "heddle/nullify/1" ‖ u64le chain_id ‖ u64le epoch ‖ u64le view, 40 bytes. */
export function nullifyMessage({ chainId, epoch, view }: CertifiedView): Uint8Array {
  return withNumbers(NULLIFY, [chainId, epoch, view]);
}

/**
 * The message that a validator signs with its ed25519 identity key, in addition to its partial signature:
 * "heddle/vote/1" ‖ message. Never 32 bytes long, unlike the hash that a transaction signs.
 */
export function voteIdentityMessage(message: Uint8Array): Uint8Array {
  return concatBytes([VOTE, message]);
}

function blockMessage(
  domain: Uint8Array,
  { chainId, epoch, view, parentView, hash }: CertifiedBlock,
): Uint8Array {
  return concatBytes([withNumbers(domain, [chainId, epoch, view, parentView]), hash]);
}

/** A domain and numbers (u64 little-endian each). */
function withNumbers(domain: Uint8Array, numbers: readonly bigint[]): Uint8Array {
  const message = new Uint8Array(domain.length + numbers.length * 8);
  message.set(domain);
  const fields = new DataView(message.buffer);
  for (const [index, value] of numbers.entries()) {
    fields.setBigUint64(domain.length + index * 8, value, true);
  }
  return message;
}
