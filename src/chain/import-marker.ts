import type { GetLightSnapshotResult } from '../generated/node-rpc-v1.js';
import { rpcTypes } from '../ledger/rpc-codecs.js';
import type { StoreReader } from '../storage/store.js';
import type { WriteBatch } from '../storage/write-batch.js';

/** In column `checkpoints`: borsh(GetLightSnapshotResult) of the snapshot being imported. */
const KEY = Buffer.from('i');

/** The snapshot being imported into a store; undefined if there is none. */
export function readImportMarker(store: StoreReader): GetLightSnapshotResult | undefined {
  const value = store.get('checkpoints', KEY);
  return value === undefined ? undefined : rpcTypes.GetLightSnapshotResult.decode(value);
}

export function writeImportMarker(batch: WriteBatch, light: GetLightSnapshotResult): void {
  batch.put('checkpoints', KEY, rpcTypes.GetLightSnapshotResult.encode(light));
}

export function deleteImportMarker(batch: WriteBatch): void {
  batch.delete('checkpoints', KEY);
}
