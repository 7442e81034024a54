import { contractAddress } from '../../crypto/address.js';
import type { ContractRecord, Deploy } from '../../generated/ledger.js';
import { toHex } from '../../idl/hex.js';
import { MAX_IDL_BYTES } from '../../ledger/constants.js';
import { codeGas } from '../../ledger/gas.js';
import { CodeRefused } from '../../vm/errors.js';
import type { BlockEnvironment } from '../block-environment.js';
import { type ContractHost, moveBalance } from '../contract-host.js';
import type { ContractMachine } from '../contract-machine.js';
import type { WorldState } from '../world-state.js';
import { type ActionEffect, effectOfCall, invalid, OUT_OF_GAS } from './action-effect.js';
import { notEnough } from './transfer.js';

/** Puts a contract on the chain and runs its `init`. */
export function applyDeploy(
  deploy: Deploy,
  sender: Uint8Array,
  machine: ContractMachine,
  host: ContractHost,
  state: WorldState,
  env: BlockEnvironment,
  gasLeft: bigint,
): ActionEffect {
  if (deploy.vm.type !== 'wasm') return invalid(`vm ${deploy.vm.type}: this chain has no such engine yet`);
  const code = admitCode(deploy, state, machine, gasLeft);
  if ('outcome' in code) return code;
  const { gas } = code;
  const hasInit = code.entryPoints.includes('init');
  if (!hasInit && (deploy.input.length > 0 || deploy.value > 0n)) {
    return invalid('the deployment carries input or value, but the module exports no init', gas);
  }

  const deployer = toHex(sender);
  const deployIndex = state.deployIndex(deployer);
  const contract = contractAddress(machine.crypto, sender, deployIndex);
  const name = toHex(contract);
  const record: ContractRecord = {
    vm: deploy.vm,
    code_hash: code.hash,
    code_size: deploy.code.length,
    ...(code.idlHash === undefined ? {} : { idl_hash: code.idlHash }),
    abi_version: deploy.abi_version,
    upgrade_policy: deploy.upgrade_policy,
    deployer: sender,
    deployed_at: env.height,
  };
  state.writeDeployIndex(deployer, deployIndex + 1n);
  state.writeContract(name, record);
  state.touch(name);
  if (!hasInit) return { outcome: 'success', gas, contract };

  if (!moveBalance(state, deployer, name, deploy.value)) {
    return { ...notEnough(deploy.value, state.balance(deployer)), gas };
  }
  host.warm(code.hash, code.machineCode);
  const call = host.enter({
    entry: 'init',
    contract,
    caller: sender,
    origin: sender,
    value: deploy.value,
    input: deploy.input,
    gas: gasLeft - gas,
    isView: false,
    depth: 0,
  });
  const effect = effectOfCall(call, gas);
  return effect.outcome === 'success' ? { ...effect, contract } : effect;
}

/** Code that the engine takes, now stored with its interface text. */
export interface AdmittedCode {
  readonly hash: Uint8Array;
  readonly idlHash: Uint8Array | undefined;
  readonly entryPoints: readonly string[];
  /** Bytes of its machine code. */
  readonly machineCode: number;
  /** What all of that cost. */
  readonly gas: bigint;
}

/** Has the engine check code and stores it, or says why it is refused. Each step is paid before it is done. */
export function admitCode(
  { code, idl }: { readonly code: Uint8Array; readonly idl?: string },
  state: WorldState,
  machine: ContractMachine,
  gasLeft: bigint,
): AdmittedCode | ActionEffect {
  const checkGas = codeGas(code);
  if (checkGas > gasLeft) return OUT_OF_GAS;
  const idlBytes = idl === undefined ? undefined : new TextEncoder().encode(idl);
  if (idlBytes !== undefined && idlBytes.length > MAX_IDL_BYTES) {
    return invalid(
      `the interface text has ${idlBytes.length} bytes, at most ${MAX_IDL_BYTES} are allowed`,
      checkGas,
    );
  }
  const admitted = machine.admit(code, gasLeft - checkGas);
  if (admitted instanceof CodeRefused) {
    return invalid(`the module is refused: ${admitted.message}`, checkGas);
  }
  if (!('program' in admitted)) return OUT_OF_GAS;
  const prepared = machine.toKeep(admitted, code);
  state.addCode({ hash: admitted.hash, bytes: code, ...(prepared === undefined ? {} : { prepared }) });
  const idlHash = idlBytes === undefined ? undefined : machine.crypto.sha256(idlBytes);
  if (idlBytes !== undefined && idlHash !== undefined) state.addIdl({ hash: idlHash, bytes: idlBytes });
  const gas = checkGas + admitted.gas;
  const { entryPoints, machineCode } = admitted.program;
  return { hash: admitted.hash, idlHash, entryPoints, machineCode, gas };
}
