import type { Crypto } from '../crypto/crypto.js';
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
import { sealedEnvelopeHash } from './sealed-envelope.js';

/** An action, or the envelope that hides it until the key of a height is known. */
export type CandidateAction = Action | { readonly type: 'sealed'; readonly value: SealedEnvelope };

/** What a block can include of a sender: a transaction, or an envelope with the members that both have. */
export interface Candidate extends Omit<Transaction, 'action'> {
  /** Of an envelope the height before the one whose key opens it: it has to be included below that. */
  readonly valid_until?: bigint;
  readonly action: CandidateAction;
}

export interface SignedCandidate {
  readonly transaction: Candidate;
  readonly signature: Signature;
}

/** A signed transaction or envelope with what everybody asks of it computed once. Whether its signature is good is not said. */
export interface TransactionEnvelope<S extends SignedCandidate = SignedCandidate> {
  /** sha256("heddle/tx/1" ‖ borsh(Transaction)), or sha256("heddle/sealed/1" ‖ borsh(SealedEnvelope)): 32 bytes. */
  readonly hash: Uint8Array;
  readonly hashHex: TransactionHashHex;
  readonly sender: AddressHex;
  readonly signed: S;
  /** borsh(SignedTransaction), or borsh(SignedEnvelope) of an envelope. */
  readonly encoded: Uint8Array;
}

/** A transaction that is no envelope. */
export type OpenTransaction = TransactionEnvelope<SignedTransaction>;

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

/** Where what is hashed of a transaction is put together where it is short: hashing keeps nothing of it. */
const preimageRoom = new Uint8Array(2_048);

/** The variants of BlockItem. */
const TRANSACTION = 0;
const SEALED = 1;

/**
 * Identifies a transaction that came in its binary form.
 * @param encoded borsh(SignedTransaction); kept, so it must not change afterwards
 * @throws BorshError where the bytes are no such encoding
 */
export function transactionFromEncoded(encoded: Uint8Array, crypto: Pick<Crypto, 'sha256'>): OpenTransaction {
  return identify(ledger.SignedTransaction.decode(encoded), encoded, crypto);
}

/** Identifies a transaction that came decoded, for instance as JSON. */
export function transactionFromSigned(
  signed: SignedTransaction,
  crypto: Pick<Crypto, 'sha256'>,
): OpenTransaction {
  return identify(signed, ledger.SignedTransaction.encode(signed), crypto);
}

/**
 * Identifies an envelope that came in its binary form.
 * @param encoded borsh(SignedEnvelope); kept, so it must not change afterwards
 * @throws BorshError where the bytes are no such encoding
 */
export function envelopeFromEncoded(
  encoded: Uint8Array,
  crypto: Pick<Crypto, 'sha256'>,
): TransactionEnvelope {
  return identifyEnvelope(ledger.SignedEnvelope.decode(encoded), encoded, crypto);
}

/** Identifies an envelope that came decoded, as in a block. */
export function envelopeFromSigned(
  signed: SignedEnvelope,
  crypto: Pick<Crypto, 'sha256'>,
): TransactionEnvelope {
  return identifyEnvelope(signed, ledger.SignedEnvelope.encode(signed), crypto);
}

/** An envelope with the members that it has in common with transactions. */
export function sealedCandidate({ envelope, signature }: SignedEnvelope): SignedCandidate {
  const { opens_at: opensAt, ...common } = envelope.header;
  return {
    transaction: {
      ...common,
      // Before height 0 there is none: by height 1 the other is past as well.
      valid_until: opensAt === 0n ? 0n : opensAt - 1n,
      action: { type: 'sealed', value: envelope },
    },
    signature,
  };
}

/** What a sender signed of a block's item; undefined of an item that no sender signs. */
export function candidateOfItem(item: BlockItem): SignedCandidate | undefined {
  if (item.type === 'transaction') return item.value;
  return item.type === 'sealed' ? sealedCandidate(item.value) : undefined;
}

/** What a sender signed of an item of a block. @throws BorshError */
export function candidateIn(item: Uint8Array): SignedCandidate {
  const encoded = item.subarray(1);
  return isEnvelopeItem(item)
    ? sealedCandidate(ledger.SignedEnvelope.decode(encoded))
    : ledger.SignedTransaction.decode(encoded);
}

/** Whether executing it runs code of contracts, or makes some: neither a transfer nor an envelope. */
export function needsEngine({ transaction: { action } }: SignedCandidate): boolean {
  return action.type !== 'transfer' && action.type !== 'sealed';
}

/** The height whose key opens an envelope; undefined of what is none, and of one that was opened. */
export function opensAt({ action }: Candidate): bigint | undefined {
  return action.type === 'sealed' ? action.value.header.opens_at : undefined;
}

/** Whether the action is there to be read. */
export function isOpen(signed: SignedCandidate): signed is SignedTransaction {
  return signed.transaction.action.type !== 'sealed';
}

/**
 * Identifies what {@link encodeTransactionItem} encoded.
 * @param item borsh(BlockItem) of a transaction or an envelope; kept, so it must not change afterwards
 * @throws BorshError where the bytes are no such encoding
 */
export function transactionFromItem(item: Uint8Array, crypto: Pick<Crypto, 'sha256'>): TransactionEnvelope {
  const encoded = item.subarray(1);
  return isEnvelopeItem(item)
    ? envelopeFromEncoded(encoded, crypto)
    : transactionFromEncoded(encoded, crypto);
}

/**
 * What a transaction is called by, and what its sender signs: sha256("heddle/tx/1" ‖ borsh(Transaction)), 32 bytes.
 * @param encoded borsh(Transaction)
 */
export function transactionHash(encoded: Uint8Array, crypto: Pick<Crypto, 'sha256'>): Uint8Array {
  const length = HASH_DOMAIN.length + encoded.length;
  const room = length <= preimageRoom.length ? preimageRoom : new Uint8Array(length);
  room.set(HASH_DOMAIN);
  room.set(encoded, HASH_DOMAIN.length);
  return crypto.sha256(room.subarray(0, length));
}

/** Whether borsh(BlockItem) is that of an envelope. */
export function isEnvelopeItem(item: Uint8Array): boolean {
  return item[0] === SEALED;
}

/** borsh(BlockItem) of a transaction or an envelope: the variant's byte, 0 or 1, and what is signed. */
export function encodeTransactionItem({
  encoded,
  signed,
}: Pick<TransactionEnvelope, 'encoded' | 'signed'>): Uint8Array {
  const item = allocate(1 + encoded.length);
  item[0] = signed.transaction.action.type === 'sealed' ? SEALED : TRANSACTION;
  item.set(encoded, 1);
  return item;
}

function identify(
  signed: SignedTransaction,
  encoded: Uint8Array,
  crypto: Pick<Crypto, 'sha256'>,
): OpenTransaction {
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

function identifyEnvelope(
  signed: SignedEnvelope,
  encoded: Uint8Array,
  crypto: Pick<Crypto, 'sha256'>,
): TransactionEnvelope {
  // borsh(SignedEnvelope) is borsh(SealedEnvelope) ‖ borsh(Signature).
  const body = encoded.subarray(0, encoded.length - signatureBytes(signed.signature));
  const hash = sealedEnvelopeHash(body, crypto);
  return {
    hash,
    hashHex: transactionHashHex(hash),
    sender: addressHex(signed.envelope.header.sender),
    signed: sealedCandidate(signed),
    encoded,
  };
}

/** Length of borsh(Signature): the variant's byte, the public key, the signature. */
function signatureBytes(signature: Signature): number {
  return 1 + signature.value.public_key.length + signature.value.signature.length;
}
