/**
 * Imports a snapshot into an empty store, chunk by chunk.
 *
 * 1. The column `checkpoints` records which snapshot is being imported and which chunks are stored. A chunk's entries,
 *    blobs and record are one atomic batch, so an import killed at any moment resumes where it stopped.
 * 2. Only data proved against the checkpoint's state root is written, a chunk whole or not at all. Chunks may come in
 *    any order from anywhere, and duplicates change nothing.
 * 3. A chunk proves its entries and position, but not its index. Overlapping positions show that one of two chunks was
 *    cut wrongly.
 * 4. Once all chunks are stored, they must cover the whole tree and match the checkpoint's `chunks_root`, and every
 *    contract must have its code and text. Then the tree is built over the imported state, which checks the state root
 *    again, and the block becomes the tip in one batch. Until then the store has no chain.
 * 5. Every imported entry in `state` has the checkpoint's height, which is the oldest readable height.
 */
import { sameBytes } from '../base/same-bytes.js';
import { readImportMarker } from '../chain/import-marker.js';
import type { Hashes } from '../crypto/crypto.js';
import type { ImportSnapshotChunkArgs } from '../generated/node-rpc-v1.js';
import { toHex } from '../idl/hex.js';
import { appendBlock, NO_CONTENT } from '../ledger/block-store.js';
import { putBaseFinality } from '../ledger/certificate-store.js';
import { putGenesis, putSnapshotBase, putTip, readTip } from '../ledger/chain-meta.js';
import { putCheckpoint } from '../ledger/checkpoint-store.js';
import { ledger } from '../ledger/codecs.js';
import { rpcTypes } from '../ledger/rpc-codecs.js';
import { validatorSetKey } from '../ledger/state-keys.js';
import { putValidatorSet } from '../ledger/validators/validator-sets.js';
import { leafPosition, pathPositions, peakPositions } from '../proofs/mmr.js';
import type { TreeAt } from '../proofs/proof-messages.js';
import type { RefusedChunk } from '../proofs/snapshot/check-chunk.js';
import { contractKeys, decodeContractValue, referencedBlobs } from '../proofs/snapshot/chunk-rule.js';
import { type CutState, summarizeChunks } from '../proofs/snapshot/cut.js';
import type { PreparedChunk } from '../proofs/snapshot/prepare-chunk.js';
import { subtreeEnd } from '../proofs/snapshot/subtree.js';
import { be64 } from '../storage/big-endian.js';
import { setOldestHeight, valueOfRaw } from '../storage/state.js';
import type { Store } from '../storage/store.js';
import { WriteBatch } from '../storage/write-batch.js';
import { type AcceptedChunk, clearImport, ImportRecord } from './import-record.js';
import type { TrustedSnapshot } from './light-snapshot.js';
import { SnapshotError } from './snapshot-error.js';

export interface SnapshotImportOptions {
  /** A store without a chain; either empty or with the same import unfinished. */
  readonly store: Store;
  readonly hashes: Hashes;
  readonly snapshot: TrustedSnapshot;
  /** Checks a chunk, in a worker if possible: `prepareChunk`, to which the buffer may be transferred. */
  readonly prepare: (
    encoded: Uint8Array,
    target: TreeAt,
  ) => PreparedChunk | RefusedChunk | Promise<PreparedChunk | RefusedChunk>;
  /** Builds and stores the state tree over the imported state; throws if its root is not the tip's state root. */
  readonly buildTree: (tip: { height: bigint; hash: Uint8Array; stateRoot: Uint8Array }) => Promise<void>;
}

export interface ImportProgress {
  /** Number of stored chunks. */
  readonly chunks: number;
  /** Number of chunks in the checkpoint. */
  readonly totalChunks: number;
  readonly entries: bigint;
  /** Size as counted by the chunk rule. */
  readonly bytes: bigint;
}

export class SnapshotImport {
  readonly #options: SnapshotImportOptions;
  readonly #record: ImportRecord;
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(options: SnapshotImportOptions, record: ImportRecord) {
    this.#options = options;
    this.#record = record;
  }

  /**
   * Starts or resumes an import. An import begun with another checkpoint of the same block keeps its chunks: their
   * proofs do not depend on the checkpoint's cut.
   * @throws SnapshotError `has_chain`, `other_snapshot`
   */
  static async open(options: SnapshotImportOptions): Promise<SnapshotImport> {
    const { store, snapshot } = options;
    const tip = readTip(store);
    if (tip !== undefined) {
      throw new SnapshotError('has_chain', `the store has a chain already, up to block ${tip.height}`);
    }
    const begun = readImportMarker(store);
    if (begun !== undefined && !sameBytes(begun.checkpoint.block_hash, snapshot.blockHash)) {
      throw new SnapshotError(
        'other_snapshot',
        `the store holds part of the snapshot of block ${begun.checkpoint.height}, ${toHex(begun.checkpoint.block_hash)}; ` +
          `continue with that one, or start again in an empty directory`,
      );
    }
    return new SnapshotImport(options, await ImportRecord.open(store, snapshot.light));
  }

  get height(): bigint {
    return this.#options.snapshot.light.checkpoint.height;
  }

  get progress(): ImportProgress {
    const { light } = this.#options.snapshot;
    const accepted = [...this.#record.chunks];
    return {
      chunks: accepted.length,
      totalChunks: light.checkpoint.chunk_count,
      entries: accepted.reduce((sum, { entries }) => sum + BigInt(entries), 0n),
      bytes: accepted.reduce((sum, { bytes }) => sum + BigInt(bytes), 0n),
    };
  }

  /** Indexes of missing chunks, ascending. */
  missing(): number[] {
    const there = new Set(Array.from(this.#record.chunks, ({ index }) => index));
    const { chunk_count: count } = this.#options.snapshot.light.checkpoint;
    return Array.from({ length: count }, (_, index) => index).filter((index) => !there.has(index));
  }

  /** True if every chunk is stored, so that {@link finish} may be called. */
  get complete(): boolean {
    return this.#record.size >= this.#options.snapshot.light.checkpoint.chunk_count;
  }

  /**
   * Verifies and stores a chunk.
   * @returns number of entries written: 0 if the chunk was stored already
   * @throws SnapshotError `malformed`, `not_proved`, `wrong_blob` for an invalid chunk, without writing any of it;
   *   `wrong_cut` with the indexes of conflicting chunks
   */
  async accept(chunk: ImportSnapshotChunkArgs): Promise<number> {
    const { prepare, snapshot } = this.#options;
    const { checkpoint } = snapshot.light;
    const { index } = chunk;
    if (index >= checkpoint.chunk_count) {
      const message = `chunk ${index}: the snapshot has ${checkpoint.chunk_count} chunks`;
      throw new SnapshotError('malformed', message);
    }
    const { height, state_root: stateRoot } = checkpoint;
    const prepared = await prepare(rpcTypes.ImportSnapshotChunkArgs.encode(chunk), { height, stateRoot });
    if ('problem' in prepared) {
      throw new SnapshotError(prepared.problem, `chunk ${index}: ${prepared.reason}`, { chunks: [index] });
    }
    // Writes run one at a time, so that overlaps are detected.
    const written = this.#writing.then(() => this.#write(prepared, chunk));
    this.#writing = written.catch(() => undefined);
    return written;
  }

  async #write(prepared: PreparedChunk, chunk: ImportSnapshotChunkArgs): Promise<number> {
    const same = this.#record.at(prepared);
    if (same !== undefined && same.index === prepared.index && same.blobs.length >= prepared.blobs.length)
      return 0;
    const overlapped = this.#record.overlapping(prepared);
    const related = [...overlapped, ...this.#record.withIndex(prepared.index)];
    const conflicts = related.filter((other) => other !== same);
    if (conflicts.length > 0 || (same !== undefined && same.index !== prepared.index)) {
      const others = [...conflicts, ...(same === undefined ? [] : [same])].map((other) => other.index);
      throw new SnapshotError(
        'wrong_cut',
        `chunk ${prepared.index} is valid, but conflicts with chunk ${others.join(', ')}: one of them has the wrong index`,
        { chunks: [prepared.index, ...others] },
      );
    }
    const batch = new WriteBatch();
    batch.append(prepared.batch);
    this.#record.put(batch, { ...prepared, proof: chunk.proof });
    await this.#options.store.write(batch, { sync: false });
    return same === undefined ? prepared.entries : 0;
  }

  /** Discards records of chunks, to fetch them again; their entries stay, because they have been proved. */
  async forget(indexes: readonly number[]): Promise<void> {
    const batch = new WriteBatch();
    for (const index of indexes)
      for (const chunk of this.#record.withIndex(index)) this.#record.remove(batch, chunk);
    if (batch.count > 0) await this.#options.store.write(batch, { sync: false });
  }

  /**
   * Checks the complete snapshot and makes the checkpoint's block the tip; from then on the store opens as a chain.
   * @throws SnapshotError `incomplete`, `wrong_cut`, `missing_blob` (with the chunks to fetch again)
   * @throws ProofError `root_mismatch` if the written state differs from the checked one
   */
  async finish(): Promise<void> {
    await this.#writing;
    const { snapshot, store, buildTree } = this.#options;
    const { checkpoint, header } = snapshot.light;
    const missing = this.missing();
    if (missing.length > 0) {
      const message = `${missing.length} of ${checkpoint.chunk_count} chunks are missing`;
      throw new SnapshotError('incomplete', message);
    }
    const chunks = [...this.#record.chunks];
    const batch = new WriteBatch();
    // Runs first, because missing blobs require only single chunks to be fetched again, a wrong cut all of them.
    this.#checkBlobs(chunks, batch);
    const cut = this.#checkCut(chunks);
    const tip = { height: header.height, hash: snapshot.blockHash, stateRoot: header.state_root };
    // The certificate proves the history, and building the tree needs it in the store.
    const history = new WriteBatch();
    this.#putHistory(history);
    await store.write(history, { sync: false });
    await buildTree(tip);

    putGenesis(batch, snapshot.genesis);
    for (const [block, hash] of [
      [snapshot.origin.header, snapshot.originHash],
      [header, snapshot.blockHash],
    ] as const) {
      const encodedHeader = ledger.BlockHeader.encode(block);
      appendBlock(batch, { header: block, encodedHeader, hash, ...NO_CONTENT });
    }
    putValidatorSet(batch, snapshot.light.validator_set);
    // At the end of an epoch, the state holds the next epoch's validators.
    const next = store.get('state', validatorSetKey(this.#options.hashes));
    if (next !== undefined) putValidatorSet(batch, ledger.ValidatorSet.decode(valueOfRaw(next)));
    putSnapshotBase(batch, header.height);
    const { certificate, descendants } = snapshot.light;
    putBaseFinality(batch, { header, certificate, descendants });
    setOldestHeight(batch, header.height);
    const { archive: _, ...kept } = checkpoint;
    putCheckpoint(batch, kept, cut.chunks);
    clearImport(batch, store);
    putTip(batch, tip);
    await store.write(batch, { sync: true });
  }

  /** Checks that the chunks, left to right, match the checkpoint and cover the whole tree. */
  #checkCut(chunks: readonly AcceptedChunk[]): CutState {
    const { checkpoint } = this.#options.snapshot.light;
    const cut = summarizeChunks(this.#options.hashes, chunks);
    const differs = (what: string) =>
      new SnapshotError('wrong_cut', `all chunks are valid, but ${what} does not match the checkpoint`, {
        chunks: chunks.map(({ index }) => index),
      });
    if (!sameBytes(cut.stateRoot, checkpoint.state_root)) throw differs('their state root');
    if (!sameBytes(cut.chunksRoot, checkpoint.chunks_root)) throw differs('chunks_root');
    if (cut.entries !== checkpoint.entries) throw differs('the number of entries');
    if (cut.bytes !== checkpoint.bytes) throw differs('the number of bytes');
    return cut;
  }

  /** Checks that every contract has its code and text; one blob may serve as both. */
  #checkBlobs(chunks: readonly AcceptedChunk[], batch: WriteBatch): void {
    const { store, hashes } = this.#options;
    const value = (key: Uint8Array) => {
      const raw = store.get('state', key);
      return raw === undefined ? undefined : valueOfRaw(raw);
    };
    const isContract = contractKeys(hashes, (key) => {
      const found = value(key);
      return found === undefined ? undefined : ledger.AccountRecord.decode(found);
    });
    const again = new Set<number>();
    for (const key of this.#record.namingKeys()) {
      const contract = decodeContractValue(value(key) ?? new Uint8Array(0));
      if (contract === undefined || !isContract(key, contract)) continue;
      for (const { kind, hash } of referencedBlobs(contract)) {
        if (store.get(kind, hash) !== undefined) continue;
        const other = store.get(kind === 'code' ? 'idl' : 'code', hash);
        if (other !== undefined) {
          batch.put(kind, hash, other);
          continue;
        }
        const bringer = chunks.find((chunk) => {
          const end = subtreeEnd(chunk);
          return (
            Buffer.compare(chunk.prefix, key) <= 0 && (end === undefined || Buffer.compare(key, end) < 0)
          );
        });
        if (bringer !== undefined) again.add(bringer.index);
      }
    }
    if (again.size === 0) return;
    const chunksAgain = [...again];
    const message = `chunks ${chunksAgain.join(', ')} lack code or text that contracts refer to`;
    throw new SnapshotError('missing_blob', message, { chunks: chunksAgain });
  }

  /** Stores the history's peaks, which appending needs, and the proof of block 0. */
  #putHistory(batch: WriteBatch): void {
    const { light, origin, originHash } = this.#options.snapshot;
    const { height } = light.header;
    const { path } = origin;
    const nodes = new Map(
      peakPositions(height).map((position, index) => [position, light.history.peaks[index]]),
    );
    if (path !== undefined) {
      nodes.set(leafPosition(0n), originHash);
      const siblings = pathPositions({ leaves: height, leafIndex: 0n });
      for (const [index, position] of siblings.entries()) nodes.set(position, path[index]);
    }
    for (const [position, hash] of nodes) if (hash !== undefined) batch.put('mmr', be64(position), hash);
  }
}
