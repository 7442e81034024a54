import type { ApprovedChange, BlockItem, Complaint, Dealing, SealKey } from '../generated/ledger.js';
import { ledger } from '../ledger/codecs.js';

/** Items of a block that no sender pays for. */
export interface ProtocolItems {
  /** Keys of the heights whose envelopes the block opens, ascending; the first items of the block. */
  readonly keys: readonly SealKey[];
  /** Placed after the transactions. */
  readonly dealings: readonly Dealing[];
  readonly changes: readonly ApprovedChange[];
  readonly complaints: readonly Complaint[];
}

export const NO_PROTOCOL_ITEMS: ProtocolItems = { keys: [], dealings: [], changes: [], complaints: [] };

/** borsh(BlockItem) of the items before and after a block's transactions. */
export function encodeProtocolItems({ keys, dealings, changes, complaints }: ProtocolItems): {
  readonly before: readonly Uint8Array[];
  readonly after: readonly Uint8Array[];
} {
  return {
    before: keys.map((value) => encode({ type: 'seal_key', value })),
    after: [
      ...dealings.map((value) => encode({ type: 'dealing', value })),
      ...changes.map((value) => encode({ type: 'change', value })),
      ...complaints.map((value) => encode({ type: 'complaint', value })),
    ],
  };
}

/** Total size as borsh(BlockItem), in bytes. */
export function protocolItemBytes(protocolItems: ProtocolItems): number {
  const { before, after } = encodeProtocolItems(protocolItems);
  return [...before, ...after].reduce((sum, { length }) => sum + length, 0);
}

function encode(item: BlockItem): Uint8Array {
  return ledger.BlockItem.encode(item);
}
