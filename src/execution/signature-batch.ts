import { sameBytes } from '../base/same-bytes.js';
import { ed25519Address, secp256k1Address } from '../crypto/address.js';
import type { Crypto } from '../crypto/crypto.js';
import type { TransactionEnvelope } from '../ledger/transaction-envelope.js';
import type { TaskOf } from './task-runner.js';

/*
 * Many signatures in one flat buffer: passing it to a worker takes one copy. An item has 150 bytes: hash 32 ‖ sender 20
 * ‖ scheme 1 ‖ public key 33 (an ed25519 key is followed by a zero byte) ‖ signature 64. The result is a bitmap: bit i
 * mod 8 of byte ⌊i / 8⌋ is set if signature i is valid.
 */

const SENDER_AT = 32;
const SCHEME_AT = 52;
const KEY_AT = 53;
const SIGNATURE_AT = 86;
const ITEM_BYTES = 150;

const ED25519 = 0;
const SECP256K1 = 1;

/** One decoded item; its fields are views of the batch. */
export interface SignatureItem {
  readonly scheme: 'ed25519' | 'secp256k1';
  /** The signed hash: 32 bytes. */
  readonly hash: Uint8Array;
  /** 20 bytes. */
  readonly sender: Uint8Array;
  /** 32 bytes for ed25519, 33 for secp256k1. */
  readonly publicKey: Uint8Array;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

/** Sent by the signature checker. */
export interface SignatureTasks {
  /** Checks that each signature is valid and the sender's own; takes a batch and returns a bitmap. */
  verify_signatures: TaskOf<Uint8Array, Uint8Array>;
}

type Signed = Pick<TransactionEnvelope, 'hash' | 'signed'>;

export function encodeSignatures(transactions: readonly Signed[]): Uint8Array {
  const batch = new Uint8Array(transactions.length * ITEM_BYTES);
  let at = 0;
  for (const { hash, signed } of transactions) {
    const { type, value } = signed.signature;
    batch.set(hash, at);
    batch.set(signed.transaction.sender, at + SENDER_AT);
    batch[at + SCHEME_AT] = type === 'ed25519' ? ED25519 : SECP256K1;
    batch.set(value.public_key, at + KEY_AT);
    batch.set(value.signature, at + SIGNATURE_AT);
    at += ITEM_BYTES;
  }
  return batch;
}

/** @throws RangeError if the buffer does not consist of whole items of known schemes */
export function decodeSignatures(batch: Uint8Array): SignatureItem[] {
  if (batch.length % ITEM_BYTES !== 0) {
    throw new RangeError(`signatures: expected items of ${ITEM_BYTES} bytes, got ${batch.length} bytes`);
  }
  const items: SignatureItem[] = [];
  for (let at = 0; at < batch.length; at += ITEM_BYTES) {
    const scheme = batch[at + SCHEME_AT];
    if (scheme !== ED25519 && scheme !== SECP256K1) {
      throw new RangeError(`signatures: expected scheme 0 or 1, got ${scheme} at byte ${at + SCHEME_AT}`);
    }
    const keyBytes = scheme === ED25519 ? 32 : 33;
    items.push({
      scheme: scheme === ED25519 ? 'ed25519' : 'secp256k1',
      hash: batch.subarray(at, at + SENDER_AT),
      sender: batch.subarray(at + SENDER_AT, at + SCHEME_AT),
      publicKey: batch.subarray(at + KEY_AT, at + KEY_AT + keyBytes),
      signature: batch.subarray(at + SIGNATURE_AT, at + ITEM_BYTES),
    });
  }
  return items;
}

export function encodeVerdicts(verdicts: readonly boolean[]): Uint8Array {
  const bitmap = new Uint8Array(Math.ceil(verdicts.length / 8));
  verdicts.forEach((good, place) => {
    if (good) bitmap[place >> 3] = (bitmap[place >> 3] ?? 0) | (1 << (place & 7));
  });
  return bitmap;
}

export function verdictAt(bitmap: Uint8Array, place: number): boolean {
  return ((bitmap[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
}

/** Checks an encoded batch and returns its bitmap. */
export function verifySignatures(batch: Uint8Array, crypto: Crypto): Uint8Array {
  return encodeVerdicts(decodeSignatures(batch).map((item) => isSignedBySender(item, crypto)));
}

/** Returns true if the key belongs to the sender and the signature to the key. */
export function isSignedBySender(item: SignatureItem, crypto: Crypto): boolean {
  const { scheme, hash, sender, publicKey, signature } = item;
  switch (scheme) {
    case 'ed25519':
      return (
        sameBytes(ed25519Address(crypto, publicKey), sender) &&
        crypto.ed25519.verify(signature, hash, publicKey)
      );
    case 'secp256k1': {
      const address = secp256k1Address(crypto, publicKey);
      return sameBytes(address, sender) && crypto.secp256k1.verify(signature, hash, publicKey);
    }
  }
}
