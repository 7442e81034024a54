import type { Message } from './connection.js';
import type { FrameSpec } from './frame-kinds.js';
import { PeerFault } from './mesh-error.js';
import { ReceiveRates } from './rate-limit.js';

const MIB = 1024 * 1024;
/** What handlers may be at work on for one peer before nothing more is read from it. */
const MAX_HANDLED_BYTES = 16 * MIB;
const MAX_HANDLED_MESSAGES = 8_192;
/** Of gossip: more is discarded, for it comes from others too. */
const MAX_GOSSIP_BYTES = 4 * MIB;
const MAX_GOSSIP_MESSAGES = 1_024;

export interface IntakeOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** What the rates of the kinds are multiplied by. */
  readonly rateScale: number;
  readonly setPaused: (isPaused: boolean) => void;
}

/** What one peer may send: its rates, and how much of it handlers are at work on. */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #rates: ReceiveRates;
  #messages = 0;
  #bytes = 0;
  #gossipMessages = 0;
  #gossipBytes = 0;
  #isPaused = false;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#rates = new ReceiveRates(options.now, options.rateScale);
  }

  /** Whether handlers are at work on so much that nothing more is to be read. */
  get isFull(): boolean {
    return this.#bytes > MAX_HANDLED_BYTES || this.#messages > MAX_HANDLED_MESSAGES;
  }

  /**
   * @returns whether a message that begins is wanted
   * @throws PeerFault `too_fast`
   */
  admits(spec: FrameSpec, bytes: number): boolean {
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
    if (this.isFull === this.#isPaused) return;
    this.#isPaused = this.isFull;
    this.#options.setPaused(this.#isPaused);
  }
}
