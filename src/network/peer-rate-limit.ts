import { LeakyBucket } from '../async/gcra.js';
import type { Message } from './connection.js';
import type { FrameKind, FrameSpec } from './frame-kinds.js';
import { PeerFault } from './mesh-error.js';

const MIB = 1024 * 1024;
/** Limit on the messages of one peer that handlers are processing; beyond it, reading from the peer pauses. */
const MAX_HANDLED_BYTES = 16 * MIB;
const MAX_HANDLED_MESSAGES = 8_192;
/** Gossip limits: the excess is discarded. A single message may be larger, since a bundle may fill a block. */
const MAX_GOSSIP_BYTES = 4 * MIB;
const MAX_GOSSIP_MESSAGES = 1_024;

/** Honest peers send less: 32 MiB of blocks for catching up, 8 MiB of gossip, 4 MiB per proposal. */
const READ_BYTES_PER_SECOND = 64 * MIB;
const BURST_SECONDS = 2;
/** Cost of a chunk in addition to its bytes. Every TLS record is a separate chunk. */
const CHUNK_COST = 4 * 1024;
const MESSAGE_COST = 512;
/** Minimum pause, since each costs a timer. */
const MIN_PAUSE_MS = 100;
const PAUSES = { perSecond: 1, burst: 20 };

export interface PeerRateLimitOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Factor for the rates of all frame kinds. */
  readonly rateScale: number;
  readonly setPaused: (isPaused: boolean) => void;
  /** Called when reading pauses because the peer sends too much. */
  readonly onThrottled: () => void;
}

/**
 * Limits for one peer: its message rates, the cost of reading, and the load on the handlers. Reading pauses on all
 * connections of the peer. Votes wait as well: they queue behind the flood on the same connection, and reading on to
 * reach them would cost as much as the pause saves. Honest peers stay within the rates, so they never cause a pause.
 */
export class PeerRateLimit {
  readonly #options: PeerRateLimitOptions;
  readonly #rates: FrameRates;
  /** The cost of reading, on all connections of the peer. */
  readonly #reading: LeakyBucket;
  readonly #pauses = new LeakyBucket(PAUSES);
  #pause: NodeJS.Timeout | undefined;
  /** Time at which the last chunk was read; one clock reading serves all messages in it. */
  #readAtMs: number;
  #messages = 0;
  #bytes = 0;
  #gossipMessages = 0;
  #gossipBytes = 0;
  #isPaused = false;

  constructor(options: PeerRateLimitOptions) {
    this.#options = options;
    const { now, rateScale } = options;
    this.#readAtMs = now();
    this.#rates = new FrameRates(() => this.#readAtMs, rateScale);
    const perSecond = READ_BYTES_PER_SECOND * rateScale;
    this.#reading = new LeakyBucket({ perSecond, burst: perSecond * BURST_SECONDS });
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Counts a chunk before it is read. @throws PeerFault `too_fast` if the peer keeps sending too much */
  read(bytes: number): void {
    const nowMs = this.#options.now();
    this.#readAtMs = nowMs;
    this.#reading.charge(bytes + CHUNK_COST, nowMs);
    const excessMs = this.#reading.excessMs(nowMs);
    // Chunks read before the pause may still arrive.
    if (excessMs === 0 || this.#pause !== undefined) return;
    if (!this.#pauses.take(1, nowMs)) throw new PeerFault('too_fast', 'sustained traffic above the limit');
    this.#pause = setTimeout(
      () => {
        this.#pause = undefined;
        this.#update();
      },
      Math.max(MIN_PAUSE_MS, Math.ceil(excessMs)),
    ).unref();
    this.#options.onThrottled();
    this.#update();
  }

  /** Whether to read a message that is starting. @throws PeerFault `too_fast` */
  admits(spec: FrameSpec, bytes: number): boolean {
    this.#reading.charge(MESSAGE_COST, this.#readAtMs);
    const isInRate = this.#rates.admit(spec, bytes);
    if (spec.class === 'gossip') {
      const isFull =
        (this.#gossipBytes > 0 && this.#gossipBytes + bytes > MAX_GOSSIP_BYTES) ||
        this.#gossipMessages >= MAX_GOSSIP_MESSAGES;
      return isInRate && !isFull;
    }
    if (!isInRate) throw new PeerFault('too_fast', `rate limit for ${spec.kind} exceeded`);
    return true;
  }

  /** Runs a handler; pauses the peer while too many are running. Rejects if the handler does. */
  async handle({ kind }: Message, bytes: number, handler: () => void | Promise<void>): Promise<void> {
    const work = handler();
    if (work === undefined) return;
    const isGossip = kind === 'transactions';
    this.#count(1, bytes, isGossip);
    try {
      await work;
    } finally {
      this.#count(-1, -bytes, isGossip);
    }
  }

  #count(messages: number, bytes: number, isGossip: boolean): void {
    this.#messages += messages;
    this.#bytes += bytes;
    if (isGossip) {
      this.#gossipMessages += messages;
      this.#gossipBytes += bytes;
    }
    this.#update();
  }

  #update(): void {
    const isFull = this.#bytes > MAX_HANDLED_BYTES || this.#messages > MAX_HANDLED_MESSAGES;
    const isPaused = isFull || this.#pause !== undefined;
    if (isPaused === this.#isPaused) return;
    this.#isPaused = isPaused;
    this.#options.setPaused(isPaused);
  }
}

interface KindBuckets {
  readonly frames: LeakyBucket;
  readonly bytes: LeakyBucket;
}

/** Frame rates of one peer by kind, shared by all its connections so that reconnecting does not reset them. */
export class FrameRates {
  readonly #now: () => number;
  readonly #scale: number;
  readonly #kinds = new Map<FrameKind, KindBuckets>();

  /** @param scale factor for the rates of all kinds */
  constructor(now: () => number, scale: number) {
    this.#now = now;
    this.#scale = scale;
  }

  /** Counts a message. Returns false if it exceeds the rate of its kind. */
  admit(spec: FrameSpec, bytes: number): boolean {
    const nowMs = this.#now();
    const buckets = this.#kinds.get(spec.kind) ?? this.#open(spec);
    return buckets.frames.take(1, nowMs) && buckets.bytes.take(bytes, nowMs);
  }

  #open({ kind, rate, maxBytes }: FrameSpec): KindBuckets {
    const frames = rate.framesPerSecond * this.#scale;
    const bytes = rate.bytesPerSecond * this.#scale;
    const buckets = {
      frames: new LeakyBucket({ perSecond: frames, burst: Math.max(1, frames * BURST_SECONDS) }),
      // The burst holds at least one message of maximum length.
      bytes: new LeakyBucket({ perSecond: bytes, burst: Math.max(maxBytes, bytes * BURST_SECONDS) }),
    };
    this.#kinds.set(kind, buckets);
    return buckets;
  }
}
