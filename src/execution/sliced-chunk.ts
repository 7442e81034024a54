import type { SnapshotEntry } from '../generated/node-rpc-v1.js';
import { toHex } from '../idl/hex.js';
import { rpcTypes } from '../ledger/rpc-codecs.js';
import { readChunkSlice } from '../proofs/snapshot/stored-chunk.js';
import type { StoreReader } from '../storage/store.js';

/*
 * A worker reads a snapshot chunk in slices, one read each, so that other clients are served in between. The answer
 * to a read is the JSON of the GetSnapshotChunkResult with the entries of the last slice, or
 *
 *   MORE ‖ hex of the next slice's first key ‖ ':' ‖ JSON of the slice's entries, separated by commas
 */

const MORE = '+';
const ENTRIES = '"entries":[';
/** Time after which a slice ends; most chunks take less. */
const SLICE_MS = 25;

/** Requests a slice of a chunk of a stored checkpoint. */
export interface SnapshotChunkRead {
  readonly kind: 'snapshot_chunk';
  readonly height: bigint;
  readonly index: number;
  readonly last: boolean;
  /** The first key of the slice, from the previous answer; absent for the first slice. */
  readonly from?: Uint8Array;
}

/** Answers the read of a slice. @param maxMs milliseconds after which the slice ends */
export function answerChunkSlice(store: StoreReader, request: SnapshotChunkRead, maxMs = SLICE_MS): string {
  const { height, index, last } = request;
  const slice = readChunkSlice(store, { ...request, maxMs });
  if (slice === undefined) throw new Error(`no chunk ${index} of a checkpoint at ${height}`);
  if ('next' in slice) return `${MORE}${toHex(slice.next)}:${slice.entries.map(entryJson).join()}`;
  const { hash: chunk_hash, ...rest } = slice.chunk;
  return rpcTypes.GetSnapshotChunkResult.toJson({ ...rest, height, index, chunk_hash, last });
}

/** Reads a whole chunk by slices; returns the JSON of the GetSnapshotChunkResult. */
export async function readSlicedChunk(
  request: SnapshotChunkRead,
  read: (request: SnapshotChunkRead) => Promise<string>,
): Promise<string> {
  const before: string[] = [];
  let answer = await read(request);
  while (answer.startsWith(MORE)) {
    const colon = answer.indexOf(':');
    const entries = answer.slice(colon + 1);
    if (entries !== '') before.push(entries);
    answer = await read({ ...request, from: Buffer.from(answer.slice(MORE.length, colon), 'hex') });
  }
  if (before.length === 0) return answer;
  const at = answer.indexOf(ENTRIES) + ENTRIES.length;
  const rest = answer.slice(at);
  return `${answer.slice(0, at)}${before.join()}${rest.startsWith(']') ? '' : ','}${rest}`;
}

function entryJson(entry: SnapshotEntry): string {
  return rpcTypes.SnapshotEntry.toJson(entry);
}
