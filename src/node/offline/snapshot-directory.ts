import { ChainError } from '../../chain/chain-error.js';
import { storedTip } from '../../chain/open-chain.js';
import type { Config } from '../../config/config.js';
import type { Crypto } from '../../crypto/crypto.js';
import { loadBls } from '../../crypto/load-bls.js';
import { loadCrypto } from '../../crypto/load-crypto.js';
import type {
  ArchiveDescriptor,
  CheckpointDescriptor,
  ImportSnapshotChunkArgs,
} from '../../generated/node-rpc-v1.js';
import { BlockReader } from '../../ledger/block-store.js';
import { CheckpointReader, putCheckpoint, putDescriptor } from '../../ledger/checkpoint-store.js';
import { ProofService } from '../../proofs/proof-service.js';
import { cutCheckpoint } from '../../proofs/snapshot/cut-checkpoint.js';
import { prepareChunk } from '../../proofs/snapshot/prepare-chunk.js';
import { readStoredChunk } from '../../proofs/snapshot/stored-chunk.js';
import { writeTree } from '../../proofs/write-tree.js';
import { assertReadable } from '../../storage/state.js';
import type { Store, StoreReader } from '../../storage/store.js';
import { WriteBatch } from '../../storage/write-batch.js';
import type { ArchiveHead } from '../../sync/archive-format.js';
import { type OpenArchive, openArchive } from '../../sync/archive-reader.js';
import { ArchiveVerifier } from '../../sync/archive-verifier.js';
import { writeArchive } from '../../sync/archive-writer.js';
import { describeCheckpoint } from '../../sync/checkpoints.js';
import { type SnapshotTrust, type TrustedSnapshot, verifyLightSnapshot } from '../../sync/light-snapshot.js';
import { SnapshotError } from '../../sync/snapshot-error.js';
import { SnapshotImport } from '../../sync/snapshot-import.js';
import { archiveHead } from './archive-head.js';
import { withDirectory } from './with-directory.js';

export type Progress = (step: string, done: number, of: number) => void;

/** An archive to read, and the trust anchor for it. */
export interface ArchiveToCheck {
  readonly file: string;
  readonly trust: SnapshotTrust;
  readonly onProgress: Progress;
  readonly signal?: AbortSignal;
}

const CUT_STEPS = 1_000;

/**
 * Cuts the state of a stopped node's directory into a checkpoint.
 * @param height default: the tip
 * @throws DataDirectoryError if a node is using the directory; ChainError, StateUnavailableError, SnapshotError
 */
export async function createSnapshot(
  config: Config,
  { height, onProgress, signal }: { height?: bigint; onProgress: Progress; signal?: AbortSignal },
): Promise<CheckpointDescriptor> {
  return withDirectory(config, true, async ({ store }) => {
    const tip = storedTip(store);
    if (tip === undefined) throw new ChainError('no_chain', `${config.dataDir} holds no chain`);
    const at = height ?? tip.height;
    const block = at > tip.height ? undefined : new BlockReader(store).header(at);
    if (block === undefined || at === 0n) {
      const message = `expected a height from 1 to the tip at ${tip.height}, got ${at}`;
      throw new SnapshotError('no_checkpoint', message);
    }
    assertReadable(store, at);
    const known = new CheckpointReader(store).get(at);
    if (known !== undefined) return known;
    const cut = await cutCheckpoint({
      store: store.handle,
      native: config.native,
      height: at,
      restRatio: 0,
      onProgress: ({ fraction }) => onProgress('cutting', Math.floor(fraction * CUT_STEPS), CUT_STEPS),
      ...(signal === undefined ? {} : { signal }),
    });
    onProgress('cutting', CUT_STEPS, CUT_STEPS);
    const checkpoint = describeCheckpoint(block, cut);
    const batch = new WriteBatch();
    putCheckpoint(batch, checkpoint, cut.chunks);
    await store.write(batch, { sync: true });
    return checkpoint;
  });
}

/**
 * Writes the archive of a checkpoint of a stopped node's directory, and records it with the checkpoint.
 * @param height default: the newest checkpoint's
 * @throws as {@link createSnapshot}
 */
export async function exportSnapshot(
  config: Config,
  { height, file, onProgress }: { height?: bigint; file: string; onProgress: Progress },
): Promise<{ readonly checkpoint: CheckpointDescriptor; readonly archive: ArchiveDescriptor }> {
  return withDirectory(config, true, async ({ store, crypto }) => {
    const reader = new CheckpointReader(store);
    const [newest] = reader.before();
    const checkpoint = height === undefined ? newest : reader.get(height);
    if (checkpoint === undefined) {
      const wanted = height === undefined ? 'checkpoint' : `checkpoint at ${height}`;
      const message = `${config.dataDir} has no ${wanted}: heddle snapshot create makes one`;
      throw new SnapshotError('no_checkpoint', message);
    }
    assertReadable(store, checkpoint.height);
    const head = await archiveHead(config, { store, crypto }, checkpoint);
    const archive = await writeArchive(file, head, storedChunks(store, checkpoint), (index) =>
      onProgress('exporting', index + 1, checkpoint.chunk_count),
    );
    const batch = new WriteBatch();
    putDescriptor(batch, { ...checkpoint, archive });
    await store.write(batch, { sync: true });
    return { checkpoint, archive };
  });
}

export interface CheckedArchive {
  readonly snapshot: TrustedSnapshot;
}

/**
 * Imports an archive into an empty data directory, or resumes an interrupted import.
 * @throws SnapshotError; DataDirectoryError if a node is using the directory
 */
export async function importSnapshot(
  config: Config,
  { file, trust, onProgress, signal }: ArchiveToCheck,
): Promise<CheckedArchive> {
  return withDirectory(config, false, async ({ store, crypto }) => {
    return withArchive(file, async ({ head, chunks }) => {
      const snapshot = await checkHead(config, crypto, head, trust);
      const target = await SnapshotImport.open({
        store,
        hashes: crypto,
        snapshot,
        prepare: (encoded, place) => prepareChunk(crypto, encoded, place),
        buildTree: (tip) => buildTree(config, store, tip, onProgress),
      });
      const missing = new Set(target.missing());
      // One chunk is written while the next is read; awaiting the write reports its errors.
      let writing: Promise<unknown> = Promise.resolve();
      try {
        for await (const chunk of chunks) {
          signal?.throwIfAborted();
          if (missing.has(chunk.index)) {
            await writing;
            writing = target.accept(chunk);
            writing.catch(() => undefined);
          }
          onProgress('importing', chunk.index + 1, snapshot.light.checkpoint.chunk_count);
        }
      } finally {
        await writing;
      }
      await target.finish();
      return { snapshot };
    });
  });
}

/**
 * Checks an archive without a data directory: certificate, history, every chunk, and completeness.
 * @throws SnapshotError
 */
export async function verifySnapshot(
  config: Config,
  { file, trust, onProgress, signal }: ArchiveToCheck,
): Promise<CheckedArchive & { readonly contracts: number }> {
  const crypto = await loadCrypto(config.native, () => undefined);
  return withArchive(file, async ({ head, chunks }) => {
    const snapshot = await checkHead(config, crypto, head, trust);
    const check = new ArchiveVerifier(crypto, snapshot);
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      check.add(chunk);
      onProgress('verifying', chunk.index + 1, snapshot.light.checkpoint.chunk_count);
    }
    return { snapshot, ...check.finish() };
  });
}

async function withArchive<T>(file: string, use: (archive: OpenArchive) => Promise<T>): Promise<T> {
  const archive = await openArchive(file);
  try {
    return await use(archive);
  } finally {
    await archive.close();
  }
}

async function checkHead(
  { native }: Config,
  hashes: Crypto,
  head: ArchiveHead,
  trust: SnapshotTrust,
): Promise<TrustedSnapshot> {
  const bls = await loadBls(native);
  return verifyLightSnapshot(head.light, head.origin, trust, {
    hashes,
    verifySignature: (publicKey, message, signature) => bls.verify(signature, message, publicKey),
  });
}

async function buildTree(
  { native }: Config,
  store: Store,
  tip: { height: bigint; hash: Uint8Array; stateRoot: Uint8Array },
  onProgress: Progress,
): Promise<void> {
  const proofs = await ProofService.start({
    store: store.handle,
    native,
    tip,
    onProgress: ({ fraction }) =>
      onProgress('building the tree', Math.floor(fraction * CUT_STEPS), CUT_STEPS),
    writeTree: (encoded) => writeTree(store, encoded),
  });
  await writeTree(store, await proofs.stop());
}

function* storedChunks(
  store: StoreReader,
  { height, chunk_count }: CheckpointDescriptor,
): IterableIterator<ImportSnapshotChunkArgs> {
  for (let index = 0; index < chunk_count; index++) {
    const chunk = readStoredChunk(store, height, index);
    if (chunk === undefined) {
      const message = `chunk ${index} of the checkpoint at ${height} is missing from the store`;
      throw new SnapshotError('no_checkpoint', message);
    }
    yield { height, index, proof: chunk.proof, entries: chunk.entries, blobs: chunk.blobs };
  }
}
