/** Messages that validators sign with their identity keys for resharing and for changes of their set. */
import { concatBytes } from '../../base/concat-bytes.js';
import type { Sha256 } from '../../crypto/crypto.js';
import type { ApprovedChange, Dealing } from '../../generated/ledger.js';
import { ledger } from '../codecs.js';

const ACK = new TextEncoder().encode('heddle/ack/2');
const DEALING = new TextEncoder().encode('heddle/dealing/3');
const CHANGE = new TextEncoder().encode('heddle/change/1');

/** Size of the signature at the end of borsh(Dealing). */
const SIGNATURE_BYTES = 64;

/** Digest of commitments: sha256(borsh(commitments)), 32 bytes. */
export function commitmentsDigest(crypto: Sha256, commitments: Dealing['commitments']): Uint8Array {
  return crypto.sha256(Buffer.concat([u32(commitments.length), ...commitments]));
}

/** "heddle/ack/2" ‖ u64le chain_id, epoch ‖ u32le dealer, player ‖ sha256(borsh(commitments)). */
export function ackMessage(
  chainId: bigint,
  { epoch, dealer, player, digest }: AcknowledgedDealing,
): Uint8Array {
  return concatBytes([ACK, u64(chainId), u64(epoch), u32(dealer), u32(player), digest]);
}

export interface AcknowledgedDealing {
  readonly epoch: bigint;
  readonly dealer: number;
  readonly player: number;
  /** The commitments' digest, 32 bytes. */
  readonly digest: Uint8Array;
}

/** "heddle/dealing/3" ‖ u64le chain_id ‖ borsh of all fields except the signature. @throws BorshError */
export function dealingMessage(chainId: bigint, dealing: Omit<Dealing, 'signature'>): Uint8Array {
  const encoded = ledger.Dealing.encode({ ...dealing, signature: new Uint8Array(SIGNATURE_BYTES) });
  return concatBytes([DEALING, u64(chainId), encoded.subarray(0, -SIGNATURE_BYTES)]);
}

/** "heddle/change/1" ‖ u64le chain_id ‖ u64le epoch ‖ borsh(change). @throws BorshError */
export function changeMessage(
  chainId: bigint,
  { epoch, change }: Pick<ApprovedChange, 'epoch' | 'change'>,
): Uint8Array {
  return concatBytes([CHANGE, u64(chainId), u64(epoch), ledger.ValidatorChange.encode(change)]);
}

function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}
