import { sameBytes } from '../../base/same-bytes.js';
import { readImportMarker } from '../../chain/import-marker.js';
import type { GetLightSnapshotResult } from '../../generated/node-rpc-v1.js';
import { prepareChunk } from '../../proofs/snapshot/prepare-chunk.js';
import type { Store } from '../../storage/store.js';
import { removeImport } from '../import-record.js';
import type { SnapshotChecks, SnapshotOrigin, SnapshotTrust, TrustedSnapshot } from '../light-snapshot.js';
import { verifyLightSnapshot } from '../light-snapshot.js';
import { SnapshotError } from '../snapshot-error.js';
import { type ImportProgress, SnapshotImport, type SnapshotImportOptions } from '../snapshot-import.js';
import { ChunkCollector, type SnapshotOffer } from './chunk-collector.js';
import type { Source } from './source.js';
import { lied, SourceError } from './source-error.js';
import type { FollowContext } from './source-set.js';

const REPORT_MS = 5_000;

export interface FastSyncOptions extends SnapshotChecks, FollowContext {
  /** A store without a chain. */
  readonly store: Store;
  /** Trust anchor. If it is the genesis, a chain that has no checkpoint yet can be followed from block 0. */
  readonly trust: SnapshotTrust;
  readonly buildTree: SnapshotImportOptions['buildTree'];
}

type FastSyncStage =
  | { readonly stage: 'looking' }
  /** The chain has no checkpoint yet. */
  | { readonly stage: 'waiting'; readonly best: bigint }
  | { readonly stage: 'chunks'; readonly height: bigint; readonly progress: ImportProgress }
  | { readonly stage: 'tree'; readonly height: bigint };

/**
 * Syncs an empty store to the newest checkpoint of its sources.
 *
 * 1. A snapshot's head is accepted only with a certificate under the trusted key. The certificate does not cover the
 *    cut into chunks, which is checked once all chunks have arrived.
 * 2. Chunks come from all sources that offer the same snapshot, several at a time, and each is proved before it is
 *    written.
 * 3. Proved chunks do not fit together if a source numbers or cuts them wrongly, which a single chunk does not show.
 *    One source must then provide all of them. If they still do not fit, that source is lying, and the next one takes
 *    over.
 * 4. Accepted chunks are kept across restarts and changes of sources. A snapshot is discarded only for another one,
 *    when no source offers it any more or its sources have stopped sending chunks.
 */
export class FastSync {
  readonly #options: FastSyncOptions;
  #stage: FastSyncStage = { stage: 'looking' };
  #reportedAtMs = 0;
  /** Number of sources that had no checkpoint when last asked. */
  #youngSources = 0;
  /** Sources whose offers failed, avoided while others offer a snapshot. */
  readonly #failed = new Set<Source>();

  constructor(options: FastSyncOptions) {
    this.#options = options;
  }

  /** Description of the current stage. */
  get activity(): string {
    return activityOf(this.#stage);
  }

  /**
   * Resolves once the checkpoint's block is the store's tip; or, with a known genesis and no checkpoint on any
   * source, with the store empty.
   * @throws the abort reason of the sources if they stop; any error from the store
   */
  async run(): Promise<'at_checkpoint' | 'no_checkpoint'> {
    const { sources, store, trust, log } = this.#options;
    await sources.firstRound();
    for (;;) {
      sources.signal.throwIfAborted();
      const offer = await this.#bestOffer();
      if (offer === undefined) {
        if (this.#stage.stage === 'waiting' && trust.type === 'genesis') {
          await removeImport(store);
          return 'no_checkpoint';
        }
        await sources.nextAnswer();
        continue;
      }
      try {
        await this.#take(offer);
        return 'at_checkpoint';
      } catch (error) {
        if (!(error instanceof SourceError)) throw error;
        for (const source of offer.sources) this.#failed.add(source);
        log.debug({ problem: error.message }, 'looking for a snapshot again');
        await sources.nextAnswer();
      }
    }
  }

  async #bestOffer(): Promise<SnapshotOffer | undefined> {
    const { sources, store, log } = this.#options;
    const begun = readImportMarker(store);
    const asked = sources.ranked();
    this.#youngSources = 0;
    const found = (await Promise.all(asked.map((source) => this.#offerOf(source, begun)))).filter(
      (offer) => offer !== undefined,
    );
    if (found.length > 0 && found.every(({ source }) => this.#failed.has(source))) this.#failed.clear();
    const best = found
      .filter(
        ({ source, snapshot }) =>
          !this.#failed.has(source) && (begun === undefined || sameBlock(snapshot.light, begun)),
      )
      .sort((a, b) => Number(b.snapshot.light.header.height - a.snapshot.light.header.height))[0];
    if (best === undefined) {
      if (found.length > 0 && begun !== undefined) {
        const { height } = begun.header;
        log.warn(
          { height: height.toString() },
          'no source provides the unfinished snapshot any more; discarding it. If this repeats, the operators of the sources should raise --checkpoints-kept',
        );
        await removeImport(store);
      } else if (this.#youngSources > 0 && begun === undefined) {
        this.#stage = { stage: 'waiting', best: sources.bestKnownHeight };
      }
      return undefined;
    }
    const group = found.filter(({ snapshot }) => sameCut(snapshot.light, best.snapshot.light));
    return { snapshot: best.snapshot, sources: group.map(({ source }) => source) };
  }

  /** The verified snapshot that a source offers: the unfinished one if available, otherwise the newest. */
  async #offerOf(
    source: Source,
    begun: GetLightSnapshotResult | undefined,
  ): Promise<{ readonly source: Source; readonly snapshot: TrustedSnapshot } | undefined> {
    const { trust } = this.#options;
    try {
      const light =
        (begun === undefined ? undefined : await this.#lightOf(source, begun.header.height)) ??
        (await this.#lightOf(source, undefined));
      if (light === undefined) {
        this.#youngSources++;
        return undefined;
      }
      const origin = trust.type === 'genesis' ? undefined : await this.#originOf(source, light);
      try {
        const snapshot = await verifyLightSnapshot(light, origin, trust, this.#options);
        return { source, snapshot };
      } catch (error) {
        throw error instanceof SnapshotError ? this.#fault(source, error.message) : error;
      }
    } catch (error) {
      if (error instanceof SourceError) return undefined;
      throw error;
    }
  }

  /** Block 0 and its path into the history of a snapshot's block. */
  async #originOf(source: Source, { history }: GetLightSnapshotResult): Promise<SnapshotOrigin> {
    const { signal } = this.#options.sources;
    const [{ header }, { path }] = await Promise.all([
      source.ask('finalized_history_root', { height: 0n }, signal),
      source.ask('finalized_history_proof', { height: 0n, at_size: history.size }, signal),
    ]);
    return { header, path };
  }

  async #lightOf(source: Source, height: bigint | undefined): Promise<GetLightSnapshotResult | undefined> {
    try {
      const params = height === undefined ? {} : { height };
      return await source.ask('get_light_snapshot', params, this.#options.sources.signal);
    } catch (error) {
      if (error instanceof SourceError && error.kind === 'not_found') return undefined;
      throw error;
    }
  }

  async #take(offer: SnapshotOffer): Promise<void> {
    const { store, hashes, buildTree, log } = this.#options;
    const { height } = offer.snapshot.light.header;
    if (readImportMarker(store) === undefined) await removeImport(store);
    const snapshotImport = await SnapshotImport.open({
      store,
      hashes,
      snapshot: offer.snapshot,
      prepare: (encoded, target) => prepareChunk(hashes, encoded, target),
      buildTree: async (tip) => {
        this.#stage = { stage: 'tree', height };
        await buildTree(tip);
      },
    });
    const { totalChunks: chunks, chunks: there } = snapshotImport.progress;
    const urls = offer.sources.map(({ url }) => url);
    log.info({ height: height.toString(), chunks, there, sources: urls }, 'fetching a snapshot');
    const onProgress = () => this.#report(height, snapshotImport);
    await new ChunkCollector({ ...this.#options, offer, snapshotImport, onProgress }).run();
    log.info({ height: height.toString() }, 'the snapshot is complete');
  }

  #report(height: bigint, { progress }: SnapshotImport): void {
    this.#stage = { stage: 'chunks', height, progress };
    const { log, now } = this.#options;
    if (now() - this.#reportedAtMs < REPORT_MS) return;
    this.#reportedAtMs = now();
    const { chunks, totalChunks: of, entries } = progress;
    log.info({ height: `${height}`, chunks, of, entries: `${entries}` }, 'fetching a snapshot');
  }

  #fault(source: Source, message: string): SourceError {
    const error = lied(message);
    source.recordFault(error);
    return error;
  }
}

function activityOf(stage: FastSyncStage): string {
  switch (stage.stage) {
    case 'looking':
      return 'looking for a snapshot';
    case 'waiting':
      return `waiting for the first checkpoint of a chain at height ${stage.best}: without the genesis, sync cannot start elsewhere`;
    case 'chunks':
      return `fetching the snapshot of block ${stage.height}: ${stage.progress.chunks} of ${stage.progress.totalChunks} chunks`;
    case 'tree':
      return `building the state tree of block ${stage.height}`;
  }
}

function sameBlock(a: GetLightSnapshotResult, b: GetLightSnapshotResult): boolean {
  return sameBytes(a.checkpoint.block_hash, b.checkpoint.block_hash);
}

/** True if both snapshots have the same block and the same cut into chunks. */
function sameCut(a: GetLightSnapshotResult, b: GetLightSnapshotResult): boolean {
  return (
    sameBlock(a, b) &&
    a.checkpoint.chunk_count === b.checkpoint.chunk_count &&
    sameBytes(a.checkpoint.chunks_root, b.checkpoint.chunks_root)
  );
}
