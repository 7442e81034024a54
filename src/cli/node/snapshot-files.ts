import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ReadClient } from '../../client/client.js';
import type { Config } from '../../config/config.js';
import type {
  ArchiveDescriptor,
  CheckpointDescriptor,
  ImportSnapshotChunkArgs,
} from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { ControlClient, ControlError } from '../../node/control/control-client.js';
import { CONTROL_SOCKET } from '../../node/control/control-protocol.js';
import { createSnapshot } from '../../node/offline/snapshot-directory.js';
import type { ArchiveHead } from '../../sync/archive-format.js';
import { writeArchive } from '../../sync/archive-writer.js';
import { SnapshotError } from '../../sync/snapshot-error.js';

/** A checkpoint that has been cut. */
export interface CreatedCheckpoint {
  readonly height: bigint;
  readonly entries: bigint;
  readonly chunk_count: number;
  /** 64 hex digits. */
  readonly state_root: string;
}

/** Cuts a checkpoint: by the node that uses the data directory, or else directly. Default height: the tip. */
export async function createCheckpoint(
  config: Config,
  options: Parameters<typeof createSnapshot>[1] & { readonly signal: AbortSignal },
): Promise<CreatedCheckpoint> {
  const cut = await cutByNode(config.dataDir, options);
  if (cut !== undefined) return cut;
  const { height, entries, chunk_count, state_root } = await createSnapshot(config, options);
  return { height, entries, chunk_count, state_root: toHex(state_root) };
}

/** @returns undefined if no node answers in the data directory */
async function cutByNode(
  dataDir: string,
  { height, signal }: { readonly height?: bigint; readonly signal: AbortSignal },
): Promise<CreatedCheckpoint | undefined> {
  if (!existsSync(join(dataDir, CONTROL_SOCKET))) return undefined;
  try {
    const answer = await new ControlClient(dataDir).cutCheckpoint(height, signal);
    return { ...answer, height: BigInt(answer.height), entries: BigInt(answer.entries) };
  } catch (error) {
    // A killed node leaves its socket behind.
    if (error instanceof ControlError && error.code === 'not_listening') return undefined;
    throw error;
  }
}

/**
 * Writes the archive of a running node's checkpoint. The archive is not verified here: `heddle snapshot verify` and
 * `import` do that.
 * @param height default: the newest checkpoint's
 * @throws RpcCallError, ClientError, SnapshotError; the signal's reason
 */
export async function downloadSnapshot(
  source: ReadClient,
  {
    height,
    file,
    onProgress,
    signal,
  }: {
    readonly height?: bigint;
    readonly file: string;
    readonly onProgress: (step: string, done: number, of: number) => void;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly checkpoint: CheckpointDescriptor; readonly archive: ArchiveDescriptor }> {
  const head = await headOf(source, height);
  const { checkpoint } = head.light;
  const archive = await writeArchive(file, head, chunksOf(source, checkpoint, signal), (index) =>
    onProgress('downloading', index + 1, checkpoint.chunk_count),
  );
  return { checkpoint, archive };
}

async function headOf(source: ReadClient, height: bigint | undefined): Promise<ArchiveHead> {
  const { checkpoint, ...light } = await source.get_light_snapshot(height === undefined ? {} : { height });
  const { archive: _, ...plain } = checkpoint;
  const { blocks } = await source.get_blocks({ from_height: 0n, to_height: 0n });
  const [first] = blocks;
  if (first === undefined) {
    throw new SnapshotError('incomplete', `${source.endpoint} began with a snapshot and has no block 0`);
  }
  const { path } = await source.finalized_history_proof({ height: 0n, at_size: light.history.size });
  return { light: { ...light, checkpoint: plain }, origin: { header: first.header, path } };
}

async function* chunksOf(
  source: ReadClient,
  { height, chunk_count }: CheckpointDescriptor,
  signal: AbortSignal,
): AsyncGenerator<ImportSnapshotChunkArgs> {
  for (let index = 0; index < chunk_count; index++) {
    signal.throwIfAborted();
    const { proof, entries, blobs } = await source.get_snapshot_chunk({ height, index });
    yield { height, index, proof, entries, blobs };
  }
}
