import { formatHash } from '../../client/client.js';
import { CliError } from '../cli-error.js';

/** @param oldest the lowest height with transactions that the node knows; undefined if it knows all */
export function unknownTransaction(tx: Uint8Array, oldest: bigint | undefined): CliError {
  const since = oldest === undefined ? '' : `; this node knows the blocks from ${oldest} on`;
  return new CliError(
    `there is no transaction ${formatHash(tx)}, neither in a block nor in the pool${since}`,
  );
}
