import type { ContractRecord, PendingUpgrade, Upgrade } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import type { BlockEnvironment } from '../block-environment.js';
import type { ContractHost } from '../contract-host.js';
import type { ContractMachine } from '../contract-machine.js';
import type { WorldState } from '../world-state.js';
import { type ActionEffect, effectOfCall, invalid } from './action-effect.js';
import { noContract } from './call.js';
import { type AdmittedCode, admitCode } from './deploy.js';

/*
 * 1. `immutable`: never. `admin`: that account's upgrade takes effect at once.
 * 2. `timelock`: the admin's first upgrade announces the code; it is ready `delay` blocks later. The same upgrade sent
 *    again from then on takes effect; another one announces anew in its place.
 * 3. Where it takes effect, the new code's `migrate` runs, if there is one, with the upgrade's input.
 */

const MAX_HEIGHT = (1n << 64n) - 1n;

/** Announces or applies an upgrade, as the contract's policy says. */
export function applyUpgrade(
  upgrade: Upgrade,
  sender: Uint8Array,
  machine: ContractMachine,
  host: ContractHost,
  state: WorldState,
  env: BlockEnvironment,
  gasLeft: bigint,
): ActionEffect {
  const name = toHex(upgrade.contract);
  const contract = state.contract(name);
  if (contract === undefined) return noContract(upgrade.contract);
  const admin = adminOf(contract);
  if (admin === undefined) return invalid('the contract is immutable');
  if (Buffer.compare(admin, sender) !== 0) return invalid(`only 0x${toHex(admin)} may upgrade the contract`);
  const code = admitCode(upgrade, state, machine, gasLeft);
  if ('outcome' in code) return code;
  const { gas } = code;
  const hasMigrate = code.entryPoints.includes('migrate');
  if (!hasMigrate && upgrade.input.length > 0) {
    return invalid('the upgrade carries input, but the module exports no migrate', gas);
  }
  state.touch(name);

  if (contract.upgrade_policy.type === 'timelock') {
    const { pending_upgrade: pending } = contract;
    if (pending === undefined || !isSame(pending, code, upgrade.abi_version)) {
      const readyAt = atMostU64(env.height + contract.upgrade_policy.value.delay);
      return announce(name, contract, code, upgrade.abi_version, readyAt, state, gas);
    }
    if (env.height < pending.ready_at) {
      return invalid(`the upgrade is announced; it may be applied from height ${pending.ready_at} on`, gas);
    }
  }
  const { pending_upgrade: _, idl_hash: __, ...kept } = contract;
  write(name, state, {
    ...kept,
    code_hash: code.hash,
    code_size: upgrade.code.length,
    ...(code.idlHash === undefined ? {} : { idl_hash: code.idlHash }),
    abi_version: upgrade.abi_version,
  });
  if (!hasMigrate) return { outcome: 'success', gas };
  host.warm(code.hash, code.machineCode);
  const call = host.enter({
    entry: 'migrate',
    contract: upgrade.contract,
    caller: sender,
    origin: sender,
    value: 0n,
    input: upgrade.input,
    gas: gasLeft - gas,
    isView: false,
    depth: 0,
  });
  return effectOfCall(call, gas);
}

/** A delay may lead beyond the last height that there can be. */
function atMostU64(height: bigint): bigint {
  return height > MAX_HEIGHT ? MAX_HEIGHT : height;
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

function announce(
  name: string,
  contract: ContractRecord,
  code: AdmittedCode,
  abiVersion: number,
  readyAt: bigint,
  state: WorldState,
  gas: bigint,
): ActionEffect {
  const pending: PendingUpgrade = {
    code_hash: code.hash,
    ...(code.idlHash === undefined ? {} : { idl_hash: code.idlHash }),
    abi_version: abiVersion,
    ready_at: readyAt,
  };
  write(name, state, { ...contract, pending_upgrade: pending });
  return { outcome: 'success', gas };
}

function isSame(pending: PendingUpgrade, code: AdmittedCode, abiVersion: number): boolean {
  const idl = (hash: Uint8Array | undefined) => (hash === undefined ? '' : toHex(hash));
  return (
    Buffer.compare(pending.code_hash, code.hash) === 0 &&
    idl(pending.idl_hash) === idl(code.idlHash) &&
    pending.abi_version === abiVersion
  );
}

function write(name: string, state: WorldState, contract: ContractRecord): void {
  state.writeContract(name, contract);
}
