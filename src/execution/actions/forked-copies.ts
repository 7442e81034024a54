import { defined } from '../../base/defined.js';
import { sameBytes } from '../../base/same-bytes.js';
import type { DevForkedAccount, DevSlots } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import { controlInput, DEV_CONTROLS_ADDRESS } from '../../ledger/dev-controls.js';
import { COPIED } from '../../ledger/forked-state.js';
import { accountKey, slotKey } from '../../ledger/state-keys.js';
import type { SentAction } from '../../ledger/transaction-envelope.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { WorldState } from '../world-state.js';
import { type ActionEffect, type CodeParts, invalid } from './action-effect.js';
import { admitCode } from './deploy.js';

export interface CopyParts extends CodeParts {
  readonly gasLeft: bigint;
}

/** Copies an account of a forked chain; its code costs the gas of a deployment's code. */
export function copyAccount(
  { address, account, code, idl }: DevForkedAccount,
  { state, machine, gasLeft }: CopyParts,
): ActionEffect {
  const name = toHex(address);
  const { contract, balance, lanes, deploy_index } = account;
  let gas = 0n;
  if (contract !== undefined) {
    if (code === undefined) return invalid('a copied contract has no code');
    const given = { vm: contract.vm, code, ...(idl === undefined ? {} : { idl }) };
    const made = admitCode(given, { state, machine }, gasLeft, 'returned');
    if ('outcome' in made) return made;
    gas = made.gas;
    if (!sameBytes(made.admitted.hash, contract.code_hash)) {
      return invalid('the code of a copied contract does not have its hash', gas);
    }
    state.contract(name);
    const { idl_hash: _, ...rest } = contract;
    state.writeContract(name, { ...rest, ...defined({ idl_hash: made.idlHash }) });
  } else if (state.contract(name) !== undefined) {
    state.removeContract(name);
  }
  state.addBalance(name, balance - state.balance(name));
  if (state.deployIndex(name) !== deploy_index) state.writeDeployIndex(name, deploy_index);
  state.writeLanes(name, lanes);
  state.touch(name);
  mark(accountKey(machine.crypto, address), state);
  return { outcome: 'success', gas };
}

export function markSlots({ contract, slots }: DevSlots, { state, machine }: CopyParts): void {
  for (const { slot } of slots) mark(slotKey(machine.crypto, contract, slot), state);
}

function mark(key: Uint8Array, state: WorldState): void {
  state.replaceSlot(DEV_CONTROLS_ADDRESS, key, COPIED);
}

/** Writes the nonces of copied accounts: records of accesses, so a worker's results, do not cover them. */
export function writeCopiedLanes(transaction: SentAction, env: BlockEnvironment, state: WorldState): void {
  const input = controlInput(transaction, env);
  if (input === undefined) return;
  for (const change of ledger.DevChanges.decode(input).changes) {
    if (change.type === 'forked_account') {
      state.writeLanes(toHex(change.value.address), change.value.account.lanes);
    }
  }
}
