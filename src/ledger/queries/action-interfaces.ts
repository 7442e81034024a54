import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import type { ContractInterfaces } from '../contract-interfaces.js';
import type { ReceiptDetails } from '../stored-receipt.js';
import type { CandidateAction } from '../transaction-envelope.js';

/**
 * Interfaces that may declare the error of a revert with some data at a height: those of the raising contract and of
 * the contracts that the action calls. For a deployment or upgrade, the interface it carries.
 */
export function interfacesOf(
  action: CandidateAction,
  { raisedBy }: ReceiptDetails,
  data: Uint8Array,
  height: bigint,
  interfaces: ContractInterfaces,
): readonly ContractAbi[] {
  const abiOf = (contract: Uint8Array) => interfaces.declaring(contract, height, data);
  const raiser = raisedBy === undefined ? [] : known(abiOf(raisedBy));
  return [...raiser, ...addressedInterfaces(action, abiOf, (idl) => interfaces.included(idl))];
}

/** Interfaces of the contracts an action calls; for a deployment or upgrade, the one it carries, compiled. */
export function addressedInterfaces(
  action: CandidateAction,
  abiOf: (contract: Uint8Array) => ContractAbi | undefined,
  compile: (idl: string) => ContractAbi | undefined,
): readonly ContractAbi[] {
  switch (action.type) {
    case 'transfer':
    case 'sealed':
      return [];
    case 'call':
      return known(abiOf(action.value.contract));
    case 'batch':
      return [...new Set(action.value.flatMap(({ contract }) => known(abiOf(contract))))];
    case 'deploy':
    case 'upgrade':
      return action.value.idl === undefined ? [] : known(compile(action.value.idl));
  }
}

export function known(abi: ContractAbi | undefined): readonly ContractAbi[] {
  return abi === undefined ? [] : [abi];
}
