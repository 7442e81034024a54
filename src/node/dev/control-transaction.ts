import type { Crypto } from '../../crypto/crypto.js';
import type { SignatureChecker } from '../../execution/signature-checker.js';
import type { BlockHeader, DevChange, Transaction } from '../../generated/ledger.js';
import { ledger } from '../../ledger/codecs.js';
import {
  DEV_CONTROLLER_ADDRESS,
  DEV_CONTROLS_ADDRESS,
  devControllerSeed,
} from '../../ledger/dev-controls.js';
import { nextBaseFee } from '../../ledger/fees.js';
import {
  transactionFromSigned,
  transactionHash,
  type VerifiedTransaction,
} from '../../ledger/transaction-envelope.js';

/** Factor of max_fee over the next base fee, which rises by an eighth a block; a control pays nothing. */
const FEE_ROOM = 16n;

export interface ControlParts {
  readonly crypto: Crypto;
  readonly signatures: Pick<SignatureChecker, 'verify'>;
}

export interface UnsignedControl {
  readonly changes: readonly DevChange[];
  readonly gasLimit: bigint;
  /** Lane of the development controller: 0 for controls, 1 for copies of a forked chain's state. */
  readonly lane: number;
  readonly nonce: bigint;
}

/** The transaction of a control in the block after a parent. */
export async function controlTransaction(
  { crypto, signatures }: ControlParts,
  parent: Pick<BlockHeader, 'chain_id' | 'base_fee' | 'gas_used' | 'gas_limit'>,
  { changes, gasLimit, lane, nonce }: UnsignedControl,
): Promise<VerifiedTransaction> {
  const input = ledger.DevChanges.encode({ changes: [...changes] });
  const transaction: Transaction = {
    chain_id: parent.chain_id,
    sender: DEV_CONTROLLER_ADDRESS,
    lane,
    nonce,
    gas_limit: gasLimit,
    max_fee: nextBaseFee(parent) * FEE_ROOM,
    priority_fee: 0n,
    action: { type: 'call', value: { contract: DEV_CONTROLS_ADDRESS, input, value: 0n } },
  };
  const seed = devControllerSeed(crypto);
  const hash = transactionHash(ledger.Transaction.encode(transaction), crypto);
  const signature = {
    type: 'ed25519',
    value: { public_key: crypto.ed25519.publicKey(seed), signature: crypto.ed25519.sign(hash, seed) },
  } as const;
  const verified = await signatures.verify(transactionFromSigned({ transaction, signature }, crypto));
  if (verified === undefined) throw new Error('the signature of a development control is not valid');
  return verified;
}
