/** Blocks per epoch unless the genesis sets another length. */
export const DEFAULT_EPOCH_LENGTH = 10_000n;

/** Minimum blocks per epoch: one for changes and one for dealings. */
export const MIN_EPOCH_LENGTH = 2n;

export function lastHeight(epoch: bigint, length: bigint): bigint {
  return (epoch + 1n) * length;
}

/** True if a height is the last of its epoch. */
export function endsEpoch(height: bigint, length: bigint): boolean {
  return height > 0n && height % length === 0n;
}

/**
 * True if a block at this height may hold dealings. Dealings belong to the second half of an epoch and validator set
 * changes to the first, so the next validators are settled before anyone deals to them.
 */
export function isDealingHeight(height: bigint, length: bigint): boolean {
  return height > 0n && (height - 1n) % length >= length / 2n;
}
