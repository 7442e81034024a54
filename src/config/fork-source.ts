/** The chain that a fork starts from. */
export interface ForkSource {
  /** A node of the chain. */
  readonly url: string;
  /** The block whose state is forked; the newest if absent. */
  readonly height: bigint | undefined;
}

/** Splits a value of `--fork`, `URL` or `URL@HEIGHT`. */
export function parseFork(value: string): ForkSource {
  const match = /^(.*)@(\d{1,19})$/.exec(value);
  return match === null
    ? { url: value, height: undefined }
    : { url: match[1] ?? value, height: BigInt(match[2] ?? 0) };
}
