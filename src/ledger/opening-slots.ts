import { bigMax, bigMin } from '../base/big-ints.js';
import type { BlockHeader, SealedEnvelope } from '../generated/ledger.js';
import { MAX_BALANCE, SLOTS_PER_GAS_LIMIT, TARGET_SLOTS } from './constants.js';
import { nextBaseFee } from './fees.js';
import { GAS, openingGas } from './gas.js';
import type { Candidate } from './transaction-envelope.js';

/*
 * Opening slots: the space for envelopes at their opening heights. Its price rises while blocks reserve more than half
 * of it, so that nobody keeps others out cheaply.
 *
 * 1. A slot is 1/64 of the block gas limit. An envelope reserves max(1, ⌈gas for its action / slot⌉).
 * 2. A height opens, and a block reserves, at most MAX_SLOTS.
 * 3. seal_excess of a block is max(0, its parent's + slots reserved by the parent − TARGET_SLOTS).
 * 4. The price of a slot in a block is base_fee × GAS.seal × fake_exponential(1, seal_excess, 68) of the block's own
 *    header. In the long run a block that reserves all slots raises it by an eighth, because e^(8/68) ≈ 9/8; the
 *    exponential is an integer, so that small prices move in whole multiples.
 * 5. Inclusion burns slots × price, at most max_seal_fee.
 */

/** Divisor in the exponent of the price of a slot. */
const EXCESS_PER_E_FOLD = 68n;
/** e^89 > 2^128, above every balance: nobody reserves a slot, so seal_excess stays within 16 of it. */
const PROHIBITIVE_EXCESS = 89n * EXCESS_PER_E_FOLD;

/** factor × e^(numerator / denominator), rounded down: the Taylor series in integers, as in EIP-4844. */
export function fakeExponential(factor: bigint, numerator: bigint, denominator: bigint): bigint {
  let sum = 0n;
  let term = factor * denominator;
  for (let i = 1n; term > 0n; i++) {
    sum += term;
    term = (term * numerator) / (denominator * i);
  }
  return sum / denominator;
}

/** seal_excess of the block after `parent` (rule 3). @param reserved number of slots that the parent reserved */
export function nextSealExcess(parent: Pick<BlockHeader, 'seal_excess'>, reserved: number): bigint {
  return bigMax(parent.seal_excess + BigInt(reserved - TARGET_SLOTS), 0n);
}

/** The price of a slot in the block with this header (rule 4); at most 2^128 − 1, which no account can pay. */
export function slotPrice(header: Pick<BlockHeader, 'base_fee' | 'seal_excess'>): bigint {
  const { base_fee: baseFee, seal_excess: excess } = header;
  if (excess >= PROHIBITIVE_EXCESS) return MAX_BALANCE;
  return bigMin(baseFee * GAS.seal * fakeExponential(1n, excess, EXCESS_PER_E_FOLD), MAX_BALANCE);
}

/** The price of a slot in the block after `parent`. @param reserved number of slots that the parent reserved */
export function nextSlotPrice(
  parent: Pick<BlockHeader, 'base_fee' | 'gas_used' | 'gas_limit' | 'seal_excess'>,
  reserved: number,
): bigint {
  return slotPrice({ base_fee: nextBaseFee(parent), seal_excess: nextSealExcess(parent, reserved) });
}

/** Gas of one slot. @param gasLimit the block's gas limit */
export function slotGas(gasLimit: bigint): bigint {
  return gasLimit / SLOTS_PER_GAS_LIMIT;
}

/**
 * Number of slots that an envelope reserves (rule 1), above MAX_SLOTS if it fits no height. Its gas_limit covers its
 * intrinsic gas and is at most `gasLimit`, the block's.
 */
export function openingSlots(envelope: SealedEnvelope, gasLimit: bigint): number {
  return slotsForGas(openingGas(envelope), gasLimit);
}

/** Number of slots for an action that may use this much gas. @param gasLimit the block's gas limit */
export function slotsForGas(gas: bigint, gasLimit: bigint): number {
  const slot = slotGas(gasLimit);
  const slots = (gas + slot - 1n) / slot;
  return slots < 1n ? 1 : Number(slots);
}

/** Number of slots that a candidate reserves; 0 if it is not an envelope. @param gasLimit the block's gas limit */
export function reservedSlots({ action }: Candidate, gasLimit: bigint): number {
  return action.type === 'sealed' ? openingSlots(action.value, gasLimit) : 0;
}
