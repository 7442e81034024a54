import type { BlockHeader } from '../generated/ledger.js';
import { toHex } from '../idl/hex.js';

/** The rule that a block violates; `verify-block.ts` lists the rules. */
export type BlockRule =
  | 'encoding'
  | 'items'
  | 'seal_keys'
  | 'validators'
  | 'signature'
  | 'inclusion'
  | keyof BlockHeader;

export interface BlockRejection {
  readonly verdict: 'invalid';
  readonly rule: BlockRule;
  /** What differs: a header field, `signature of transaction N`, or `transaction 0x…`. */
  readonly what: string;
  readonly stored: string;
  readonly computed: string;
  /** Receipts of executing the block, in stored encoding; absent if it was not executed. */
  readonly receipts?: readonly Uint8Array[];
}

/** Ends an import: a block known to be final is invalid on this node. */
export class BlockRejectedError extends Error {
  override readonly name = 'BlockRejectedError';

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

/** The first header field that differs from the given expected values. */
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
