import type { Message } from './connection.js';
import type { FrameSpec } from './frame-kinds.js';
import { LinkBudget } from './link-budget.js';
import { PeerFault } from './mesh-error.js';
import { ReceiveRates } from './rate-limit.js';

const MIB = 1024 * 1024;
/** What handlers may be at work on for one peer before nothing more is read from it. */
const MAX_HANDLED_BYTES = 16 * MIB;
const MAX_HANDLED_MESSAGES = 8_192;
/** Of gossip: more is discarded, for it comes from others too. */
const MAX_GOSSIP_BYTES = 4 * MIB;
const MAX_GOSSIP_MESSAGES = 1_024;

export interface ReceiveLimiterOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** What the rates of the kinds are multiplied by. */
  readonly rateScale: number;
  readonly setPaused: (isPaused: boolean) => void;
  /** Told when reading pauses because the peer sends too much. */
  readonly onThrottled: () => void;
}

/**
 * Limits for one peer: the rates of its messages, the cost of reading them, and the load of the handlers. Reading pauses on all
 * connections of the peer. Its votes wait as well: they come behind the flood on the same connection, and reading on to reach them
 * would cost as much as the pause saves. Honest ends keep to the rates themselves, so they never cause a pause.
 */
export class ReceiveLimiter {
  readonly #options: ReceiveLimiterOptions;
  readonly #rates: ReceiveRates;
  readonly #budget: LinkBudget;
  #pause: NodeJS.Timeout | undefined;
  /** When the last chunk was read: one look at the clock for all that is in it. */
  #readAtMs: number;
  #messages = 0;
  #bytes = 0;
  #gossipMessages = 0;
  #gossipBytes = 0;
  #isPaused = false;

  constructor(options: ReceiveLimiterOptions) {
    this.#options = options;
    const { now, rateScale } = options;
    this.#readAtMs = now();
    this.#rates = new ReceiveRates(() => this.#readAtMs, rateScale);
    this.#budget = new LinkBudget({ now, scale: rateScale });
  }

  /** Whether reading is paused. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /**
   * Counts a chunk that is about to be read.
   * @throws PeerFault `too_fast` where the peer goes on to send too much
   */
  read(bytes: number): void {
    this.#readAtMs = this.#options.now();
    const pauseMs = this.#budget.countChunk(bytes);
    // Chunks that were read before the pause still arrive.
    if (pauseMs === 0 || this.#pause !== undefined) return;
    if (this.#budget.countPause()) throw new PeerFault('too_fast', 'more than is read, for seconds on end');
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.#update();
    }, pauseMs).unref();
    this.#options.onThrottled();
    this.#update();
  }

  /**
   * @returns whether a message that begins is wanted
   * @throws PeerFault `too_fast`
   */
  admits(spec: FrameSpec, bytes: number): boolean {
    this.#budget.countMessage();
    const isInRate = this.#rates.admit(spec, bytes);
    if (spec.class === 'gossip') {
      const isFull =
        this.#gossipBytes + bytes > MAX_GOSSIP_BYTES || this.#gossipMessages >= MAX_GOSSIP_MESSAGES;
      return isInRate && !isFull;
    }
    if (!isInRate) throw new PeerFault('too_fast', `more of ${spec.kind} than its rate allows`);
    return true;
  }

  /** Runs a handler; while too many are at work, the peer is paused. Rejects as the handler does. */
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
