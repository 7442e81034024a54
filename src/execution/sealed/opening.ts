import type { Sha256 } from '../../crypto/crypto.js';
import type { Action, PendingEnvelope } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { effectivePriorityFee } from '../../ledger/fees.js';
import type { OpeningDetails } from '../../ledger/stored-receipt.js';
import { sealedEnvelopeHash } from '../../ledger/transaction-envelope.js';
import {
  applyAction,
  type ExecutionContext,
  outcomeOf,
  type TransactionOutcome,
} from '../execute-transaction.js';

export interface Opening {
  readonly hash: Uint8Array;
  /** 40 lowercase hex digits. */
  readonly sender: string;
  readonly pending: PendingEnvelope;
  /** The content of the envelope; undefined if it does not open. */
  readonly action: Action | undefined;
  readonly details: OpeningDetails;
}

/** @throws BorshError if a part is not a valid encoding */
export function openingOf(details: OpeningDetails, crypto: Sha256): Opening {
  const pending = ledger.PendingEnvelope.decode(details.pending);
  const { envelope } = pending.signed;
  return {
    hash: sealedEnvelopeHash(ledger.SealedEnvelope.encode(envelope), crypto),
    sender: toHex(envelope.header.sender),
    pending,
    action: details.action === undefined ? undefined : ledger.Action.decode(details.action),
    details,
  };
}

/**
 * Executes the content of an envelope for its sender, with the gas_limit that inclusion left, at the price
 * min(max_fee, base fee + priority); refunds the rest. Inclusion has paid for nonce, bytes and lane. An envelope that
 * does not open burns all its remaining gas at the base fee of the block that included it.
 */
export function executeOpening(
  { sender, pending, action }: Opening,
  context: ExecutionContext,
): TransactionOutcome {
  const { state, env } = context;
  const { header } = pending.signed.envelope;
  const gasLeft = header.gas_limit - pending.gas_used;
  if (action === undefined) {
    const fee = gasLeft * pending.base_fee;
    state.addBalance(sender, pending.deposit - fee);
    const effect = { outcome: 'invalid', gas: gasLeft, message: 'the envelope does not open' } as const;
    return outcomeOf(effect, { gasUsed: gasLeft, fee, tip: 0n }, state.endTransaction());
  }
  // If the base fee rose above max_fee, all of the fee is burned.
  const isCovered = header.max_fee > env.baseFee;
  const tipPrice = isCovered ? effectivePriorityFee(header, env.baseFee) : 0n;
  const price = isCovered ? env.baseFee + tipPrice : header.max_fee;
  const savepoint = state.savepoint();
  const effect = applyAction(action, header.sender, sender, context, gasLeft);
  if (effect.outcome !== 'success') state.revert(savepoint);
  const gasUsed = effect.outcome === 'out_of_gas' ? gasLeft : effect.gas;
  const fee = gasUsed * price;
  state.addBalance(sender, pending.deposit - fee);
  return outcomeOf(effect, { gasUsed, fee, tip: gasUsed * tipPrice }, state.endTransaction());
}
