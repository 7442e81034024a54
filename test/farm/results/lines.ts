/** An integer that no double holds. */
export const LARGE = '123456789012345678901234567890';

export const BLOCK_HASH = 'ab'.repeat(32);

/** Result lines of calls as workers write them: successes, an error and a reverted call in turn. */
export function callLines(count: number, from = 1): string[] {
  return Array.from({ length: count }, (_, place) => callLine(from + place));
}

export function callLine(line: number): string {
  const head = `{"line":${line},"id":{"n":[${line}, "ü\\n"]},"method":"tx_simulate","height":100,"block_hash":"${BLOCK_HASH}"`;
  switch (line % 3) {
    case 0:
      return `${head},"error":{"code":-32005,"kind":"limit_exceeded","message":"call \\"${line}\\" needs more gas"}}`;
    case 1:
      return `${head},"result":{"status":{"type":"success","value":null},"gas_used":${21_000 + line},"fee":${LARGE}}}`;
    default:
      return `${head},"result":{"status":{"type":"reverted","value":{"data":"0x"}},"gas_used":7,"fee":0}}`;
  }
}

export function traceLine(line: number): string {
  const head = `{"line":${line},"height":7,"index":${line - 1},"tx_hash":"${'cd'.repeat(32)}","block_hash":"${BLOCK_HASH}"`;
  return `${head},"receipt":{"status":{"type":"out_of_gas","value":null},"gas_used":50000},"trace":{"value":${LARGE}}}`;
}
