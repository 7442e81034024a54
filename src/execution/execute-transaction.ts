import type { Action, LedgerLog, Outcome, Transaction } from '../generated/ledger.js';
import { hasLane, isEmptyAccount, nextNonce, withNextNonce } from '../ledger/accounts.js';
import { MAX_LANES } from '../ledger/constants.js';
import { priorityPrice } from '../ledger/fees.js';
import { GAS, intrinsicGas } from '../ledger/gas.js';
import type { AccountOverlay } from './account-overlay.js';
import type { BlockEnvironment } from './block-environment.js';

/*
 * One transaction, by these rules:
 *
 * 1. It may be in the block at all only if its nonce is its lane's next, the block is not past valid_until, max_fee
 *    covers the base fee, and the sender can pay gas_limit × price, price = base_fee + min(priority_fee, max_fee − base_fee).
 * 2. The lane's nonce goes up, whatever happens after.
 * 3. Gas: what the transaction costs by itself, opening a lane, then what the action does. When it passes gas_limit, the
 *    outcome is out_of_gas and all of gas_limit is used.
 * 4. A failed action changes nothing.
 * 5. The sender pays gas_used × price. The base fee's part is burned; the rest is the proposer's, credited at the end of
 *    the block, so that paying it makes no conflict between transactions.
 */

/** Why a transaction cannot be in a block at this place. */
export type InclusionProblem =
  | 'nonce'
  | 'expired'
  | 'fee_too_low'
  | 'insufficient_balance'
  | 'too_many_lanes';

/** What came of executing one transaction. */
export interface TransactionOutcome {
  readonly outcome: Outcome['type'];
  readonly gasUsed: bigint;
  /** gasUsed × price. */
  readonly fee: bigint;
  /** The proposer's part of the fee. */
  readonly tip: bigint;
  /** Why it failed, for people; not part of what the chain commits to. */
  readonly message?: string;
  /** The contract that a deployment made, 20 bytes. */
  readonly contract?: Uint8Array;
  readonly output: Uint8Array;
  readonly logs: readonly LedgerLog[];
}

const NO_OUTPUT = new Uint8Array(0);

/** Checks rule 1. `sender` is 40 lowercase hex digits. */
export function inclusionProblem(
  transaction: Transaction,
  sender: string,
  state: AccountOverlay,
  env: BlockEnvironment,
): InclusionProblem | undefined {
  const account = state.account(sender);
  if (nextNonce(account, transaction.lane) !== transaction.nonce) return 'nonce';
  if (transaction.valid_until !== undefined && transaction.valid_until < env.height) return 'expired';
  if (transaction.max_fee < env.baseFee) return 'fee_too_low';
  const price = env.baseFee + priorityPrice(transaction, env.baseFee);
  if (account.balance < transaction.gas_limit * price) return 'insufficient_balance';
  if (account.lanes.length >= MAX_LANES && !hasLane(account, transaction.lane)) return 'too_many_lanes';
  return undefined;
}

/** Executes a transaction that has no {@link inclusionProblem}, writing to `state`. `sender` is 40 lowercase hex digits. */
export function executeTransaction(
  transaction: Transaction,
  sender: string,
  state: AccountOverlay,
  env: BlockEnvironment,
): TransactionOutcome {
  const tipPrice = priorityPrice(transaction, env.baseFee);
  const price = env.baseFee + tipPrice;
  const before = state.account(sender);
  const reserved = transaction.gas_limit * price;
  state.write(sender, {
    ...before,
    balance: before.balance - reserved,
    lanes: withNextNonce(before.lanes, transaction.lane, transaction.nonce + 1n),
  });

  let gas = intrinsicGas(transaction);
  if (!hasLane(before, transaction.lane)) gas += GAS.lane_open;
  const effect =
    gas > transaction.gas_limit
      ? OUT_OF_GAS
      : applyAction(transaction.action, sender, state, transaction.gas_limit - gas);

  const gasUsed = effect.outcome === 'out_of_gas' ? transaction.gas_limit : gas + effect.gas;
  const fee = gasUsed * price;
  const after = state.account(sender);
  state.write(sender, { ...after, balance: after.balance + reserved - fee });
  return {
    outcome: effect.outcome,
    gasUsed,
    fee,
    tip: gasUsed * tipPrice,
    ...(effect.message === undefined ? {} : { message: effect.message }),
    output: NO_OUTPUT,
    logs: [],
  };
}

interface ActionEffect {
  readonly outcome: Outcome['type'];
  readonly gas: bigint;
  readonly message?: string;
}

const OUT_OF_GAS: ActionEffect = { outcome: 'out_of_gas', gas: 0n };
const DONE: ActionEffect = { outcome: 'success', gas: 0n };

function applyAction(action: Action, sender: string, state: AccountOverlay, gasLeft: bigint): ActionEffect {
  switch (action.type) {
    case 'transfer':
      return transfer(sender, toHex(action.value.to), action.value.amount, state, gasLeft);
    case 'call':
    case 'upgrade':
      return noContract(action.value.contract);
    case 'batch': {
      const [first] = action.value;
      return first === undefined ? DONE : noContract(first.contract);
    }
    case 'deploy':
      return { outcome: 'invalid', gas: 0n, message: 'this chain has no contract engine yet' };
  }
}

function transfer(
  from: string,
  to: string,
  amount: bigint,
  state: AccountOverlay,
  gasLeft: bigint,
): ActionEffect {
  const payer = state.account(from);
  const payee = state.account(to);
  const gas = amount > 0n && isEmptyAccount(payee) ? GAS.account_open : 0n;
  if (gas > gasLeft) return OUT_OF_GAS;
  if (payer.balance < amount) {
    const message = `insufficient balance: transfer of ${amount}, ${payer.balance} left beside the reserved fee`;
    return { outcome: 'reverted', gas: 0n, message };
  }
  if (from !== to) {
    state.write(from, { ...payer, balance: payer.balance - amount });
    state.write(to, { ...payee, balance: payee.balance + amount });
  }
  return { outcome: 'success', gas };
}

function noContract(address: Uint8Array): ActionEffect {
  return { outcome: 'invalid', gas: 0n, message: `no contract at 0x${toHex(address)}` };
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
