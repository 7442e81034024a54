import type { GetSnapshotChunkResult } from '../../generated/node-rpc-v1.js';
import type { TrustedSnapshot } from '../light-snapshot.js';
import { SnapshotError } from '../snapshot-error.js';
import type { SnapshotImport } from '../snapshot-import.js';
import type { Source } from './source.js';
import { lied, SourceError } from './source-error.js';
import type { FollowContext } from './source-set.js';

const CHUNKS_PER_SOURCE = 2;
const MAX_SOURCES = 8;
/** Time without a new chunk after which the offer is given up, in milliseconds. */
const GIVE_UP_MS = 60_000;

export interface SnapshotOffer {
  readonly snapshot: TrustedSnapshot;
  readonly sources: readonly Source[];
}

export interface ChunkCollectorOptions extends FollowContext {
  readonly offer: SnapshotOffer;
  readonly snapshotImport: SnapshotImport;
  readonly onProgress: () => void;
}

/** Collects the chunks of an offer: see rules 2 and 3 of `fast-sync.ts`. */
export class ChunkCollector {
  readonly #options: ChunkCollectorOptions;
  /** Time of the last new chunk, or of the start of a collection. */
  #lastChunkMs = 0;
  /** Sources that have dropped the snapshot. */
  readonly #dropped = new Set<Source>();
  /** Source of each chunk fetched by this collector, by chunk index. */
  readonly #providers = new Map<number, Source>();
  /** The only source to use from then on, set when chunks do not fit together. */
  #soleSource: Source | undefined;
  #wanted: number[] = [];

  constructor(options: ChunkCollectorOptions) {
    this.#options = options;
  }

  /** @throws SourceError if no source of the offer is left or sends chunks, or all its remaining chunks are false */
  async run(): Promise<void> {
    for (;;) {
      await this.#collect();
      try {
        await this.#options.snapshotImport.finish();
        return;
      } catch (error) {
        if (!(error instanceof SnapshotError)) throw error;
        await this.#distrust(error);
      }
    }
  }

  async #collect(): Promise<void> {
    this.#options.onProgress();
    // Checking all chunks, after which some may be wanted again, takes time too.
    this.#lastChunkMs = this.#options.now();
    while (!this.#options.snapshotImport.complete) {
      if (this.#options.now() - this.#lastChunkMs > GIVE_UP_MS) {
        throw new SourceError('timeout', `no source has sent a chunk for ${GIVE_UP_MS / 1_000} s`);
      }
      this.#wanted = this.#options.snapshotImport.missing().reverse();
      const askable = this.#askable();
      if (askable.length === 0) {
        // Gives up unless a source is only paused; a banned source has no head.
        const { offer } = this.#options;
        if (!offer.sources.some((source) => source.head !== undefined && this.#mayProvide(source))) {
          throw new SourceError('refused', 'no source of the snapshot is left');
        }
        await this.#options.sources.nextAnswer();
        continue;
      }
      const lanes = askable
        .slice(0, MAX_SOURCES)
        .flatMap((source) => Array.from({ length: CHUNKS_PER_SOURCE }, () => this.#fetchFrom(source)));
      // Waits for all lanes, so that none keeps running after a failure.
      const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected');
      if (failed?.status === 'rejected') throw failed.reason;
    }
  }

  #mayProvide(source: Source): boolean {
    const isWanted = this.#soleSource === undefined || this.#soleSource === source;
    return isWanted && !this.#dropped.has(source);
  }

  #askable(): Source[] {
    return this.#options.sources.ranked(
      (source) => this.#options.offer.sources.includes(source) && this.#mayProvide(source),
    );
  }

  async #fetchFrom(source: Source): Promise<void> {
    const { signal } = this.#options.sources;
    const { height } = this.#options.offer.snapshot.light.header;
    while (source.usable && this.#mayProvide(source)) {
      signal.throwIfAborted();
      const index = this.#wanted.pop();
      if (index === undefined) return;
      try {
        await this.#accept(source, index, await source.ask('get_snapshot_chunk', { height, index }, signal));
      } catch (error) {
        this.#wanted.push(index);
        if (!(error instanceof SourceError)) throw error;
        if (error.kind === 'not_found') this.#dropped.add(source);
        return;
      }
    }
  }

  async #accept(source: Source, index: number, chunk: GetSnapshotChunkResult): Promise<void> {
    const { height, proof, entries, blobs } = chunk;
    if (height !== this.#options.offer.snapshot.light.header.height || chunk.index !== index) {
      throw this.#lied(source, `asked for chunk ${index}, got chunk ${chunk.index} of height ${height}`);
    }
    try {
      await this.#options.snapshotImport.accept({ height, index, proof, entries, blobs });
    } catch (error) {
      if (!(error instanceof SnapshotError)) throw error;
      if (error.code !== 'wrong_cut') throw this.#lied(source, `get_snapshot_chunk: ${error.message}`);
      this.#providers.set(index, source);
      await this.#distrust(error);
      return;
    }
    this.#providers.set(index, source);
    source.chunks++;
    this.#lastChunkMs = this.#options.now();
    this.#options.onProgress();
  }

  /** Handles chunks that do not fit together: rule 3. @throws SourceError if a source is proved to lie */
  async #distrust(error: SnapshotError): Promise<void> {
    const { chunks } = error;
    const only = this.#soleSource;
    if (only !== undefined && chunks.every((index) => this.#providers.get(index) === only)) {
      await this.#options.snapshotImport.forget(chunks);
      throw this.#lied(only, error.message);
    }
    this.#soleSource ??= this.#askable()[0] ?? this.#options.offer.sources[0];
    this.#options.log.warn(
      { problem: error.message, source: this.#soleSource?.url },
      'chunks do not fit together; using a single source',
    );
    await this.#options.snapshotImport.forget(
      chunks.filter((index) => this.#providers.get(index) !== this.#soleSource),
    );
  }

  #lied(source: Source, message: string): SourceError {
    const error = lied(message);
    source.recordFault(error, 'get_snapshot_chunk');
    return error;
  }
}
