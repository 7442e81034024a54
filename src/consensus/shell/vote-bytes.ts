import { finalizeMessage, notarizeMessage, nullifyMessage } from '../../proofs/verify/certificate-message.js';
import type { VoteMessage } from '../core/types.js';
import { hashBytes } from './conversions.js';

/** The bytes that votes of a message sign with their shares, and its certificate under the group key. */
export function voteBytes(chainId: bigint, { kind, ...voted }: VoteMessage): Uint8Array {
  const at = { chainId, epoch: BigInt(voted.epoch), view: BigInt(voted.view) };
  if (kind === 'nullify') return nullifyMessage(at);
  const block = { ...at, parentView: BigInt(voted.parentView), hash: hashBytes(voted.hash) };
  return kind === 'notarize' ? notarizeMessage(block) : finalizeMessage(block);
}
