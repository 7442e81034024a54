/** The size class of a gas limit: its number of bits. */
export function gasSize(limit: bigint): number {
  return limit < 2n ** 32n ? 32 - Math.clz32(Number(limit)) : limit.toString(2).length;
}

/** The smallest limit of a size class. */
export function minGasOfSize(size: number): bigint {
  return size === 0 ? 0n : 1n << BigInt(size - 1);
}
