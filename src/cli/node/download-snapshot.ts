import type { ReadClient } from '../../client/client.js';
import type {
  ArchiveDescriptor,
  CheckpointDescriptor,
  ImportSnapshotChunkArgs,
} from '../../generated/node-rpc-v1.js';
import type { ArchiveHead } from '../../sync/archive-format.js';
import { writeArchive } from '../../sync/archive-writer.js';
import { SnapshotError } from '../../sync/snapshot-error.js';

type SnapshotSource = Pick<
  ReadClient,
  'get_light_snapshot' | 'get_blocks' | 'finalized_history_proof' | 'get_snapshot_chunk' | 'endpoint'
>;

/**
 * Writes the archive of a running node's checkpoint. The archive is not verified here: `heddle snapshot verify` and
 * `import` do that.
 * @param height default: the newest checkpoint's
 * @throws RpcCallError, ClientError, SnapshotError; the signal's reason
 */
export async function downloadSnapshot(
  source: SnapshotSource,
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

async function headOf(source: SnapshotSource, height: bigint | undefined): Promise<ArchiveHead> {
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
  source: SnapshotSource,
  { height, chunk_count }: CheckpointDescriptor,
  signal: AbortSignal,
): AsyncGenerator<ImportSnapshotChunkArgs> {
  for (let index = 0; index < chunk_count; index++) {
    signal.throwIfAborted();
    const { proof, entries, blobs } = await source.get_snapshot_chunk({ height, index });
    yield { height, index, proof, entries, blobs };
  }
}
