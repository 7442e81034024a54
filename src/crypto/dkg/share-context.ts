import type { BlsKeys, Sha256 } from '../crypto.js';
import type { RandomBytes } from '../scalars/scalars.js';

/** The dealing and player of a sealed share, bound into its mask and into all proofs about it. */
export interface ShareContext {
  readonly chainId: bigint;
  /** Epoch of the dealing; 0 in the ceremony. */
  readonly epoch: bigint;
  readonly dealer: number;
  readonly player: number;
}

/** u64le chain_id ‖ u64le epoch ‖ u32le dealer ‖ u32le player: 24 bytes. */
export function encodeShareContext({ chainId, epoch, dealer, player }: ShareContext): Uint8Array {
  const bytes = new Uint8Array(24);
  const fields = new DataView(bytes.buffer);
  fields.setBigUint64(0, chainId, true);
  fields.setBigUint64(8, epoch, true);
  fields.setUint32(16, dealer, true);
  fields.setUint32(20, player, true);
  return bytes;
}

/** What dealers and players need to make shares and proofs. */
export interface DkgParts {
  readonly crypto: Sha256;
  readonly bls: BlsKeys;
  readonly random: RandomBytes;
}
