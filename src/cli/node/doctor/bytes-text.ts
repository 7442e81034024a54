export const MIB = 1_048_576;
export const GIB = 1_024 * MIB;

/** A size in MiB or GiB. */
export function bytesText(bytes: number): string {
  return bytes < GIB
    ? `${Math.floor(bytes / MIB)} MiB`
    : `${(Math.floor((bytes / GIB) * 10) / 10).toFixed(1)} GiB`;
}
