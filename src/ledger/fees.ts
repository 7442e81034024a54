import { bigMax, bigMin } from '../base/big-ints.js';
import type { BlockHeader, Transaction } from '../generated/ledger.js';

/** Divisor of the base fee that gives its change after a full or an empty block. */
const BASE_FEE_CHANGE_DENOMINATOR = 8n;

/** Base fee of the block after `parent`: EIP-1559's integer formula, target half the gas limit, minimum 1. */
export function nextBaseFee(parent: Pick<BlockHeader, 'base_fee' | 'gas_used' | 'gas_limit'>): bigint {
  const { base_fee: fee, gas_used: used } = parent;
  const target = parent.gas_limit / 2n;
  if (used === target || target === 0n) return bigMax(fee, 1n);
  if (used > target) {
    const rise = (fee * (used - target)) / target / BASE_FEE_CHANGE_DENOMINATOR;
    return fee + bigMax(rise, 1n);
  }
  return bigMax(fee - (fee * (target - used)) / target / BASE_FEE_CHANGE_DENOMINATOR, 1n);
}

/** The proposer's share per unit of gas: min(priority_fee, max_fee − base_fee). Requires max_fee ≥ base fee. */
export function effectivePriorityFee(
  transaction: Pick<Transaction, 'max_fee' | 'priority_fee'>,
  baseFee: bigint,
): bigint {
  return bigMin(transaction.priority_fee, transaction.max_fee - baseFee);
}

/** True if `baseFee` is at most `fee`, or empty blocks can lower it to that: below 8, its eighth is 0. */
export function canBaseFeeFallTo(fee: bigint, baseFee: bigint): boolean {
  return fee >= baseFee || fee >= BASE_FEE_CHANGE_DENOMINATOR - 1n;
}
