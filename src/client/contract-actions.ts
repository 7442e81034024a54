import type { Action } from '../generated/ledger.js';
import type { ActionLike } from './action-bytes.js';
import { type AddressLike, addressBytes } from './address-text.js';
import { ClientError } from './client-error.js';
import { type ContractArguments, encodeCall, parseInterface } from './contract-interface.js';
import type { DeployOptions } from './send-options.js';

/**
 * The action of a deployment, for `sender.simulate` and `sender.send`; `sender.deploy` does both.
 * @throws ClientError `bad_argument`, `bad_interface`
 *
 * @example
 * const owner = alice.signer.address;
 * const init = { name: 'Thread', symbol: 'THR', decimals: 2, supply: 1_000_000n, owner, minter: owner };
 * const { gas_estimate, contract } = await alice.simulate(deployAction({ code, idl, init }));
 */
export function deployAction(
  options: Pick<DeployOptions, 'code' | 'idl' | 'init' | 'value' | 'policy' | 'abiVersion'>,
): ActionLike {
  const { code, idl, init, value = 0n, policy = { type: 'immutable' }, abiVersion = 1 } = options;
  return {
    type: 'deploy',
    value: {
      vm: { type: 'wasm' },
      code,
      ...(idl !== undefined && { idl }),
      abi_version: abiVersion,
      upgrade_policy: policy,
      input: entryInput('init', idl, init),
      value,
    },
  };
}

/** New code for a contract. */
export interface NewCode {
  /** A WebAssembly module that follows the host interface. */
  readonly code: Uint8Array;
  /** The new interface text. */
  readonly idl?: string;
  /** Default 1. */
  readonly abiVersion?: number;
  /** Arguments of the new interface's `migrate`. */
  readonly migrate?: ContractArguments;
}

/**
 * The action of an upgrade, for `sender.simulate` and `sender.send`; `contract.upgrade` does both.
 * @throws ClientError `bad_argument`, `bad_interface`
 *
 * @example
 * const { status } = await alice.simulate(upgradeAction(token.address, { code, idl }));
 */
export function upgradeAction(
  contract: AddressLike,
  { code, idl, abiVersion = 1, migrate }: NewCode,
): Action {
  return {
    type: 'upgrade',
    value: {
      contract: addressBytes(contract, 'contract'),
      code,
      ...(idl !== undefined && { idl }),
      abi_version: abiVersion,
      input: entryInput('migrate', idl, migrate),
    },
  };
}

/** Encodes the input of `init` or `migrate`; empty if the interface does not declare that function. */
function entryInput(
  entry: 'init' | 'migrate',
  idl: string | undefined,
  args: ContractArguments | undefined,
): Uint8Array {
  const abi = idl === undefined ? undefined : parseInterface(idl);
  if (abi?.functions.has(entry) === true) return encodeCall(abi, entry, args);
  if (args === undefined) return new Uint8Array(0);
  const why = abi === undefined ? 'no interface is given' : `${abi.name} has no ${entry}`;
  throw new ClientError('bad_argument', `arguments of ${entry}: ${why}`);
}
