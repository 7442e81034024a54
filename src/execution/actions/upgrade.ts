import { bigMin } from '../../base/big-ints.js';
import { sameBytes } from '../../base/same-bytes.js';
import type { ContractRecord, PendingUpgrade, Upgrade } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { MAX_HEIGHT } from '../../ledger/constants.js';
import { type ActionContext, type ActionEffect, effectOfCall, invalid } from './action-effect.js';
import { noContract } from './call.js';
import { type AdmittedCode, admitCode } from './deploy.js';

/*
 * 1. `immutable` contracts cannot be upgraded. Under `admin`, an upgrade by the admin takes effect at once.
 * 2. Under `timelock`, the admin's first upgrade announces the code, which is ready `delay` blocks later. The same
 *    upgrade takes effect if sent again after that; a different one replaces the announcement.
 * 3. When an upgrade takes effect, the new code's `migrate`, if any, runs with the upgrade's input.
 */

/** Announces or applies an upgrade, according to the contract's policy. */
export function applyUpgrade(
  upgrade: Upgrade,
  { sender, machine, host, state, env, gasLeft, withheldGas = 0n }: ActionContext,
): ActionEffect {
  const name = toHex(upgrade.contract);
  const contract = state.contract(name);
  if (contract === undefined) return noContract(upgrade.contract);
  const admin = adminOf(contract);
  if (admin === undefined) return invalid('the contract is immutable');
  if (!sameBytes(admin, sender)) return invalid(`only 0x${toHex(admin)} may upgrade the contract`);
  const code = admitCode({ ...upgrade, vm: contract.vm }, { state, machine }, gasLeft);
  if ('outcome' in code) return code;
  const { gas, admitted } = code;
  const { onDeploy, onUpgrade } = admitted.program;
  if (onDeploy === 'returns_code') {
    return invalid('the code returns the code of a new contract, so it cannot be an upgrade', gas);
  }
  if (onUpgrade === 'nothing' && upgrade.input.length > 0) {
    return invalid('the upgrade carries input, but the module exports no migrate', gas);
  }
  state.touch(name);

  if (contract.upgrade_policy.type === 'timelock') {
    const { pending_upgrade: pending } = contract;
    if (pending === undefined || !isSame(pending, code, upgrade.abi_version)) {
      // A long delay could exceed u64.
      const readyAt = env.height + contract.upgrade_policy.value.delay;
      const pending_upgrade: PendingUpgrade = {
        code_hash: admitted.hash,
        ...(code.idlHash === undefined ? {} : { idl_hash: code.idlHash }),
        abi_version: upgrade.abi_version,
        ready_at: bigMin(readyAt, MAX_HEIGHT),
      };
      state.writeContract(name, { ...contract, pending_upgrade });
      return { outcome: 'success', gas };
    }
    if (env.height < pending.ready_at) {
      return invalid(`the upgrade is announced; it may be applied from height ${pending.ready_at} on`, gas);
    }
  }
  const { pending_upgrade: _, idl_hash: __, ...kept } = contract;
  state.writeContract(name, {
    ...kept,
    code_hash: admitted.hash,
    code_size: upgrade.code.length,
    ...(code.idlHash === undefined ? {} : { idl_hash: code.idlHash }),
    abi_version: upgrade.abi_version,
  });
  if (onUpgrade === 'nothing') return { outcome: 'success', gas };
  host.noteEntered(admitted);
  const call = host.enter({
    purpose: 'upgrade',
    contract: upgrade.contract,
    caller: sender,
    origin: sender,
    value: 0n,
    input: upgrade.input,
    gas: gasLeft - gas,
    withheldGas,
    isView: false,
    depth: 0,
  });
  return effectOfCall(call, gas);
}

function adminOf({ upgrade_policy: policy }: ContractRecord): Uint8Array | undefined {
  switch (policy.type) {
    case 'immutable':
      return undefined;
    case 'admin':
      return policy.value;
    case 'timelock':
      return policy.value.admin;
  }
}

function isSame(pending: PendingUpgrade, code: AdmittedCode, abiVersion: number): boolean {
  return (
    sameBytes(pending.code_hash, code.admitted.hash) &&
    sameBytes(pending.idl_hash, code.idlHash) &&
    pending.abi_version === abiVersion
  );
}
