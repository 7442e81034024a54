import { sameBytes } from '../../base/same-bytes.js';
import type { Hashes, Sha256 } from '../../crypto/crypto.js';
import type { SubtreeProof } from '../../generated/node-rpc-v1.js';
import { latin1 } from '../../storage/latin1.js';
import { chunkHash } from './chunk-hash.js';
import { type BlobRef, decodeContractValue, entryBytes, referencedBlobs } from './chunk-rule.js';
import {
  isInSubtree,
  isSubtreePosition,
  rootOfSubtreeProof,
  type StateEntry,
  type SubtreePosition,
  subtreeRoot,
} from './subtree.js';

/** A chunk as transferred, with its proof. */
export interface ProvedChunk {
  readonly proof: SubtreeProof;
  readonly entries: readonly StateEntry[];
  readonly blobs: readonly Uint8Array[];
}

export type ChunkProblem =
  /** The proof or the entries are not in canonical form. */
  | 'malformed'
  /** Entries and proof do not lead to the checkpoint's state root. */
  | 'not_proved'
  /** A blob is not named by any record in the chunk, or occurs twice or out of order. */
  | 'wrong_blob';

/** Why a chunk was refused. */
export interface RefusedChunk {
  readonly problem: ChunkProblem;
  readonly reason: string;
}

/** A blob whose hash a record names. */
export interface FoundBlob {
  readonly hash: Uint8Array;
  readonly bytes: Uint8Array;
  /** Kinds under which the chunk's records name the blob; each kind is a column to store it in. */
  readonly kinds: readonly BlobRef['kind'][];
}

export interface CheckedChunk {
  readonly place: SubtreePosition;
  /** Hash of the subtree, 32 bytes. */
  readonly root: Uint8Array;
  readonly hash: Uint8Array;
  /** Weight of all entries and of the blobs in the chunk (rule 5). */
  readonly bytes: number;
  readonly blobs: readonly FoundBlob[];
  /** Keys of entries that may be contract records; their blobs can be checked only once all chunks have arrived. */
  readonly namingKeys: readonly Uint8Array[];
}

/**
 * Checks under a state root that a chunk is complete, in order, and free of extra entries. A missing blob cannot be
 * detected from the chunk alone, because an earlier chunk may carry it.
 * @param stateRoot 32 bytes
 */
export function checkChunk(
  hashes: Hashes,
  { proof, entries, blobs }: ProvedChunk,
  stateRoot: Uint8Array,
): CheckedChunk | RefusedChunk {
  const place = { prefix: proof.prefix, depth: proof.depth };
  if (!isSubtreePosition(place)) {
    return malformed(`not a position in the tree: depth ${proof.depth}, or bits set beyond it`);
  }
  if (entries.length === 0 && proof.depth > 0) {
    return malformed('no entries in a subtree below the root');
  }
  let last: Uint8Array | undefined;
  let bytes = 0;
  const names: BlobRef[] = [];
  const namingKeys: Uint8Array[] = [];
  for (const [index, { key, value }] of entries.entries()) {
    const ascends = last === undefined || Buffer.compare(last, key) < 0;
    if (key.length !== 32 || !ascends || !isInSubtree(key, place)) {
      return malformed(`entry ${index}: expected ascending 32-byte keys in the chunk's subtree`);
    }
    last = key;
    bytes += entryBytes(value);
    const contract = decodeContractValue(value);
    if (contract === undefined) continue;
    namingKeys.push(key);
    names.push(...referencedBlobs(contract));
  }
  const root = subtreeRoot(hashes, entries, place.depth);
  if (!sameBytes(rootOfSubtreeProof(hashes, proof, root), stateRoot)) {
    return { problem: 'not_proved', reason: 'entries and proof do not lead to the state root' };
  }
  const found = matchBlobs(hashes, names, blobs);
  if (found === undefined) {
    const reason = 'a blob whose sha256 is not named by any record of the chunk, or that is out of order';
    return { problem: 'wrong_blob', reason };
  }
  for (const blob of blobs) bytes += blob.length;
  const hash = chunkHash(hashes, { ...place, entries, blobs });
  return { place, root, hash, bytes, blobs: found, namingKeys };
}

export function malformed(reason: string): RefusedChunk {
  return { problem: 'malformed', reason };
}

/** Finds the kinds under which each blob is named; undefined if a blob is unnamed, repeated or out of order. */
function matchBlobs(
  hashes: Sha256,
  names: readonly BlobRef[],
  blobs: readonly Uint8Array[],
): FoundBlob[] | undefined {
  const kindsByHash = new Map<string, Set<BlobRef['kind']>>();
  for (const { kind, hash } of names) {
    const kinds = kindsByHash.get(latin1(hash));
    if (kinds === undefined) kindsByHash.set(latin1(hash), new Set([kind]));
    else kinds.add(kind);
  }
  const inOrder = [...kindsByHash];
  const found: FoundBlob[] = [];
  let next = 0;
  for (const bytes of blobs) {
    const hash = hashes.sha256(bytes);
    const name = latin1(hash);
    while (next < inOrder.length && inOrder[next]?.[0] !== name) next++;
    const kinds = inOrder[next++]?.[1];
    if (kinds === undefined) return undefined;
    found.push({ hash, bytes, kinds: [...kinds] });
  }
  return found;
}
