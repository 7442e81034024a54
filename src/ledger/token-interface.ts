import type { ContractAbi } from '../idl/abi/contract-abi.js';

/** What a listing of tokens needs of a token's interface. */
export interface TokenInterface {
  /** The contract's name, which signatures begin with. */
  readonly name: string;
  /** Topic 0 of `Transfer`, 32 bytes. */
  readonly transferTopic: Uint8Array;
}

/**
 * Recognizes a token of any name by its event `Transfer`, which has an indexed address, an indexed address and a u128 in
 * this order, as in `contracts/token/token.idl`.
 */
export function tokenInterface({ name, events }: ContractAbi): TokenInterface | undefined {
  const transfer = events.get('Transfer');
  if (transfer?.signature !== `${name}.Transfer(address,address,u128)`) return undefined;
  const { fields, indexed, topic } = transfer;
  const isIndexed = indexed.length === 2 && indexed[0] === fields[0] && indexed[1] === fields[1];
  return isIndexed ? { name, transferTopic: topic } : undefined;
}
