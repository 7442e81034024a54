import { contractAddress } from '../../crypto/address.js';
import type { ContractRecord, Deploy, UpgradePolicy, VmType } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { MAX_IDL_BYTES } from '../../ledger/constants.js';
import { codeGas, GAS } from '../../ledger/gas.js';
import type { CodeOrigin, Creation } from '../../vm/engine.js';
import { CodeRefused } from '../../vm/errors.js';
import type { AdmittedProgram } from '../contract-machine.js';
import {
  type ActionContext,
  type ActionEffect,
  type CodeParts,
  type DeploymentParts,
  effectOfCall,
  invalid,
  OUT_OF_GAS,
} from './action-effect.js';
import { notEnough } from './transfer.js';

export interface Deployment
  extends Pick<Creation, 'code' | 'origin' | 'value' | 'input' | 'gas' | 'depth'>,
    Pick<ActionContext, 'withheldGas'> {
  readonly vm: VmType;
  readonly idl?: string;
  readonly abiVersion: number;
  readonly upgradePolicy: UpgradePolicy;
  /** The owner, who also pays the value, 20 bytes. */
  readonly deployer: Uint8Array;
}

export function applyDeploy(
  { vm, code, idl, abi_version, upgrade_policy, value, input }: Deploy,
  { sender, gasLeft, withheldGas = 0n, ...parts }: ActionContext,
): ActionEffect {
  const { state, machine } = parts;
  const deployment: Deployment = {
    vm,
    code,
    ...(idl === undefined ? {} : { idl }),
    abiVersion: abi_version,
    upgradePolicy: upgrade_policy,
    deployer: sender,
    origin: sender,
    value,
    input,
    gas: gasLeft,
    withheldGas,
    depth: 0,
  };
  return deployContract(deployment, parts, () => {
    const name = toHex(sender);
    const index = state.deployIndex(name);
    state.writeDeployIndex(name, index + 1n);
    return contractAddress(machine.crypto, sender, index);
  });
}

/**
 * Deploys a contract in these steps; the caller undoes its writes if it fails.
 *
 * 1. The code's bytes are paid for, the code is checked, and the size of its machine code is paid for.
 * 2. Code with a deploy frame runs with the contract's storage and balance, after the value has been sent.
 * 3. Code that returns other code is not stored, and no contract exists while it runs. The returned code is paid for,
 *    checked and stored instead.
 *
 * @param place returns the contract's address, 20 bytes; called once the code is known to be valid
 */
export function deployContract(
  deployment: Deployment,
  parts: DeploymentParts,
  place: () => Uint8Array,
): ActionEffect {
  const { vm, deployer, origin, value, input, depth, withheldGas = 0n } = deployment;
  const { state, machine, host } = parts;
  if (machine.engines.find(vm.type) === undefined) {
    return invalid(`vm ${vm.type}: this chain has no such engine yet`);
  }
  const code = admitCode(deployment, parts, deployment.gas);
  if ('outcome' in code) return code;
  const { gas, admitted } = code;
  const { onDeploy } = admitted.program;
  if (onDeploy === 'nothing' && (input.length > 0 || value > 0n)) {
    return invalid('the deployment carries input or value, but the module exports no init', gas);
  }

  const contract = place();
  const name = toHex(contract);
  if (onDeploy !== 'returns_code') {
    const stored = { ...code, hash: admitted.hash, size: deployment.code.length };
    state.writeContract(name, recordOf(deployment, parts, stored));
  }
  state.touch(name);
  if (onDeploy === 'nothing') return { outcome: 'success', gas, contract };

  const payer = toHex(deployer);
  if (!state.moveBalance(payer, name, value)) return { ...notEnough(value, state.balance(payer)), gas };
  host.noteEntered(admitted);
  const frame = {
    purpose: 'deploy',
    contract,
    caller: deployer,
    origin,
    value,
    input,
    gas: deployment.gas - gas,
    withheldGas,
    isView: false,
    depth,
  } as const;
  const call = onDeploy === 'runs' ? host.enter(frame) : host.enterCode(admitted, deployment.code, frame);
  const effect = effectOfCall(call, gas);
  if (effect.outcome !== 'success') return effect;
  if (onDeploy === 'runs') return { ...effect, contract };
  return storeReturned(deployment, parts, contract, call.output, { ...code, gas: effect.gas });
}

function storeReturned(
  deployment: Deployment,
  parts: DeploymentParts,
  contract: Uint8Array,
  code: Uint8Array,
  { idlHash, gas: gasBefore }: AdmittedCode,
): ActionEffect {
  const { state, machine, host } = parts;
  const gas = gasBefore + GAS.code_byte * BigInt(code.length);
  if (gas > deployment.gas) return OUT_OF_GAS;
  const vm = deployment.vm.type;
  const admitted = machine.admit({ vm, code, origin: 'returned' }, deployment.gas - gas);
  if (admitted instanceof CodeRefused) {
    return invalid(`the code that the deployment returned is refused: ${admitted.message}`, gas);
  }
  if (!('program' in admitted)) return OUT_OF_GAS;
  storeCode(admitted, code, parts);
  host.noteEntered(admitted);
  const stored = { idlHash, hash: admitted.hash, size: code.length };
  state.writeContract(toHex(contract), recordOf(deployment, parts, stored));
  return { outcome: 'success', gas: gas + admitted.gas, contract };
}

function recordOf(
  { vm, abiVersion, upgradePolicy, deployer }: Deployment,
  { env }: DeploymentParts,
  code: { readonly hash: Uint8Array; readonly size: number; readonly idlHash: Uint8Array | undefined },
): ContractRecord {
  return {
    vm,
    code_hash: code.hash,
    code_size: code.size,
    ...(code.idlHash === undefined ? {} : { idl_hash: code.idlHash }),
    abi_version: abiVersion,
    upgrade_policy: upgradePolicy,
    deployer,
    deployed_at: env.height,
  };
}

/** Code that its engine accepted; stored unless it returns other code. */
export interface AdmittedCode {
  readonly admitted: AdmittedProgram;
  readonly idlHash: Uint8Array | undefined;
  readonly gas: bigint;
}

/**
 * Has the engine check code, each step paid for before it is done; stores it unless it returns other code.
 */
export function admitCode(
  { vm, code, idl }: Pick<Deployment, 'vm' | 'code' | 'idl'>,
  { state, machine }: CodeParts,
  gasLeft: bigint,
  origin: CodeOrigin = 'given',
): AdmittedCode | ActionEffect {
  const checkGas = codeGas({ code, ...(idl === undefined ? {} : { idl }) });
  if (checkGas > gasLeft) return OUT_OF_GAS;
  const idlBytes = idl === undefined ? undefined : new TextEncoder().encode(idl);
  if (idlBytes !== undefined && idlBytes.length > MAX_IDL_BYTES) {
    const message = `interface text: expected at most ${MAX_IDL_BYTES} bytes, got ${idlBytes.length}`;
    return invalid(message, checkGas);
  }
  const admitted = machine.admit({ vm: vm.type, code, origin }, gasLeft - checkGas);
  if (admitted instanceof CodeRefused) return invalid(`the module is refused: ${admitted.message}`, checkGas);
  if (!('program' in admitted)) return OUT_OF_GAS;
  if (admitted.program.onDeploy !== 'returns_code') storeCode(admitted, code, { state, machine });
  const idlHash = idlBytes === undefined ? undefined : machine.crypto.sha256(idlBytes);
  if (idlBytes !== undefined && idlHash !== undefined) state.addIdl({ hash: idlHash, bytes: idlBytes });
  return { admitted, idlHash, gas: checkGas + admitted.gas };
}

function storeCode(admitted: AdmittedProgram, code: Uint8Array, { state, machine }: CodeParts): void {
  const prepared = machine.preparedToStore(admitted, code);
  state.addCode({ hash: admitted.hash, bytes: code, ...(prepared === undefined ? {} : { prepared }) });
}
