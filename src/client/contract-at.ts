import type { InferredContract } from '../idl/inferred/contract-types.js';
import type { AddressLike } from './address-text.js';
import { Contract, type ContractOptions } from './contract.js';
import type { ReadClient } from './read-client.js';
import { TypedContract } from './typed-contract.js';

/** Options of a contract whose interface is given beside them. */
export type TypedContractOptions = Omit<ContractOptions, 'idl'>;

/**
 * Creates a contract for a client that only reads; other clients use `client.contract`.
 * @param idl the contract's interface text. If the compiler knows it, as a constant, the types of functions, events and
 *   errors follow from it.
 *
 * @example
 * const client = connectReadOnly('http://127.0.0.1:9545');
 * const left = await contractAt(client, address).view('balance_of', { owner: bob.address });
 */
export function contractAt(client: ReadClient, address: AddressLike, options?: ContractOptions): Contract;
export function contractAt<const Idl extends string>(
  client: ReadClient,
  address: AddressLike,
  idl: Idl,
  options?: TypedContractOptions,
): TypedContract<InferredContract<Idl>>;
export function contractAt(
  client: ReadClient,
  address: AddressLike,
  idlOrOptions: string | ContractOptions = {},
  options: TypedContractOptions = {},
): Contract | TypedContract<InferredContract<string>> {
  if (typeof idlOrOptions !== 'string') return new Contract(client, address, idlOrOptions);
  return new TypedContract(new Contract(client, address, { ...options, idl: idlOrOptions }));
}
