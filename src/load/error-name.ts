import { isDecoded } from '../idl/decoded-text.js';
import { isIdentifier } from './name-counts.js';

/**
 * The name of a contract's declared error, such as `InsufficientBalance`.
 * @param status of a receipt or result, from a node
 * @returns undefined unless the status is a revert with an error whose name is a short identifier
 */
export function errorNameOf(status: { readonly type: string; readonly value?: unknown }): string | undefined {
  const { type, value } = status;
  if (type !== 'reverted' || typeof value !== 'object' || value === null || !('error' in value))
    return undefined;
  const { error } = value;
  return isDecoded(error) && isIdentifier(error.name) ? error.name : undefined;
}
