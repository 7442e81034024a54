import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import type { SignedTransaction, Transaction } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';
import { ledger } from '../ledger/codecs.js';
import { transactionHash } from '../ledger/transaction-envelope.js';
import { encoded } from './checked-arguments.js';
import type { Hashed } from './send-options.js';
import type { Signer } from './signers.js';

/** A signed transaction ready for submission. */
export interface EncodedTransaction extends Hashed {
  readonly signed: SignedTransaction;
  /** borsh(SignedTransaction). */
  readonly encoded: Uint8Array;
}

/**
 * Signs a transaction locally, without a node.
 * @throws ClientError `bad_argument` naming the member that does not have its type
 *
 * @example
 * const { chain_id } = await client.status();
 * const { encoded } = await signTransaction(
 *   {
 *     chain_id,
 *     sender: bob.address,
 *     lane: 0,
 *     nonce: 0n,
 *     gas_limit: 50_000n,
 *     max_fee: 100n,
 *     priority_fee: 0n,
 *     action: { type: 'transfer', value: { to: alice.signer.address, amount: 5n } },
 *   },
 *   bob,
 * );
 * const { status } = await client.tx_submit({ encoded });
 */
export async function signTransaction(transaction: Transaction, signer: Signer): Promise<EncodedTransaction> {
  const unsigned = encoded('', () => ledger.Transaction.encode(transaction));
  const hash = transactionHash(unsigned, { sha256 });
  const signature = await signer.sign(hash);
  // borsh(SignedTransaction): the action, which may be large, is not encoded again.
  const whole = concatBytes(unsigned, ledger.Signature.encode(signature));
  return { signed: { transaction, signature }, encoded: whole, hash, hashHex: toHex(hash) };
}
