import type { FrameKind, FrameSpec } from './frame-kinds.js';

/** Bucket capacity, in seconds of its rate. */
const BURST_SECONDS = 2;

/** Token bucket: refills at a fixed rate up to its capacity. */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #capacity: number;
  #tokens: number;
  #atMs: number;

  /**
   * @param burst capacity and initial number of tokens
   * @param nowMs milliseconds of a monotonic clock
   */
  constructor(perSecond: number, burst: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#capacity = burst;
    this.#tokens = burst;
    this.#atMs = nowMs;
  }

  /** Takes `count` tokens if there are enough. Returns false otherwise. */
  take(count: number, nowMs: number): boolean {
    if (!this.has(count, nowMs)) return false;
    this.#tokens -= count;
    return true;
  }

  /** True if there are at least `count` tokens. */
  has(count: number, nowMs: number): boolean {
    this.#tokens = Math.min(this.#capacity, this.#tokens + ((nowMs - this.#atMs) * this.#perSecond) / 1_000);
    this.#atMs = nowMs;
    return this.#tokens >= count;
  }

  /** Takes tokens for work already done; their number may become negative. */
  spend(count: number, nowMs: number): void {
    this.has(count, nowMs);
    this.#tokens -= count;
  }
}

interface KindBuckets {
  readonly frames: TokenBucket;
  readonly bytes: TokenBucket;
}

/** Receive rates of one peer by kind, shared by all its connections so that reconnecting does not reset them. */
export class ReceiveRates {
  readonly #now: () => number;
  readonly #scale: number;
  readonly #kinds = new Map<FrameKind, KindBuckets>();

  /**
   * @param now milliseconds of a monotonic clock
   * @param scale factor for the rates of all kinds
   */
  constructor(now: () => number, scale: number = 1) {
    this.#now = now;
    this.#scale = scale;
  }

  /** Counts a message. Returns false if it exceeds the rate of its kind. */
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
      // The capacity holds at least one message of maximum length.
      bytes: new TokenBucket(bytes, Math.max(maxBytes, bytes * BURST_SECONDS), nowMs),
    };
    this.#kinds.set(kind, buckets);
    return buckets;
  }
}
