import type { Crypto } from '../crypto/crypto.js';
import type { Signature, SignedTransaction } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { ledger } from './codecs.js';

/**
 * A signed transaction with what everybody asks of it computed once. The name is a promise of whoever passes it on:
 * the mempool and the execution take it as having a good signature of its sender and do not look again.
 */
export interface VerifiedTransaction {
  /** sha256("heddle/tx/1" ‖ borsh(Transaction)): 32 bytes. */
  readonly hash: Uint8Array;
  /** The hash as 64 lowercase hex digits. */
  readonly hashHex: string;
  /** The sender's address as 40 lowercase hex digits, without prefix. */
  readonly sender: string;
  readonly signed: SignedTransaction;
  /** borsh(SignedTransaction). */
  readonly encoded: Uint8Array;
}

/** Pooled memory where there is any, for one is made for every transaction that comes in. Browsers have none. */
const allocate =
  typeof Buffer === 'function'
    ? (length: number): Uint8Array => Buffer.allocUnsafe(length)
    : (length: number): Uint8Array => new Uint8Array(length);

const HASH_DOMAIN = new TextEncoder().encode('heddle/tx/1');

/**
 * Identifies a transaction that came in its binary form.
 * @param encoded borsh(SignedTransaction); kept, so it must not change afterwards
 * @throws BorshError where the bytes are no such encoding
 */
export function transactionFromEncoded(
  encoded: Uint8Array,
  crypto: Pick<Crypto, 'sha256'>,
): VerifiedTransaction {
  return identify(ledger.SignedTransaction.decode(encoded), encoded, crypto);
}

/** Identifies a transaction that came decoded, for instance as JSON. */
export function transactionFromSigned(
  signed: SignedTransaction,
  crypto: Pick<Crypto, 'sha256'>,
): VerifiedTransaction {
  return identify(signed, ledger.SignedTransaction.encode(signed), crypto);
}

/**
 * What a transaction is called by, and what its sender signs: sha256("heddle/tx/1" ‖ borsh(Transaction)), 32 bytes.
 * @param encoded borsh(Transaction)
 */
export function transactionHash(encoded: Uint8Array, crypto: Pick<Crypto, 'sha256'>): Uint8Array {
  const preimage = allocate(HASH_DOMAIN.length + encoded.length);
  preimage.set(HASH_DOMAIN);
  preimage.set(encoded, HASH_DOMAIN.length);
  return crypto.sha256(preimage);
}

/** borsh(BlockItem) of a transaction: the variant's byte, 0, and the signed transaction. */
export function encodeTransactionItem({ encoded }: Pick<VerifiedTransaction, 'encoded'>): Uint8Array {
  const item = allocate(1 + encoded.length);
  item[0] = 0;
  item.set(encoded, 1);
  return item;
}

function identify(
  signed: SignedTransaction,
  encoded: Uint8Array,
  crypto: Pick<Crypto, 'sha256'>,
): VerifiedTransaction {
  // borsh(SignedTransaction) is borsh(Transaction) ‖ borsh(Signature): no need to encode the transaction again.
  const body = encoded.subarray(0, encoded.length - signatureBytes(signed.signature));
  const hash = transactionHash(body, crypto);
  return { hash, hashHex: toHex(hash), sender: toHex(signed.transaction.sender), signed, encoded };
}

/** Length of borsh(Signature): the variant's byte, the public key, the signature. */
function signatureBytes(signature: Signature): number {
  return 1 + signature.value.public_key.length + signature.value.signature.length;
}
