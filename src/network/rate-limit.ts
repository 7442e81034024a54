import type { FrameKind, FrameSpec } from './frame-kinds.js';

/** What a bucket holds, in seconds of its rate. */
const BURST_SECONDS = 2;

/** Tokens that come at a rate and are kept up to a burst. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #capacity: number;
  #tokens: number;
  #atMs: number;

  /**
   * @param most what it holds at the start and ever
   * @param nowMs of a clock that never goes back
   */
  constructor(perSecond: number, most: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#capacity = most;
    this.#tokens = most;
    this.#atMs = nowMs;
  }

  /** Takes so many where there are as many. @returns whether there were */
  take(count: number, nowMs: number): boolean {
    if (!this.has(count, nowMs)) return false;
    this.#tokens -= count;
    return true;
  }

  /** Whether there are so many tokens. */
  has(count: number, nowMs: number): boolean {
    this.#tokens = Math.min(this.#capacity, this.#tokens + ((nowMs - this.#atMs) * this.#perSecond) / 1_000);
    this.#atMs = nowMs;
    return this.#tokens >= count;
  }

  /** Takes tokens for something that is done already: then there may be fewer than none. */
  spend(count: number, nowMs: number): void {
    this.has(count, nowMs);
    this.#tokens -= count;
  }
}

interface KindBuckets {
  readonly frames: TokenBucket;
  readonly bytes: TokenBucket;
}

/** What one peer may send, by kind; over all of its connections, so that a new one brings no new allowance. */
export class ReceiveRates {
  readonly #now: () => number;
  readonly #scale: number;
  readonly #kinds = new Map<FrameKind, KindBuckets>();

  /**
   * @param now milliseconds of a clock that never goes back
   * @param scale what the rates of the kinds are multiplied by
   */
  constructor(now: () => number, scale: number = 1) {
    this.#now = now;
    this.#scale = scale;
  }

  /** Counts a message. @returns false where it is more than its kind's rate allows */
  admit(spec: FrameSpec, bytes: number): boolean {
    const nowMs = this.#now();
    const buckets = this.#kinds.get(spec.kind) ?? this.#open(spec, nowMs);
    return buckets.frames.take(1, nowMs) && buckets.bytes.take(bytes, nowMs);
  }

  #open({ kind, rate, maxBytes }: FrameSpec, nowMs: number): KindBuckets {
    const frames = rate.framesPerSecond * this.#scale;
    const bytes = rate.bytesPerSecond * this.#scale;
    const buckets = {
      frames: new TokenBucket(frames, Math.max(1, frames * BURST_SECONDS), nowMs),
      // At least one message of the greatest length.
      bytes: new TokenBucket(bytes, Math.max(maxBytes, bytes * BURST_SECONDS), nowMs),
    };
    this.#kinds.set(kind, buckets);
    return buckets;
  }
}
