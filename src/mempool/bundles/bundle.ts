import type { Crypto } from '../../crypto/crypto.js';
import { type BundleHashHex, bundleHashHex } from '../../ledger/hex-types.js';
import type { TransactionEnvelope, VerifiedTransaction } from '../../ledger/transaction-envelope.js';

/** Transactions that are included contiguously and in this order, or not at all. */
export interface BundleEnvelope<T extends TransactionEnvelope = TransactionEnvelope> {
  /** sha256("heddle/bundle/1" ‖ the transactions' hashes in order): 32 bytes. */
  readonly hash: Uint8Array;
  readonly hashHex: BundleHashHex;
  /** At least one. */
  readonly transactions: readonly T[];
  /** Height of the last block that may include it. */
  readonly maxHeight?: bigint;
}

export type VerifiedBundle = BundleEnvelope<VerifiedTransaction>;

const HASH_DOMAIN = new TextEncoder().encode('heddle/bundle/1');

export function bundleOf<T extends TransactionEnvelope>(
  transactions: readonly T[],
  maxHeight: bigint | undefined,
  crypto: Pick<Crypto, 'sha256'>,
): BundleEnvelope<T> {
  const hash = crypto.sha256(Buffer.concat([HASH_DOMAIN, ...transactions.map((one) => one.hash)]));
  const bundle = { hash, hashHex: bundleHashHex(hash), transactions };
  return maxHeight === undefined ? bundle : { ...bundle, maxHeight };
}
