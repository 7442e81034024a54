// Finality, written from the consensus design page alone: certificate messages, and header chains to a certified
// block.
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { ascii, concat, equal, hex } from './bytes.js';
import { BlockHeader, blockHash, ValidatorSet } from './ledger-shapes.js';
import { bytes, hash, list, string, struct, u64, type ValueOf } from './shapes.js';

export const Certificate = struct({
  epoch: u64,
  view: u64,
  block_hash: hash,
  parent_view: u64,
  signature: bytes,
  group_public_key: bytes,
});
export const HistoryRoot = struct({ root: hash, size: u64, peaks: list(hash), height: u64 });
export const FinalityProof = struct({
  header: BlockHeader,
  certificate: Certificate,
  descendants: list(BlockHeader),
});
export const LightClientContext = struct({
  chain_id: u64,
  genesis_hash: hash,
  epoch: u64,
  validator_set: ValidatorSet,
  header: BlockHeader,
  certificate: Certificate,
  descendants: list(BlockHeader),
  history: HistoryRoot,
  signing_domain: string,
});
export type Certificate = ValueOf<typeof Certificate>;
export type FinalityProof = ValueOf<typeof FinalityProof>;

/** Whether a signature (G2, 96 bytes) of a message is good under a key (G1, 48 bytes). */
export type SignatureCheck = (signature: Uint8Array, message: Uint8Array, key: Uint8Array) => boolean;

const SUITE = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';

export const nobleCheck: SignatureCheck = (signature, message, key) => {
  const { longSignatures } = bls12_381;
  try {
    return longSignatures.verify(signature, longSignatures.hash(message, SUITE), key);
  } catch {
    // Bytes that are not a point.
    return false;
  }
};

/** Signs with the group's private key (32 bytes), as a quorum of its shares would. */
export function nobleSign(message: Uint8Array, privateKey: Uint8Array): Uint8Array {
  const { longSignatures } = bls12_381;
  return longSignatures.sign(longSignatures.hash(message, SUITE), privateKey).toBytes(true);
}

export function nobleKey(privateKey: Uint8Array): Uint8Array {
  return bls12_381.longSignatures.getPublicKey(privateKey).toBytes(true);
}

/** "heddle/" ‖ kind ‖ "/1" ‖ u64le chain_id ‖ u64le epoch ‖ u64le view ‖ u64le parent_view ‖ block_hash32. */
export function voteMessage(
  kind: 'notarize' | 'finalize',
  chainId: bigint,
  { epoch, view, parent_view, block_hash }: Omit<Certificate, 'signature' | 'group_public_key'>,
): Uint8Array {
  const numbers = new Uint8Array(32);
  const fields = new DataView(numbers.buffer);
  for (const [place, value] of [chainId, epoch, view, parent_view].entries()) {
    fields.setBigUint64(8 * place, value, true);
  }
  return concat(ascii(`heddle/${kind}/1`), numbers, block_hash);
}

/** The reason that a proof does not show a block to be final, or undefined if it does. */
export function finalityFault(
  { header, certificate, descendants }: FinalityProof,
  groupKey: Uint8Array,
  check: SignatureCheck = nobleCheck,
): string | undefined {
  let last = header;
  for (const next of descendants) {
    if (next.height !== last.height + 1n) return `after block ${last.height} comes ${next.height}`;
    if (!equal(next.parent_hash, blockHash(last)))
      return `block ${next.height} is no child of the one before`;
    last = next;
  }
  if (!equal(certificate.block_hash, blockHash(last))) return `certified is ${hex(certificate.block_hash)}`;
  if (certificate.epoch !== last.epoch) return `certified in epoch ${certificate.epoch}`;
  if (certificate.view < last.view) return `certified in view ${certificate.view}`;
  if (!equal(certificate.group_public_key, groupKey)) return 'another key';
  const message = voteMessage('finalize', last.chain_id, certificate);
  return check(certificate.signature, message, groupKey) ? undefined : 'the signature is not good';
}
