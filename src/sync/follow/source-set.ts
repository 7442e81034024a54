import { pause } from '../../async/pause.js';
import type { PeerHealth, Status } from '../../generated/node-rpc-v1.js';
import { SourceError } from './follow-error.js';
import type { Source } from './source.js';
import { askStatus } from './source-methods.js';

/** How often a source is asked for its tip that is not the best one, in milliseconds. */
const SPARE_POLL_MS = 1_000;
/** How long the first round of asking may take before whoever has answered is enough, in milliseconds. */
const FIRST_ROUND_MS = 2_000;

export interface SourceSetOptions {
  readonly sources: readonly Source[];
  /** How often the best source is asked for its tip, in milliseconds. */
  readonly pollMs: number;
  /** Looks at what a source says of itself, before anything else is done with it. @throws SourceError */
  readonly checkHead: (head: Status) => void;
  /** Told when asking cannot go on, which no source can bring about. */
  readonly onFailure: (error: Error) => void;
}

/** The nodes that this one follows: asks each for its tip again and again, and says which one to turn to. */
export class SourceSet {
  readonly sources: readonly Source[];
  readonly #options: SourceSetOptions;
  readonly #stop = new AbortController();
  #polls: readonly Promise<void>[] = [];
  /** Of each source, once it has been asked. */
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
      return this.#poll(source, answered).catch((error: unknown) =>
        this.#options.onFailure(error instanceof Error ? error : new Error(String(error))),
      );
    });
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('following has been stopped'));
    await Promise.all(this.#polls);
  }

  /** Resolves once every source has answered or failed, or has had its time; then it is known who can be turned to. */
  async firstRound(): Promise<void> {
    await Promise.race([Promise.all(this.#answered), pause(FIRST_ROUND_MS, this.signal)]);
    this.signal.throwIfAborted();
  }

  /** Aborted when the set stops. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** The usable sources that `wanted` takes, best first. */
  ranked(wanted: (source: Source) => boolean = () => true): Source[] {
    return this.sources
      .filter((source) => source.usable && source.head !== undefined && wanted(source))
      .sort((a, b) => a.score - b.score || a.index - b.index);
  }

  /** The greatest height that a source which is not dropped says it has; 0 while none has said anything. */
  get bestKnownHeight(): bigint {
    let best = 0n;
    for (const { head } of this.sources)
      if (head !== undefined && head.tip.height > best) best = head.tip.height;
    return best;
  }

  /** When a source last gave a good answer, milliseconds since 1970; 0 while none has. */
  get lastContactMs(): number {
    return Math.max(0, ...this.sources.map(({ lastSeenMs }) => lastSeenMs ?? 0));
  }

  /** What is wrong with the sources, one line each. */
  get problems(): string[] {
    return this.sources.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  }

  peers(tip: bigint): PeerHealth[] {
    return this.sources.map((source) => source.health(tip));
  }

  /**
   * Waits until a source has answered, or failed.
   * @throws the reason of the stop
   */
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
        const head = await source.ask(askStatus(), this.signal);
        this.#check(source, head);
        // It may have been dropped while it was being asked.
        if (source.usable) source.head = head;
      } catch (error) {
        // A source's own failure is counted by it; the end of the set ends the loop.
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
