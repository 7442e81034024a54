import { actionValue } from '../ledger/action-facts.js';
import { effectivePriorityFee } from '../ledger/fees.js';
import { GAS } from '../ledger/gas.js';
import { reservedSlots } from '../ledger/opening-slots.js';
import type { Candidate } from '../ledger/transaction-envelope.js';

/** The prices of a block that decide which transactions it may include. */
export interface Prices {
  /** Per unit of gas. */
  readonly baseFee: bigint;
  /** Per opening slot. */
  readonly slotPrice: bigint;
}

/** The slots that a candidate reserves and the highest price of one that its max_seal_fee allows. */
export interface SlotOffer {
  /** 0 for transactions that are not envelopes. */
  readonly slots: number;
  /** Undefined for transactions that are not envelopes. */
  readonly maxSlotPrice: bigint | undefined;
}

const NO_SLOTS: SlotOffer = { slots: 0, maxSlotPrice: undefined };

export function slotOffer(transaction: Candidate, gasLimit: bigint): SlotOffer {
  const { action } = transaction;
  if (action.type !== 'sealed') return NO_SLOTS;
  const slots = reservedSlots(transaction, gasLimit);
  return { slots, maxSlotPrice: action.value.header.max_seal_fee / BigInt(slots) };
}

/**
 * The tip per unit of gas for the proposer. Negative if max_fee does not cover the base fee or max_seal_fee the slots:
 * the base fee, or the multiple of it that slots cost, must then fall so far that the price falls by that much.
 */
export function tipAt(
  fees: Pick<Candidate, 'max_fee' | 'priority_fee'>,
  maxSlotPrice: bigint | undefined,
  { baseFee, slotPrice }: Prices,
): bigint {
  const tip = effectivePriorityFee(fees, baseFee);
  if (maxSlotPrice === undefined || maxSlotPrice >= slotPrice) return tip;
  const missing = -((slotPrice - maxSlotPrice + GAS.seal - 1n) / GAS.seal);
  return missing < tip ? missing : tip;
}

/**
 * The maximum cost of a transaction to its sender: gas_limit × max_fee, plus max_seal_fee for an envelope, plus the
 * amounts it carries. The amounts in a sealed transaction are unknown; they move when it is opened.
 */
export function transactionCost({ action, gas_limit: gasLimit, max_fee: maxFee }: Candidate): bigint {
  const gas = gasLimit * maxFee;
  return action.type === 'sealed' ? gas + action.value.header.max_seal_fee : gas + actionValue(action);
}
