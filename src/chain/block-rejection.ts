import type { BlockHeader } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';

/** What a block is refused by; the rules are above `verify-block.ts`. */
export type BlockRule =
  | 'encoding'
  | 'items'
  | 'seal_keys'
  | 'validators'
  | 'signature'
  | 'inclusion'
  | Exclude<keyof BlockHeader, 'height' | 'view'>
  | 'height'
  | 'view';

/** Why a block is invalid. */
export interface BlockRejection {
  readonly verdict: 'invalid';
  readonly rule: BlockRule;
  /** What differs: a member of the header, `signature of transaction N`, or `transaction 0x…`. */
  readonly what: string;
  /** What the block has there. */
  readonly stored: string;
  /** What it should be. */
  readonly computed: string;
  /** The receipts as executing the block gives them, encoded as they are stored, where it came to that. */
  readonly receipts?: readonly Uint8Array[];
}

/** The end of taking over blocks: one that is final by others' word is not valid here. */
export class BlockRejectedError extends Error {
  override readonly name = 'BlockRefusedError';

  constructor(
    readonly height: bigint,
    readonly rejection: BlockRejection,
  ) {
    super(`block ${height}: ${rejection.what} is ${rejection.stored}, not ${rejection.computed}`);
  }
}

export function rejection(rule: BlockRule, what: string, stored: string, computed: string): BlockRejection {
  return { verdict: 'invalid', rule, what, stored, computed };
}

/** The first member of a header that is not what it should be, of those given. */
export function headerDifference(
  header: BlockHeader,
  expected: Partial<BlockHeader>,
): BlockRejection | undefined {
  for (const member of Object.keys(expected) as (keyof BlockHeader)[]) {
    const value = expected[member];
    if (value === undefined) continue;
    const [stored, computed] = [text(header[member]), text(value)];
    if (stored !== computed) return rejection(member, member, stored, computed);
  }
  return undefined;
}

function text(value: BlockHeader[keyof BlockHeader]): string {
  return value instanceof Uint8Array ? toHex(value) : String(value);
}
