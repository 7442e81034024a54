/** What of a block a finality certificate signs. Numbers are u64. */
export interface CertifiedBlock {
  readonly chainId: bigint;
  readonly epoch: bigint;
  readonly view: bigint;
  /** The view of the block's parent; that of the genesis block, which has none, is 0. */
  readonly parentView: bigint;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

const DOMAIN = new TextEncoder().encode('heddle/finalize/1');

/**
 * The message that a finality certificate signs:
 * "heddle/finalize/1" ‖ u64le chain_id ‖ u64le epoch ‖ u64le view ‖ u64le parent_view ‖ block_hash32, 81 bytes.
 */
export function finalizeMessage({ chainId, epoch, view, parentView, hash }: CertifiedBlock): Uint8Array {
  const message = new Uint8Array(DOMAIN.length + 64);
  message.set(DOMAIN);
  const fields = new DataView(message.buffer);
  for (const [index, value] of [chainId, epoch, view, parentView].entries()) {
    fields.setBigUint64(DOMAIN.length + index * 8, value, true);
  }
  message.set(hash, DOMAIN.length + 32);
  return message;
}
