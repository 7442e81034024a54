import { controlInput } from '../ledger/dev-controls.js';
import { effectivePriorityFee } from '../ledger/fees.js';
import type { Candidate } from '../ledger/transaction-envelope.js';
import type { BlockEnvironment } from './block-environment.js';

/** What a transaction pays per unit of gas in a block. */
export interface GasPrice {
  /** The base fee and the tip. */
  readonly price: bigint;
  /** The proposer's part of the price. */
  readonly tip: bigint;
}

const FREE: GasPrice = { price: 0n, tip: 0n };

/** The price of a unit of gas; development controls are free. Requires max_fee ≥ base fee. */
export function gasPrice(transaction: Candidate, env: BlockEnvironment): GasPrice {
  if (controlInput(transaction, env) !== undefined) return FREE;
  const tip = effectivePriorityFee(transaction, env.baseFee);
  return { price: env.baseFee + tip, tip };
}
