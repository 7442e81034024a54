import type { ApprovedChange, BlockItem, Dealing, SealKey } from '../generated/ledger.js';
import { ledger } from '../ledger/codecs.js';

/** The items of a block that no sender pays for. */
export interface ProtocolItems {
  /** Of heights whose envelopes the block opens, ascending: its first items. */
  readonly keys: readonly SealKey[];
  /** Behind the transactions. */
  readonly dealings: readonly Dealing[];
  /** Behind the dealings. */
  readonly changes: readonly ApprovedChange[];
}

export const NO_PROTOCOL_ITEMS: ProtocolItems = { keys: [], dealings: [], changes: [] };

/** borsh(BlockItem) of the items before a block's transactions and behind them. */
export function encodeProtocolItems({ keys, dealings, changes }: ProtocolItems): {
  readonly before: readonly Uint8Array[];
  readonly behind: readonly Uint8Array[];
} {
  return {
    before: keys.map((value) => encode({ type: 'seal_key', value })),
    behind: [
      ...dealings.map((value) => encode({ type: 'dealing', value })),
      ...changes.map((value) => encode({ type: 'change', value })),
    ],
  };
}

/** Bytes of borsh(BlockItem) of all of them together. */
export function protocolItemBytes(carried: ProtocolItems): number {
  const { before, behind } = encodeProtocolItems(carried);
  return [...before, ...behind].reduce((sum, { length }) => sum + length, 0);
}

function encode(item: BlockItem): Uint8Array {
  return ledger.BlockItem.encode(item);
}
