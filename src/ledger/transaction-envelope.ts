import type { Sha256 } from '../crypto/crypto.js';
import type {
  Action,
  BlockItem,
  SealedEnvelope,
  Signature,
  SignedEnvelope,
  SignedTransaction,
  Transaction,
} from '../generated/ledger.js';
import { ledger } from './codecs.js';
import { type AddressHex, addressHex, type TransactionHashHex, transactionHashHex } from './hex-types.js';

/** An action, or the envelope that hides it until a height's key is known. */
export type CandidateAction = Action | { readonly type: 'sealed'; readonly value: SealedEnvelope };

/** A sender's candidate for a block: a transaction, or an envelope with the members that both share. */
export interface Candidate extends Omit<Transaction, 'action'> {
  /** For an envelope, the height before the one whose key opens it, which is the last height that can include it. */
  readonly valid_until?: bigint;
  readonly action: CandidateAction;
}

export type SentAction = Pick<Candidate, 'action' | 'sender'>;

export interface SignedCandidate {
  readonly transaction: Candidate;
  readonly signature: Signature;
}

/** A signed transaction or envelope with its commonly needed properties. The signature may be unverified. */
export interface TransactionEnvelope<S extends SignedCandidate = SignedCandidate> {
  /** sha256("heddle/tx/1" ‖ borsh(Transaction)), or sha256("heddle/sealed/1" ‖ borsh(SealedEnvelope)): 32 bytes. */
  readonly hash: Uint8Array;
  readonly hashHex: TransactionHashHex;
  readonly sender: AddressHex;
  readonly signed: S;
  /** borsh(SignedTransaction), or borsh(SignedEnvelope) for an envelope. */
  readonly encoded: Uint8Array;
}

/** A transaction that is not an envelope. */
export type OpenTransaction = TransactionEnvelope<SignedTransaction>;

declare const verified: unique symbol;

/** Created only by the signature check (`execution/signature-checker.ts`); nothing checks it again. */
export type VerifiedTransaction = TransactionEnvelope & { readonly [verified]: true };

/** Pooled where there is a Buffer, unlike in browsers: every incoming transaction allocates one item. */
const allocate =
  typeof Buffer === 'function'
    ? (length: number): Uint8Array => Buffer.allocUnsafe(length)
    : (length: number): Uint8Array => new Uint8Array(length);

const TRANSACTION_DOMAIN = new TextEncoder().encode('heddle/tx/1');
const SEALED_DOMAIN = new TextEncoder().encode('heddle/sealed/1');

/** Reused hash input buffer for short transactions; the hash function keeps no reference to it. */
const preimageRoom = new Uint8Array(2_048);

/** Variants of BlockItem. */
const TRANSACTION = 0;
const SEALED = 1;

/** Decodes and hashes borsh(SignedTransaction), which is kept and must not be modified. @throws BorshError */
export function transactionFromEncoded(encoded: Uint8Array, crypto: Sha256): OpenTransaction {
  return identify(ledger.SignedTransaction.decodeShared(encoded), encoded, transactionHash, crypto);
}

/** Encodes and hashes a decoded transaction, for example one from JSON. */
export function transactionFromSigned(signed: SignedTransaction, crypto: Sha256): OpenTransaction {
  return identify(signed, ledger.SignedTransaction.encode(signed), transactionHash, crypto);
}

/** Decodes and hashes borsh(SignedEnvelope), which is kept and must not be modified. @throws BorshError */
export function envelopeFromEncoded(encoded: Uint8Array, crypto: Sha256): TransactionEnvelope {
  const signed = ledger.SignedEnvelope.decodeShared(encoded);
  return identify(sealedCandidate(signed), encoded, sealedEnvelopeHash, crypto);
}

/** Encodes and hashes a decoded envelope, for example one from a block. */
export function envelopeFromSigned(signed: SignedEnvelope, crypto: Sha256): TransactionEnvelope {
  const encoded = ledger.SignedEnvelope.encode(signed);
  return identify(sealedCandidate(signed), encoded, sealedEnvelopeHash, crypto);
}

export function sealedCandidate({ envelope, signature }: SignedEnvelope): SignedCandidate {
  const { opens_at: opensAt, max_seal_fee: _, ...common } = envelope.header;
  return {
    transaction: {
      ...common,
      // No height precedes 0. The transaction is expired at every height from 1 on, as valid_until is 0.
      valid_until: opensAt === 0n ? 0n : opensAt - 1n,
      action: { type: 'sealed', value: envelope },
    },
    signature,
  };
}

/** The signed candidate of a decoded block item; undefined for items without a sender. */
export function candidateOfItem(item: BlockItem): SignedCandidate | undefined {
  if (item.type === 'transaction') return item.value;
  return item.type === 'sealed' ? sealedCandidate(item.value) : undefined;
}

/** The signed candidate of an encoded block item. @throws BorshError */
export function candidateIn(item: Uint8Array): SignedCandidate {
  const encoded = item.subarray(1);
  return isEnvelopeItem(item)
    ? sealedCandidate(ledger.SignedEnvelope.decode(encoded))
    : ledger.SignedTransaction.decode(encoded);
}

/** True if executing the candidate runs or creates contract code: it is neither a transfer nor an envelope. */
export function needsEngine({ transaction: { action } }: SignedCandidate): boolean {
  return action.type !== 'transfer' && action.type !== 'sealed';
}

/** The height whose key opens an envelope; undefined for transactions and opened envelopes. */
export function opensAt({ action }: Candidate): bigint | undefined {
  return action.type === 'sealed' ? action.value.header.opens_at : undefined;
}

/** True if the action is readable, that is, not sealed. */
export function isOpen(signed: SignedCandidate): signed is SignedTransaction {
  return signed.transaction.action.type !== 'sealed';
}

/**
 * Decodes and hashes {@link encodeTransactionItem}'s output, which must not be modified. @throws BorshError
 */
export function transactionFromItem(item: Uint8Array, crypto: Sha256): TransactionEnvelope {
  const decode = isEnvelopeItem(item) ? envelopeFromEncoded : transactionFromEncoded;
  return decode(item.subarray(1), crypto);
}

/** What the sender signs: sha256("heddle/tx/1" ‖ borsh(Transaction)). @param encoded borsh(Transaction) */
export function transactionHash(encoded: Uint8Array, crypto: Sha256): Uint8Array {
  return hashInDomain(TRANSACTION_DOMAIN, encoded, crypto);
}

/** What the sender signs: sha256("heddle/sealed/1" ‖ encoded). @param encoded borsh(SealedEnvelope) */
export function sealedEnvelopeHash(encoded: Uint8Array, crypto: Sha256): Uint8Array {
  return hashInDomain(SEALED_DOMAIN, encoded, crypto);
}

function hashInDomain(domain: Uint8Array, encoded: Uint8Array, crypto: Sha256): Uint8Array {
  const length = domain.length + encoded.length;
  const room = length <= preimageRoom.length ? preimageRoom : new Uint8Array(length);
  room.set(domain);
  room.set(encoded, domain.length);
  return crypto.sha256(room.subarray(0, length));
}

/** True if borsh(BlockItem) holds an envelope. */
export function isEnvelopeItem(item: Uint8Array): boolean {
  return item[0] === SEALED;
}

/** borsh(BlockItem) of a transaction or an envelope: the variant byte, 0 or 1, then its signed encoding. */
export function encodeTransactionItem({ encoded, signed }: TransactionEnvelope): Uint8Array {
  const item = allocate(1 + encoded.length);
  item[0] = signed.transaction.action.type === 'sealed' ? SEALED : TRANSACTION;
  item.set(encoded, 1);
  return item;
}

function identify<S extends SignedCandidate>(
  signed: S,
  encoded: Uint8Array,
  hashOf: typeof transactionHash,
  crypto: Sha256,
): TransactionEnvelope<S> {
  // `encoded` is the hashed body ‖ borsh(Signature), a variant byte, key and signature: it need not be encoded again.
  const { public_key, signature } = signed.signature.value;
  const body = encoded.subarray(0, encoded.length - (1 + public_key.length + signature.length));
  const hash = hashOf(body, crypto);
  return {
    hash,
    hashHex: transactionHashHex(hash),
    sender: addressHex(signed.transaction.sender),
    signed,
    encoded,
  };
}
