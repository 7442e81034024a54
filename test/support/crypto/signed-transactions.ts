import { ed25519Address, secp256k1Address } from '../../../src/crypto/address.js';
import type { Crypto } from '../../../src/crypto/crypto.js';
import type { Signature, SignedTransaction, Transaction } from '../../../src/generated/ledger.js';
import { ledger } from '../../../src/ledger/codecs.js';
import {
  type OpenTransaction,
  transactionFromSigned,
  transactionHash,
} from '../../../src/ledger/transaction-envelope.js';

export type Scheme = Signature['type'];

/** A key derived from a number. */
export function testKey(crypto: Crypto, scheme: Scheme, number: number) {
  const secret = crypto.sha256(new TextEncoder().encode(`test key ${number}`));
  const publicKey = crypto[scheme].publicKey(secret);
  const address =
    scheme === 'ed25519' ? ed25519Address(crypto, publicKey) : secp256k1Address(crypto, publicKey);
  if (address === undefined) throw new Error('a test key has no address');
  return { secret, publicKey, address };
}

/** A transfer with a valid signature. */
export function signedTransfer(crypto: Crypto, scheme: Scheme, key: number, nonce = 0n): OpenTransaction {
  const { secret, publicKey, address } = testKey(crypto, scheme, key);
  const transaction: Transaction = {
    chain_id: 7n,
    sender: address,
    lane: 0,
    nonce,
    gas_limit: 20_000n,
    max_fee: 10n,
    priority_fee: 1n,
    action: { type: 'transfer', value: { to: new Uint8Array(20).fill(9), amount: 5n } },
  };
  const hash = transactionHash(ledger.Transaction.encode(transaction), crypto);
  const value = { public_key: publicKey, signature: crypto[scheme].sign(hash, secret) };
  return transactionFromSigned({ transaction, signature: { type: scheme, value } }, crypto);
}

/** The same transaction with another signature. */
export function withSignature(
  crypto: Crypto,
  { signed }: OpenTransaction,
  signature: SignedTransaction['signature'],
): OpenTransaction {
  return transactionFromSigned({ transaction: signed.transaction, signature }, crypto);
}
