import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.js';
import { toHex } from '../../idl/hex.js';
import { ControlClient, ControlError } from '../../node/control/control-client.js';
import { CONTROL_SOCKET } from '../../node/control/control-protocol.js';
import { createSnapshot } from '../../node/offline/snapshot-directory.js';

/** A checkpoint that has been cut. */
export interface CreatedCheckpoint {
  readonly height: bigint;
  readonly entries: bigint;
  readonly chunk_count: number;
  /** 64 hex digits. */
  readonly state_root: string;
}

/**
 * Cuts a checkpoint of a data directory: by the node that uses it, or else directly.
 * @param options.height default: the last committed block's
 * @throws ControlError, SnapshotError, ChainError, DataDirectoryError; the signal's reason
 */
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
