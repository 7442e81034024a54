import type { Crypto } from '../crypto/crypto.js';
import { toHex } from '../idl/hex.js';
import type { VerifiedTransaction } from '../ledger/verified-transaction.js';

/** Transactions that are included whole, in this order and one right after the other, or not at all. */
export interface VerifiedBundle {
  /** sha256("heddle/bundle/1" ‖ the transactions' hashes in order): 32 bytes. */
  readonly hash: Uint8Array;
  /** The hash as 64 lowercase hex digits. */
  readonly hashHex: string;
  /** At least one; the word "verified" promises for them what it does for one on its own. */
  readonly transactions: readonly VerifiedTransaction[];
  /** The last block that may include it. */
  readonly maxHeight?: bigint;
}

const HASH_DOMAIN = new TextEncoder().encode('heddle/bundle/1');

/** Identifies a bundle. */
export function bundleOf(
  transactions: readonly VerifiedTransaction[],
  maxHeight: bigint | undefined,
  crypto: Pick<Crypto, 'sha256'>,
): VerifiedBundle {
  const hash = crypto.sha256(Buffer.concat([HASH_DOMAIN, ...transactions.map((one) => one.hash)]));
  return {
    hash,
    hashHex: toHex(hash),
    transactions,
    ...(maxHeight === undefined ? {} : { maxHeight }),
  };
}
