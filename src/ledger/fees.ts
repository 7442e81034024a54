import type { BlockHeader, Transaction } from '../generated/ledger.js';

/** How far a full or an empty block moves the base fee: one part in so many. */
const BASE_FEE_CHANGE_DENOMINATOR = 8n;

/**
 * The base fee of the block after `parent`, by the integer formula of EIP-1559 with a target of half the gas limit,
 * never below 1.
 */
export function nextBaseFee(parent: Pick<BlockHeader, 'base_fee' | 'gas_used' | 'gas_limit'>): bigint {
  const { base_fee: fee, gas_used: used } = parent;
  const target = parent.gas_limit / 2n;
  if (used === target || target === 0n) return atLeastOne(fee);
  if (used > target) {
    const rise = (fee * (used - target)) / target / BASE_FEE_CHANGE_DENOMINATOR;
    return fee + atLeastOne(rise);
  }
  return atLeastOne(fee - (fee * (target - used)) / target / BASE_FEE_CHANGE_DENOMINATOR);
}

/** What goes to the proposer per unit of gas: min(priority_fee, max_fee − base_fee). The max_fee must cover the base fee. */
export function effectivePriorityFee(
  transaction: Pick<Transaction, 'max_fee' | 'priority_fee'>,
  baseFee: bigint,
): bigint {
  const room = transaction.max_fee - baseFee;
  if (transaction.priority_fee > room) return room;
  return transaction.priority_fee;
}

/** Whether empty blocks bring the base fee down to a fee that is below it: what an eighth of rounds to nothing stays. */
export function canBaseFeeFallTo(fee: bigint): boolean {
  return fee >= BASE_FEE_CHANGE_DENOMINATOR - 1n;
}

function atLeastOne(value: bigint): bigint {
  return value < 1n ? 1n : value;
}
