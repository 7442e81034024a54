import type { Hashes } from '../../crypto/crypto.js';
import { toHex } from '../../idl/hex.js';
import type { StoredChunk } from '../../ledger/checkpoint-store.js';
import { ledger } from '../../ledger/codecs.js';
import { latin1 } from '../../storage/latin1.js';
import { readAt } from '../../storage/state.js';
import { scanStateAt } from '../../storage/state-scan.js';
import type { StoreReader } from '../../storage/store.js';
import { listRootOfLeaves } from '../list-root.js';
import { chunkHash } from './chunk-hash.js';
import {
  type BlobRef,
  contractKeys,
  decodeContractValue,
  entryBytes,
  type IsContract,
  MAX_CHUNK_BYTES,
  referencedBlobs,
} from './chunk-rule.js';
import {
  isInSubtree,
  KEY_BITS,
  keyBit,
  proveSubtrees,
  type StateEntry,
  type SubtreePosition,
  type SubtreeRoot,
  subtreeEnd,
  subtreeRoot,
} from './subtree.js';

/** Inputs of a cut, all at the same height. */
export interface CutSources {
  readonly hashes: Hashes;
  /** All entries of the state, ascending by key. */
  readonly entries: Iterable<readonly [key: Uint8Array, value: Uint8Array]>;
  readonly isContract: IsContract;
  /** The blob that a contract's record names; undefined if it is missing. */
  readonly blob: (name: BlobRef) => Uint8Array | undefined;
}

/** The inputs for cutting a store's state at a committed height. */
export function stateAt(store: StoreReader, hashes: Hashes, height: bigint): CutSources {
  return {
    hashes,
    entries: scanStateAt(store, height),
    isContract: contractKeys(hashes, (key) => {
      const value = readAt(store, key, height);
      return value === undefined ? undefined : ledger.AccountRecord.decode(value);
    }),
    blob: ({ kind, hash }) => store.get(kind, hash),
  };
}

export interface CutChunk extends SubtreeRoot {
  readonly entries: readonly StateEntry[];
  readonly blobs: readonly { readonly name: BlobRef; readonly bytes: Uint8Array }[];
  /** Weight of entries and blobs by the chunk rule. */
  readonly bytes: number;
  /** chunk_hash, 32 bytes. */
  readonly hash: Uint8Array;
}

/** Thrown when a contract's record names a blob that the store does not have. */
export class MissingBlobError extends Error {
  override readonly name = 'MissingBlobError';
}

interface WeighedEntry extends StateEntry {
  readonly weight: number;
  readonly blobs: CutChunk['blobs'];
}

/** Cuts a state into chunks (chunk-rule.ts), with at most two chunks' entries in memory. @throws MissingBlobError */
export function* cutState(sources: CutSources): IterableIterator<CutChunk> {
  const entries = weighed(sources);
  let buffer: WeighedEntry[] = [];
  let bufferBytes = 0;
  let ended = false;
  // First prefix after the previous chunk's subtree; undefined at the end.
  let start: Uint8Array | undefined = new Uint8Array(32);
  let empty = true;
  while (start !== undefined) {
    // The next chunk is the largest subtree at `start` within the weight limit, so buffering slightly more than the
    // limit is enough.
    while (!ended && (bufferBytes <= MAX_CHUNK_BYTES || buffer.length < 2)) {
      const next = entries.next();
      if (next.done === true) {
        ended = true;
      } else {
        buffer.push(next.value);
        bufferBytes += next.value.weight;
      }
    }
    if (buffer.length === 0 && !empty) return;
    const { place, count } = largestChunk(start, buffer);
    // An empty half is not a chunk; an empty state has one chunk.
    if (count > 0 || place.depth === 0) {
      const taken = buffer.slice(0, count);
      buffer = buffer.slice(count);
      for (const { weight } of taken) bufferBytes -= weight;
      yield finishChunk(sources.hashes, place, taken);
      empty = false;
    }
    start = subtreeEnd(place);
  }
}

/**
 * The largest subtree that starts at a prefix and may be a chunk. If the buffer exceeds the weight limit, any subtree
 * that extends beyond the buffer is too heavy.
 */
function largestChunk(
  start: Uint8Array,
  buffer: readonly WeighedEntry[],
): { readonly place: SubtreePosition; readonly count: number } {
  let minDepth = KEY_BITS;
  while (minDepth > 0 && keyBit(start, minDepth - 1) === 0) minDepth--;
  // Tries subtrees from the largest down; the first one within the limit is the result.
  for (let depth = minDepth; ; depth++) {
    const place = { prefix: start, depth };
    let count = 0;
    let bytes = 0;
    while (count < buffer.length && isInSubtree((buffer[count] as WeighedEntry).key, place)) {
      bytes += (buffer[count] as WeighedEntry).weight;
      count++;
      if (bytes > MAX_CHUNK_BYTES && count > 1) break;
    }
    if (bytes <= MAX_CHUNK_BYTES || count === 1) return { place, count };
  }
}

function finishChunk(hashes: Hashes, place: SubtreePosition, taken: readonly WeighedEntry[]): CutChunk {
  const entries = taken.map(({ key, value }) => ({ key, value }));
  const blobs = taken.flatMap((entry) => entry.blobs);
  return {
    ...place,
    entries,
    blobs,
    bytes: taken.reduce((sum, { weight }) => sum + weight, 0),
    root: subtreeRoot(hashes, entries, place.depth),
    hash: chunkHash(hashes, { ...place, entries, blobs: blobs.map(({ bytes }) => bytes) }),
  };
}

const NO_BLOBS: CutChunk['blobs'] = [];

function* weighed({ entries, isContract, blob }: CutSources): Generator<WeighedEntry, undefined> {
  const brought = new Set<string>();
  for (const [key, value] of entries) {
    let weight = entryBytes(value);
    const contract = decodeContractValue(value);
    if (contract === undefined || !isContract(key, contract)) {
      yield { key, value, weight, blobs: NO_BLOBS };
      continue;
    }
    const blobs: { name: BlobRef; bytes: Uint8Array }[] = [];
    for (const name of referencedBlobs(contract)) {
      if (brought.has(latin1(name.hash))) continue;
      brought.add(latin1(name.hash));
      const bytes = blob(name);
      if (bytes === undefined) {
        const what = `${name.kind} ${toHex(name.hash)}`;
        throw new MissingBlobError(`a contract names ${what}, which the store does not have`);
      }
      blobs.push({ name, bytes });
      weight += bytes.length;
    }
    yield { key, value, weight, blobs };
  }
  return undefined;
}

export interface CutState {
  /** State root that all chunk proofs lead to, 32 bytes. */
  readonly stateRoot: Uint8Array;
  readonly entries: bigint;
  readonly bytes: bigint;
  /** The list root over the chunk hashes, 32 bytes. */
  readonly chunksRoot: Uint8Array;
  readonly chunks: readonly StoredChunk[];
}

export interface ChunkSummary extends Omit<CutChunk, 'entries' | 'blobs'> {
  readonly entries: number;
  readonly blobs: readonly BlobRef[];
}

/** Summarizes chunks, given left to right. */
export function summarizeChunks(hashes: Hashes, chunks: readonly ChunkSummary[]): CutState {
  const { root, proofs } = proveSubtrees(hashes, chunks);
  const chunkHashes = chunks.map(({ hash }) => hash);
  return {
    stateRoot: root,
    entries: BigInt(chunks.reduce((sum, { entries }) => sum + entries, 0)),
    bytes: BigInt(chunks.reduce((sum, { bytes }) => sum + bytes, 0)),
    chunksRoot: chunksRoot(hashes, chunkHashes),
    chunks: proofs.map((proof, index) => ({
      proof,
      hash: chunks[index]?.hash ?? new Uint8Array(32),
      blobs: chunks[index]?.blobs ?? [],
    })),
  };
}

export function chunksRoot(hashes: Hashes, chunkHashes: readonly Uint8Array[]): Uint8Array {
  return listRootOfLeaves(hashes, Buffer.concat(chunkHashes), chunkHashes.length);
}
