import { pause } from '../../async/pause.js';
import { toError } from '../../base/errors.js';
import { sameBytes } from '../../base/same-bytes.js';
import type { Log } from '../../config/log.js';
import type { PeerHealth, Status } from '../../generated/node-rpc-v1.js';
import { toHex } from '../../idl/hex.js';
import { Source, type SourceOptions } from './source.js';
import { lied, SourceError } from './source-error.js';

/** Poll interval for the tips of all but the best source, in milliseconds. */
const SPARE_POLL_MS = 1_000;
/** Maximum wait for the first answers of all sources, in milliseconds. */
const FIRST_ROUND_MS = 2_000;

export interface SourceSetOptions {
  readonly sources: readonly Source[];
  /** Poll interval for the best source's tip, in milliseconds. */
  readonly pollMs: number;
  /** Checks a source's status before it is used. @throws SourceError */
  readonly checkHead: (head: Status) => void;
  /** Called when polling fails with an internal error; no source can cause one. */
  readonly onFailure: (error: Error) => void;
}

/** What the parts of a follower share. */
export interface FollowContext {
  readonly sources: SourceSet;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The nodes that this node follows. Polls their tips and ranks them. */
export class SourceSet {
  readonly sources: readonly Source[];
  readonly #options: SourceSetOptions;
  readonly #stop = new AbortController();
  #polls: readonly Promise<void>[] = [];
  /** One per source; resolves once it has answered or failed. */
  readonly #answered: Promise<void>[] = [];
  #waiting: (() => void)[] = [];

  constructor(options: SourceSetOptions) {
    this.#options = options;
    this.sources = options.sources;
  }

  start(): void {
    this.#polls = this.sources.map((source) => {
      let answered: () => void = () => undefined;
      this.#answered.push(
        new Promise((resolve) => {
          answered = resolve;
        }),
      );
      return this.#poll(source, answered).catch((error: unknown) => this.#options.onFailure(toError(error)));
    });
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('following has been stopped'));
    await Promise.all(this.#polls);
  }

  /** Resolves once every source has answered, failed or timed out; from then on sources can be ranked. */
  async firstRound(): Promise<void> {
    await Promise.race([Promise.all(this.#answered), pause(FIRST_ROUND_MS, this.signal)]);
    this.signal.throwIfAborted();
  }

  /** Aborted when the set stops. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** The usable sources that match `wanted`, best first. */
  ranked(wanted: (source: Source) => boolean = () => true): Source[] {
    return this.sources
      .filter((source) => source.usable && source.head !== undefined && wanted(source))
      .sort((a, b) => a.score - b.score || a.index - b.index);
  }

  /** The greatest height claimed by a source that is not banned; 0 if there is none. */
  get bestKnownHeight(): bigint {
    let best = 0n;
    for (const { head } of this.sources)
      if (head !== undefined && head.tip.height > best) best = head.tip.height;
    return best;
  }

  /** Time of the last valid response of any source, milliseconds since 1970; 0 if there was none. */
  get lastContactMs(): number {
    return Math.max(0, ...this.sources.map(({ lastSeenMs }) => lastSeenMs ?? 0));
  }

  /** Current problems of the sources, one line each. */
  get problems(): string[] {
    return this.sources.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  }

  peers(tip: bigint): PeerHealth[] {
    return this.sources.map((source) => source.health(tip));
  }

  /** Waits until a source has answered or failed. @throws the abort reason if the set stops */
  async nextAnswer(): Promise<void> {
    this.signal.throwIfAborted();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.signal.throwIfAborted();
  }

  async #poll(source: Source, answered: () => void): Promise<void> {
    while (!this.signal.aborted) {
      const waitMs = source.pauseMs;
      if (waitMs > 0) {
        await pause(waitMs, this.signal);
        continue;
      }
      try {
        const head = await source.ask('status', {}, this.signal);
        this.#check(source, head);
        // The source may have been banned while the request was in flight.
        if (source.usable) source.head = head;
      } catch (error) {
        // The source has already recorded its failure. An abort ends the loop.
        if (!(error instanceof SourceError) && !this.signal.aborted) throw error;
      }
      answered();
      this.#notify();
      const { pollMs } = this.#options;
      const best = this.ranked()[0];
      await pause(
        best === undefined || best === source ? pollMs : Math.max(pollMs, SPARE_POLL_MS),
        this.signal,
      );
    }
    this.#notify();
  }

  #check(source: Source, head: Status): void {
    try {
      this.#options.checkHead(head);
    } catch (error) {
      if (error instanceof SourceError) source.recordFault(error);
      throw error;
    }
  }

  #notify(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

export interface OpenSourcesOptions
  extends Omit<SourceOptions, 'url' | 'index'>,
    Omit<SourceSetOptions, 'sources' | 'checkHead'> {
  readonly urls: readonly string[];
  /** Trusted key, 48 bytes: a source with another key is on another chain. */
  readonly groupPublicKey: Uint8Array;
  /** Chain id, if known. */
  readonly chainId: bigint | undefined;
}

/** Creates the set of configured sources, without starting it. */
export function openSources(options: OpenSourcesOptions): SourceSet {
  const { urls, groupPublicKey, chainId } = options;
  return new SourceSet({
    ...options,
    sources: urls.map((url, index) => new Source({ ...options, url, index })),
    checkHead: (head) => {
      const { group_public_key: key } = head.validator_set;
      if (!sameBytes(key, groupPublicKey)) {
        throw lied(`expected the trusted group key ${toHex(groupPublicKey)}, got ${toHex(key)}`);
      }
      if (chainId !== undefined && head.chain_id !== chainId) {
        throw lied(`expected chain id ${chainId}, got ${head.chain_id}`);
      }
    },
  });
}
