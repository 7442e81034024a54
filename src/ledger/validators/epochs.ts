/** Blocks of an epoch where the genesis does not say. */
export const DEFAULT_EPOCH_LENGTH = 10_000n;

/** Blocks of the shortest epoch: one half for changes, the other for dealings. */
export const MIN_EPOCH_LENGTH = 2n;

/** The height that an epoch ends with. */
export function lastHeight(epoch: bigint, length: bigint): bigint {
  return (epoch + 1n) * length;
}

/** Whether a block of this height is the last of its epoch. */
export function endsEpoch(height: bigint, length: bigint): boolean {
  return height > 0n && height % length === 0n;
}

/**
 * Whether a block of this height may hold dealings, which it may in the second half of its epoch; in the first half it may hold
 * changes of the validator set. So who the next validators are is settled before anybody deals to them.
 */
export function isDealingHeight(height: bigint, length: bigint): boolean {
  return height > 0n && (height - 1n) % length >= length / 2n;
}
