import { packByteList } from './byte-lists.js';
import type { MmrNode } from './mmr.js';
import { ProofError } from './proof-error.js';
import type { BlockReply, BlockRequest } from './proof-messages.js';

/** The parts of a block that its roots depend on. */
export interface BlockRootsInput {
  /** Id from `ProofService.newBlockId`; assigned if absent. */
  readonly id?: number;
  /** Id of a pending parent, even if committed since; undefined if the parent is the last committed block. */
  readonly parent?: number | undefined;
  /** Height of the parent plus one; 0 for the genesis block. */
  readonly height: bigint;
  /** Hash of the parent block, 32 bytes; undefined for the genesis block. */
  readonly parentHash: Uint8Array | undefined;
  /** Changed keys (32 bytes each, no duplicates) with their new values; undefined for a deleted key. */
  readonly changes: readonly { readonly key: Uint8Array; readonly value: Uint8Array | undefined }[];
  /** Block items, each as borsh(BlockItem). */
  readonly items: readonly Uint8Array[];
  /** Receipts, each as borsh(LedgerReceipt). */
  readonly receipts: readonly Uint8Array[];
}

/** The roots that a header commits to (32 bytes each), and the MMR nodes to store with the block. */
export interface BlockRoots {
  /** Id of the block in the proof worker until it is committed or dropped. */
  readonly id: number;
  readonly stateRoot: Uint8Array;
  readonly transactionsRoot: Uint8Array;
  readonly receiptsRoot: Uint8Array;
  /** The MMR root over the blocks before this one. */
  readonly historyRoot: Uint8Array;
  /** Nodes to put in column `mmr` under be64(position), in the block's batch. */
  readonly mmrNodes: readonly MmrNode[];
}

/**
 * Encodes a block for the worker, with its bytes packed into transferable buffers.
 *
 * Hot path: runs once per block over all its changes, items and receipts (bench/tree.bench.ts).
 * @throws ProofError `invalid_input`
 */
export function encodeBlock(
  id: number,
  block: BlockRootsInput,
): BlockRequest & Record<'keys' | 'values' | 'items' | 'receipts', Uint8Array<ArrayBuffer>> {
  const { parent, height, parentHash, changes, items, receipts } = block;
  const keys = new Uint8Array(changes.length * 32);
  for (const [index, { key }] of changes.entries()) {
    if (key.length !== 32) {
      throw new ProofError('invalid_input', `state key: expected 32 bytes, got ${key.length}`);
    }
    keys.set(key, index * 32);
  }
  return {
    type: 'block',
    id,
    parent,
    height,
    parentHash,
    keys,
    changeCount: changes.length,
    values: packByteList(changes.map(({ value }) => value)),
    items: packByteList(items),
    itemCount: items.length,
    receipts: packByteList(receipts),
    receiptCount: receipts.length,
  };
}

export function decodeRoots(reply: BlockReply): BlockRoots {
  const { id, roots, mmrPosition, mmrNodes: packed } = reply;
  const mmrNodes: MmrNode[] = [];
  for (let at = 0; at < packed.length; at += 32) {
    mmrNodes.push({ position: mmrPosition + BigInt(at / 32), hash: packed.slice(at, at + 32) });
  }
  return {
    id,
    stateRoot: roots.slice(0, 32),
    transactionsRoot: roots.slice(32, 64),
    receiptsRoot: roots.slice(64, 96),
    historyRoot: roots.slice(96, 128),
    mmrNodes,
  };
}
