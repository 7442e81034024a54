/** The size of a gas limit: how many bits it has. */
export function gasSize(limit: bigint): number {
  return limit < 2n ** 32n ? 32 - Math.clz32(Number(limit)) : limit.toString(2).length;
}

/** The least limit of a size. */
export function minGasOfSize(size: number): bigint {
  return size === 0 ? 0n : 1n << BigInt(size - 1);
}
