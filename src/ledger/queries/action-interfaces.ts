import type { ContractAbi } from '../../idl/abi/contract-abi.js';
import type { ContractInterfaces } from '../contract-interfaces.js';
import type { ReceiptDetails } from '../stored-receipt.js';
import type { CandidateAction } from '../transaction-envelope.js';

/**
 * Interfaces whose errors a revert may be, as of the end of the block at `height`: those of the raising contract and of
 * the contracts the action calls. For a deployment or upgrade, the interface it carries.
 */
export function interfacesOf(
  action: CandidateAction,
  { raisedBy }: ReceiptDetails,
  height: bigint,
  interfaces: ContractInterfaces,
): readonly ContractAbi[] {
  const raiser = raisedBy === undefined ? [] : known(interfaces.at(raisedBy, height));
  return [...raiser, ...addressed(action, height, interfaces)];
}

function addressed(
  action: CandidateAction,
  height: bigint,
  interfaces: ContractInterfaces,
): readonly ContractAbi[] {
  switch (action.type) {
    case 'transfer':
    case 'sealed':
      return [];
    case 'call':
      return known(interfaces.at(action.value.contract, height));
    case 'batch':
      return [...new Set(action.value.flatMap(({ contract }) => known(interfaces.at(contract, height))))];
    case 'deploy':
    case 'upgrade':
      return action.value.idl === undefined ? [] : known(interfaces.lenient(action.value.idl));
  }
}

function known(abi: ContractAbi | undefined): readonly ContractAbi[] {
  return abi === undefined ? [] : [abi];
}
