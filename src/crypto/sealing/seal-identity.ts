const DOMAIN = new TextEncoder().encode('heddle/seal/1');

/**
 * The identity that a sealed transaction is encrypted to; the group's BLS signature of it is the height's key:
 * "heddle/seal/1" ‖ u64le chain_id ‖ u64le height, 29 bytes.
 */
export function sealIdentity(chainId: bigint, height: bigint): Uint8Array {
  const identity = new Uint8Array(DOMAIN.length + 16);
  identity.set(DOMAIN);
  const fields = new DataView(identity.buffer);
  fields.setBigUint64(DOMAIN.length, chainId, true);
  fields.setBigUint64(DOMAIN.length + 8, height, true);
  return identity;
}
