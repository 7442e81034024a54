import type { Action, DevChange, DevContract, DevImpersonation, DevSlots } from '../../generated/ledger.js';
import { BorshError } from '../../idl/codecs/codec-errors.js';
import { toHex } from '../../idl/hex.js';
import { ledger } from '../../ledger/codecs.js';
import {
  changesIn,
  DEV_CONTROLS_ADDRESS,
  MAX_DEV_BALANCE,
  MAX_DEV_CHANGES,
} from '../../ledger/dev-controls.js';
import type { WorldState } from '../world-state.js';
import { type ActionEffect, invalid } from './action-effect.js';
import { admitCode } from './deploy.js';
import { type CopyParts, copyAccount, markSlots } from './forked-copies.js';

/** Maximum size of a slot value that a contract can write. */
const MAX_SLOT_VALUE_BYTES = 16 * 1024;

/** Leaves room for more deployments than an account can make. */
const MAX_DEPLOY_INDEX = 2n ** 63n;

export interface DevChangeParts extends CopyParts {
  /** Performs an action as another account; `gasLeft` is the gas limit. */
  readonly perform: (action: Action, sender: Uint8Array, gasLeft: bigint) => ActionEffect;
}

/**
 * Makes the changes of a development control. Unless it succeeds, the caller must undo all its writes.
 *
 * 1. Changes of balances, slots and deployment indexes cost no gas beyond that of the transaction. Code costs the
 *    gas of a deployment's code, and an impersonated action the gas that it costs its own sender.
 * 2. The result of an impersonation is the result of the transaction.
 *
 * @param input borsh(DevChanges)
 */
export function applyDevChanges(input: Uint8Array, parts: DevChangeParts): ActionEffect {
  const changes = decode(input);
  if ('outcome' in changes) return changes;
  const count = changes.reduce((sum, change) => sum + changesIn(change), 0);
  if (count > MAX_DEV_CHANGES) {
    return invalid(`changes: expected at most ${MAX_DEV_CHANGES}, got ${count}`);
  }
  parts.state.touch(toHex(DEV_CONTROLS_ADDRESS));
  let gas = 0n;
  for (const [index, change] of changes.entries()) {
    if (change.type === 'impersonate') {
      if (index < changes.length - 1) return invalid('an impersonation is not the last change', gas);
      return impersonate(change.value, gas, parts);
    }
    const effect = apply(change, { ...parts, gasLeft: parts.gasLeft - gas });
    gas += effect.gas;
    if (effect.outcome !== 'success') {
      const message = `change ${index} of ${changes.length}: ${effect.message ?? effect.outcome}`;
      return { ...effect, gas, message };
    }
  }
  return { outcome: 'success', gas };
}

function decode(input: Uint8Array): readonly DevChange[] | ActionEffect {
  try {
    return ledger.DevChanges.decode(input).changes;
  } catch (error) {
    if (!(error instanceof BorshError)) throw error;
    return invalid(`the input is not an encoding of DevChanges: ${error.message}`);
  }
}

function apply(
  change: Exclude<DevChange, { readonly type: 'impersonate' }>,
  parts: DevChangeParts,
): ActionEffect {
  const { state } = parts;
  switch (change.type) {
    case 'balance': {
      const { address, amount } = change.value;
      return setBalance(toHex(address), amount, state);
    }
    case 'slots':
      return setSlots(change.value, state);
    case 'contract':
      return setContract(change.value, parts);
    case 'no_contract': {
      const name = toHex(change.value);
      state.touch(name);
      if (state.contract(name) !== undefined) state.removeContract(name);
      return DONE;
    }
    case 'deploy_index': {
      const { address, deploy_index } = change.value;
      if (deploy_index > MAX_DEPLOY_INDEX) {
        return invalid(`deployment index: expected at most ${MAX_DEPLOY_INDEX}, got ${deploy_index}`);
      }
      const name = toHex(address);
      if (state.deployIndex(name) !== deploy_index) state.writeDeployIndex(name, deploy_index);
      return DONE;
    }
    case 'forked_account':
      return copyAccount(change.value, parts);
    case 'forked_slots': {
      const effect = setSlots(change.value, state);
      if (effect.outcome === 'success') markSlots(change.value, parts);
      return effect;
    }
  }
}

const DONE: ActionEffect = { outcome: 'success', gas: 0n };

function setBalance(name: string, amount: bigint, state: WorldState): ActionEffect {
  if (amount > MAX_DEV_BALANCE) {
    return invalid(`balance: expected at most ${MAX_DEV_BALANCE}, got ${amount}`);
  }
  const before = state.balance(name);
  if (amount !== before) state.addBalance(name, amount - before);
  return DONE;
}

function setSlots({ contract, slots }: DevSlots, state: WorldState): ActionEffect {
  state.touch(toHex(contract));
  for (const { slot, value } of slots) {
    if (value !== undefined && value.length > MAX_SLOT_VALUE_BYTES) {
      return invalid(`slot value: expected at most ${MAX_SLOT_VALUE_BYTES} bytes, got ${value.length}`);
    }
    if (value === undefined) state.removeSlot(contract, slot);
    else state.replaceSlot(contract, slot, value);
  }
  return DONE;
}

function setContract(
  { address, vm, code, idl, ...rest }: DevContract,
  { state, machine, gasLeft }: DevChangeParts,
): ActionEffect {
  if (machine.engines.find(vm.type) === undefined) {
    return invalid(`vm ${vm.type}: this chain has no such engine yet`);
  }
  const given = { vm, code, ...(idl === undefined ? {} : { idl }) };
  const made = admitCode(given, { state, machine }, gasLeft, 'returned');
  if ('outcome' in made) return made;
  const { admitted, idlHash, gas } = made;
  const name = toHex(address);
  state.touch(name);
  // Records the dependence on the contract that was there.
  state.contract(name);
  const { abi_version, upgrade_policy, deployer, deployed_at, pending_upgrade } = rest;
  state.writeContract(name, {
    vm,
    code_hash: admitted.hash,
    code_size: code.length,
    ...(idlHash === undefined ? {} : { idl_hash: idlHash }),
    abi_version,
    upgrade_policy,
    deployer,
    deployed_at,
    ...(pending_upgrade === undefined ? {} : { pending_upgrade }),
  });
  return { outcome: 'success', gas };
}

function impersonate(
  { sender, action }: DevImpersonation,
  gasBefore: bigint,
  { perform, gasLeft }: DevChangeParts,
): ActionEffect {
  const effect = perform(action, sender, gasLeft - gasBefore);
  return effect.outcome === 'out_of_gas' ? effect : { ...effect, gas: gasBefore + effect.gas };
}
