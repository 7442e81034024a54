import type { Transfer } from '../../generated/ledger.js';
import { isEmptyAccount } from '../../ledger/accounts.js';
import { GAS } from '../../ledger/gas.js';
import type { WorldState } from '../world-state.js';
import { type ActionEffect, OUT_OF_GAS, reverted } from './action-effect.js';

/** Moves native balance. Never runs code, even if the recipient is a contract. */
export function applyTransfer(
  { to, amount }: Transfer,
  sender: string,
  state: WorldState,
  gasLeft: bigint,
): ActionEffect {
  const payee = Buffer.from(to.buffer, to.byteOffset, to.byteLength).toString('hex');
  const gas = amount > 0n && isEmptyAccount(state.account(payee)) ? GAS.account_open : 0n;
  if (gas > gasLeft) return OUT_OF_GAS;
  if (!state.moveBalance(sender, payee, amount)) return notEnough(amount, state.balance(sender));
  return { outcome: 'success', gas };
}

/** The effect of sending more than the sender has left after the reserved fee. */
export function notEnough(amount: bigint, left: bigint): ActionEffect {
  return reverted(`insufficient balance: ${amount} to be sent, ${left} left beside the reserved fee`);
}
