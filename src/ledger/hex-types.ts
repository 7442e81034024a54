import { toHex } from '../idl/hex.js';

declare const kind: unique symbol;

/** A branded string: plain strings and other brands are not assignable to it. */
type Branded<Kind extends string> = string & { readonly [kind]: Kind };

/** An account's address as 40 lowercase hex digits, without prefix. */
export type AddressHex = Branded<'address'>;

/** A transaction's hash as 64 lowercase hex digits, without prefix. */
export type TransactionHashHex = Branded<'transaction'>;

/** A bundle's hash as 64 lowercase hex digits, without prefix. */
export type BundleHashHex = Branded<'bundle'>;

/** Hash of a candidate for inclusion in a block: a single transaction or a bundle. */
export type CandidateHashHex = TransactionHashHex | BundleHashHex;

/** @param address 20 bytes */
export function addressHex(address: Uint8Array): AddressHex {
  return toHex(address) as AddressHex;
}

/** @param hash 32 bytes */
export function transactionHashHex(hash: Uint8Array): TransactionHashHex {
  return toHex(hash) as TransactionHashHex;
}

/** @param hash 32 bytes */
export function bundleHashHex(hash: Uint8Array): BundleHashHex {
  return toHex(hash) as BundleHashHex;
}
