import type { Call } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { type ActionContext, type ActionEffect, effectOfCall, invalid } from './action-effect.js';
import { notEnough } from './transfer.js';

export function applyCall(
  { contract, input, value }: Call,
  { sender, host, state, gasLeft, withheldGas = 0n }: ActionContext,
): ActionEffect {
  const frame = {
    purpose: 'call',
    contract,
    caller: sender,
    origin: sender,
    value,
    input,
    gas: gasLeft,
    withheldGas,
    isView: false,
    depth: 0,
  } as const;
  const outcome = host.call(frame);
  if (outcome !== undefined) return effectOfCall(outcome);
  if (state.contract(toHex(contract)) === undefined) return noContract(contract);
  return notEnough(value, state.balance(toHex(sender)));
}

/** Calls contracts one after another; if one call fails, all fail. The output is that of the last call. */
export function applyBatch(calls: readonly Call[], context: ActionContext): ActionEffect {
  let effect: ActionEffect = { outcome: 'success', gas: 0n };
  let gas = 0n;
  for (const [index, call] of calls.entries()) {
    effect = applyCall(call, { ...context, gasLeft: context.gasLeft - gas });
    gas += effect.gas;
    if (effect.outcome !== 'success') {
      const message = `call ${index} of ${calls.length}: ${effect.message ?? effect.outcome}`;
      return { ...effect, gas, message };
    }
  }
  return { ...effect, gas };
}

export function noContract(address: Uint8Array): ActionEffect {
  return invalid(`no contract at 0x${toHex(address)}`);
}
