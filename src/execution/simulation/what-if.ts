import { bigMin } from '../../base/big-ints.js';
import type { AccountRecord, Transaction } from '../../generated/ledger.js';
import { MAX_BALANCE } from '../../ledger/constants.js';
import { intrinsicGas } from '../../ledger/gas.js';
import { MAX_LANES, nextNonce } from '../../ledger/lanes.js';
import type { BlockEnvironment } from '../block-environment.js';
import { type InclusionProblem, inclusionProblem } from '../execute-transaction.js';
import { gasPrice } from '../prices.js';
import type { WorldState } from '../world-state.js';
import type { InputTransaction } from './input-transaction.js';

/*
 * The eligibility rules of a block that apply to a simulation.
 *
 * 1. A signed transaction is simulated as it would be included. If it is not eligible on the state and in the block
 *    of the simulation, it ends `invalid` with the reason, without using gas or changing anything.
 * 2. An unsigned transaction is a what-if. Its nonce is treated as the next of its lane. Its sender pays the fee if
 *    the balance covers gas_limit × price. If it does not, or if max_fee is 0, the transaction runs without fees:
 *    `fee` is then the fee that it would have to pay (0 if max_fee is 0), and the sender's balance is not reduced by
 *    it.
 * 3. The other fields of an unsigned transaction still apply: if valid_until has passed, if max_fee is not 0 and
 *    below the base fee, or if the transaction would exceed an account's maximum number of lanes, it ends `invalid`
 *    as in 1.
 * 4. Fees for the proposer are credited at the end of a block, so a simulation never shows them.
 */

export interface Terms {
  readonly transaction: Transaction;
  readonly env: BlockEnvironment;
  readonly price: bigint;
}

/** The terms on which a transaction runs, or why it cannot. @param gasLeft by the block's earlier ones */
export function termsOf(
  { transaction, sender, isSigned }: InputTransaction,
  state: WorldState,
  env: BlockEnvironment,
  gasLeft: bigint,
): Terms | string {
  if (isSigned) {
    const problem = inclusionProblem(transaction, sender, state, env, gasLeft);
    if (problem === 'block_full') return tooMuchGas(transaction.gas_limit, gasLeft, env.gasLimit);
    if (problem !== undefined) return problemText(problem, transaction, state.account(sender), env);
    return { transaction, env, price: gasPrice(transaction, env).price };
  }
  const { lane } = transaction;
  const isFree = transaction.max_fee === 0n;
  // The nonce never makes a what-if invalid, and too small a balance does not prevent one.
  const asked = isFree ? withoutFees({ transaction, env, price: 0n }) : { transaction, env };
  const nonce = nextNonce(state.account(sender), lane);
  const onItsTurn = nonce === transaction.nonce ? asked.transaction : { ...asked.transaction, nonce };
  // A what-if may also exceed the gas that is left in the block.
  const problem = inclusionProblem(onItsTurn, sender, state, asked.env);
  if (problem === 'block_full') throw new TypeError('whether it fits was not asked');
  if (problem === 'insufficient_balance') {
    return withoutFees({ transaction, env, price: gasPrice(transaction, env).price });
  }
  // A what-if with too low a gas limit runs and ends out of gas.
  if (problem !== undefined && problem !== 'gas_limit_too_low') {
    return problemText(problem, transaction, state.account(sender), env);
  }
  return {
    transaction: asked.transaction,
    env: asked.env,
    price: isFree ? 0n : gasPrice(transaction, env).price,
  };
}

/** Returns the fee for the gas used, capped at the maximum u128. */
export function feeOf(gasUsed: bigint, price: bigint): bigint {
  return bigMin(gasUsed * price, MAX_BALANCE);
}

/** Sets the fees to 0: contracts see neither them nor the base fee, so nothing else changes. */
function withoutFees({ transaction, env, price }: Terms): Terms {
  return {
    transaction: { ...transaction, max_fee: 0n, priority_fee: 0n },
    env: { ...env, baseFee: 0n },
    price,
  };
}

function tooMuchGas(limit: bigint, gasLeft: bigint, blockGas: bigint): string {
  if (gasLeft === blockGas) return `gas_limit is ${limit}; a whole block has ${blockGas}`;
  return `gas_limit is ${limit}; the transactions before it left ${gasLeft} of the block's ${blockGas}`;
}

function problemText(
  problem: Exclude<InclusionProblem, 'block_full'>,
  transaction: Transaction,
  account: AccountRecord,
  env: BlockEnvironment,
): string {
  switch (problem) {
    case 'nonce': {
      const { lane, nonce } = transaction;
      return `nonce is ${nonce}; the next of lane ${lane} is ${nextNonce(account, lane)}`;
    }
    case 'expired':
      return `valid until height ${transaction.valid_until}; the block has height ${env.height}`;
    case 'fee_too_low':
      return `max_fee is ${transaction.max_fee}; the base fee is ${env.baseFee}`;
    case 'insufficient_balance': {
      const { price } = gasPrice(transaction, env);
      const { gas_limit: limit } = transaction;
      return `insufficient balance: ${limit * price} needed for ${limit} gas at ${price}; the sender has ${account.balance}`;
    }
    case 'too_many_lanes':
      return `the account has used ${MAX_LANES} lanes, the most that it can have; lane ${transaction.lane} would be another`;
    case 'gas_limit_too_low':
      return `gas_limit is ${transaction.gas_limit}; the transaction needs at least ${intrinsicGas(transaction)} before it does anything`;
    case 'opens_too_late':
    case 'payload_too_large':
    case 'seal_fee_too_low':
    case 'opening_full':
    case 'slots_taken':
      return `the envelope cannot be included: ${problem}`;
  }
}
