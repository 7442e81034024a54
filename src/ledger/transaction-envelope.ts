import type { Crypto } from '../crypto/crypto.js';
import type { Signature, SignedTransaction } from '../generated/ledger.js';
import { ledger } from './codecs.js';
import { type AddressHex, addressHex, type TransactionHashHex, transactionHashHex } from './hex-names.js';

/** A signed transaction with what everybody asks of it computed once. Whether its signature is good is not said. */
export interface TransactionEnvelope {
  /** sha256("heddle/tx/1" ‖ borsh(Transaction)): 32 bytes. */
  readonly hash: Uint8Array;
  readonly hashHex: TransactionHashHex;
  readonly sender: AddressHex;
  readonly signed: SignedTransaction;
  /** borsh(SignedTransaction). */
  readonly encoded: Uint8Array;
}

declare const verified: unique symbol;

/**
 * A transaction whose signature is its sender's over its hash. Only the signature check makes one
 * (`execution/signature-checker.ts`); what takes one does not look again.
 */
export type VerifiedTransaction = TransactionEnvelope & { readonly [verified]: true };

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
): TransactionEnvelope {
  return identify(ledger.SignedTransaction.decode(encoded), encoded, crypto);
}

/** Identifies a transaction that came decoded, for instance as JSON. */
export function transactionFromSigned(
  signed: SignedTransaction,
  crypto: Pick<Crypto, 'sha256'>,
): TransactionEnvelope {
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
export function encodeTransactionItem({ encoded }: Pick<TransactionEnvelope, 'encoded'>): Uint8Array {
  const item = allocate(1 + encoded.length);
  item[0] = 0;
  item.set(encoded, 1);
  return item;
}

function identify(
  signed: SignedTransaction,
  encoded: Uint8Array,
  crypto: Pick<Crypto, 'sha256'>,
): TransactionEnvelope {
  // borsh(SignedTransaction) is borsh(Transaction) ‖ borsh(Signature): no need to encode the transaction again.
  const body = encoded.subarray(0, encoded.length - signatureBytes(signed.signature));
  const hash = transactionHash(body, crypto);
  return {
    hash,
    hashHex: transactionHashHex(hash),
    sender: addressHex(signed.transaction.sender),
    signed,
    encoded,
  };
}

/** Length of borsh(Signature): the variant's byte, the public key, the signature. */
function signatureBytes(signature: Signature): number {
  return 1 + signature.value.public_key.length + signature.value.signature.length;
}
