import type { Certificates } from '../../chain/certificates.js';
import type { Chain } from '../../chain/chain.js';
import type { Reads } from '../../execution/calls/reads.js';
import { ExecutionError } from '../../execution/execution-error.js';
import { readSlicedChunk } from '../../execution/sliced-chunk.js';
import type {
  CheckpointDescriptor,
  GetLightSnapshotResult,
  GetSnapshotChunkArgs,
  ListCheckpointsArgs,
  ListCheckpointsResult,
} from '../../generated/node-rpc-v1.js';
import type { BlockReader } from '../../ledger/block-store.js';
import { decodeCursor, encodeCursor } from '../../ledger/queries/cursor.js';
import { storedHistory } from '../../proofs/stored-history.js';
import type { StoreReader } from '../../storage/store.js';
import type { Checkpoints } from '../../sync/checkpoints.js';
import { invalidParams, RpcError } from '../errors.js';
import { EncodedResult, type HandlerContext, type MethodHandlers } from '../handlers.js';
import { expectValidators } from './epochs.js';
import { pageLimit } from './page-arguments.js';

export interface SnapshotSources {
  readonly chain: Chain;
  readonly store: StoreReader;
  readonly blocks: BlockReader;
  readonly checkpoints: Checkpoints;
  readonly certificates: Certificates;
  readonly reads: Reads;
  readonly maxPageSize: number;
}

const NO_FILTER = new Uint8Array(0);

export function snapshotHandlers(sources: SnapshotSources) {
  const { checkpoints, chain } = sources;
  return {
    get_checkpoint_list: () => ({
      checkpoints: Array.from(checkpoints.before(), ({ height, state_root }) => ({ height, state_root })),
    }),
    get_light_snapshot: ({ height }) => lightSnapshot(sources, height),
    get_checkpoint: ({ height }) => ({ checkpoint: checkpointAt(checkpoints, height) }),
    list_checkpoints: (args) => listCheckpoints(sources, args),
    get_snapshot_chunk: (args, call) => snapshotChunk(sources, args, call),
    import_snapshot_chunk: () => {
      throw new RpcError(
        'not_ready',
        `this node has a chain already, up to block ${chain.tip.header.height}: a snapshot goes into an empty ` +
          'data directory, with heddle start --await-snapshot or heddle snapshot import',
        { reasons: ['has_chain'] },
        { retryable: false },
      );
    },
  } satisfies Partial<MethodHandlers>;
}

/** @throws RpcError `not_found`, listing the available heights */
function checkpointAt(checkpoints: Checkpoints, height: bigint): CheckpointDescriptor {
  const checkpoint = checkpoints.get(height);
  if (checkpoint !== undefined) return checkpoint;
  const heights = Array.from(checkpoints.before(), (other) => other.height);
  const there = heights.length === 0 ? 'there is none yet' : `there are ${heights.join(', ')}`;
  const message = `no checkpoint at height ${height}: ${there}`;
  throw new RpcError('not_found', message, { height, checkpoints: heights });
}

async function lightSnapshot(
  sources: SnapshotSources,
  height: bigint | undefined,
): Promise<GetLightSnapshotResult> {
  const { checkpoints, blocks, certificates, chain, store } = sources;
  const newest = height ?? checkpoints.latest?.height;
  if (newest === undefined) {
    throw new RpcError('not_found', 'there is no checkpoint yet', { checkpoints: [] });
  }
  const checkpoint = checkpointAt(checkpoints, newest);
  const block = blocks.header(newest);
  const finality = await certificates.of(newest);
  if (block === undefined || finality === undefined) {
    const message = `this node has no certificate of block ${newest}, so the snapshot could not be trusted`;
    throw new RpcError('not_found', message, { height: newest });
  }
  const { header } = block;
  const validator_set = expectValidators(chain, header.epoch);
  return { checkpoint, header, ...finality, history: storedHistory(store, header), validator_set };
}

function listCheckpoints(
  { checkpoints, maxPageSize }: SnapshotSources,
  { cursor, limit }: ListCheckpointsArgs,
): ListCheckpointsResult {
  const maxRows = pageLimit(limit, maxPageSize);
  const before =
    cursor === undefined ? undefined : decodeCursor('list_checkpoints', NO_FILTER, cursor).height;
  const page: CheckpointDescriptor[] = [];
  for (const checkpoint of checkpoints.before(before)) {
    if (page.length === maxRows) {
      const last = { height: page.at(-1)?.height ?? 0n, index: 0 };
      return { checkpoints: page, next_cursor: encodeCursor('list_checkpoints', NO_FILTER, last) };
    }
    page.push(checkpoint);
  }
  return { checkpoints: page };
}

/** A chunk is about a mebibyte long, so a worker reads and encodes it. */
async function snapshotChunk(
  { checkpoints, reads }: SnapshotSources,
  { height, index }: GetSnapshotChunkArgs,
  call: HandlerContext,
): Promise<EncodedResult> {
  const { chunk_count: count } = checkpointAt(checkpoints, height);
  if (index >= count) throw invalidParams('params.index', `an integer below ${count}`, String(index));
  try {
    const request = { kind: 'snapshot_chunk', height, index, last: index === count - 1 } as const;
    return new EncodedResult(await readSlicedChunk(request, (slice) => reads.read(slice, call)));
  } catch (error) {
    // Reports `not_found` if the checkpoint has been dropped in the meantime.
    if (error instanceof ExecutionError && error.code === 'task_failed') checkpointAt(checkpoints, height);
    throw error;
  }
}
