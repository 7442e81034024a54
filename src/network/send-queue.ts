import { largeFrame, PIECE_BYTES, pieceFrame, wholeFrame } from './frame-format.js';
import { FRAME_CLASSES, type FrameClass, type FrameKind, type FrameSpec } from './frame-kinds.js';

/** Maximum backlog of a class per peer, and the policy on overflow. */
export interface QueueBound {
  readonly frames: number;
  readonly bytes: number;
  /** `close` ends the connection, since the peer has missed too much; `oldest` and `newest` discard one message. */
  readonly onOverflow: 'close' | 'oldest' | 'newest';
}

const MIB = 1024 * 1024;

const QUEUE_BOUNDS: { readonly [C in FrameClass]: QueueBound } = {
  control: { frames: 64, bytes: 4 * 1024, onOverflow: 'close' },
  vote: { frames: 16_384, bytes: 4 * MIB, onOverflow: 'close' },
  block: { frames: 64, bytes: 16 * MIB, onOverflow: 'oldest' },
  sync: { frames: 1_024, bytes: 16 * MIB, onOverflow: 'newest' },
  gossip: { frames: 4_096, bytes: 8 * MIB, onOverflow: 'oldest' },
};

interface Waiting {
  readonly spec: FrameSpec;
  readonly payload: Uint8Array;
}

interface PartiallySent extends Waiting {
  sent: number;
}

class ClassQueue {
  readonly bound: QueueBound;
  bytes = 0;
  #items: Waiting[] = [];
  #head = 0;
  partiallySent: PartiallySent | undefined;

  constructor(bound: QueueBound) {
    this.bound = bound;
  }

  get length(): number {
    return this.#items.length - this.#head;
  }

  isFullFor(bytes: number): boolean {
    return this.length >= this.bound.frames || this.bytes + bytes > this.bound.bytes;
  }

  push(item: Waiting): void {
    this.#items.push(item);
    this.bytes += item.payload.length;
  }

  shift(): Waiting | undefined {
    const item = this.#items[this.#head];
    if (item === undefined) return undefined;
    this.#head++;
    this.bytes -= item.payload.length;
    // Compacted only now and then, so that shift takes amortized constant time.
    if (this.#head > 64 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }

  /** Requeues the partially sent message at the front, to be sent again from the start. */
  rewind(): void {
    if (this.partiallySent === undefined) return;
    const { spec, payload } = this.partiallySent;
    this.partiallySent = undefined;
    this.#items = [{ spec, payload }, ...this.#items.slice(this.#head)];
    this.#head = 0;
    this.bytes += payload.length;
  }

  clear(): void {
    this.#items = [];
    this.#head = 0;
    this.bytes = 0;
    this.partiallySent = undefined;
  }
}

/** Result of queuing a message, with the kinds of the messages discarded. */
export interface OfferResult {
  readonly accepted: boolean;
  readonly discarded: readonly FrameKind[];
  /** True if the connection must be closed. */
  readonly overflow: boolean;
}

const ACCEPTED: OfferResult = { accepted: true, discarded: [], overflow: false };

/** Outgoing messages for one peer: bounded by class, most urgent first. */
export class SendQueue {
  readonly #classes: { readonly [C in FrameClass]: ClassQueue };

  /** @param bounds overrides the default limits */
  constructor(bounds: { readonly [C in FrameClass]: QueueBound } = QUEUE_BOUNDS) {
    this.#classes = {
      control: new ClassQueue(bounds.control),
      vote: new ClassQueue(bounds.vote),
      block: new ClassQueue(bounds.block),
      sync: new ClassQueue(bounds.sync),
      gossip: new ClassQueue(bounds.gossip),
    };
  }

  get bytes(): number {
    let bytes = 0;
    for (const name of FRAME_CLASSES) {
      const { bytes: waiting, partiallySent } = this.#classes[name];
      bytes += waiting + (partiallySent?.payload.length ?? 0);
    }
    return bytes;
  }

  /** Queues a message; the payload is not copied. */
  offer(spec: FrameSpec, payload: Uint8Array): OfferResult {
    const queue = this.#classes[spec.class];
    if (!queue.isFullFor(payload.length)) {
      queue.push({ spec, payload });
      return ACCEPTED;
    }
    if (queue.bound.onOverflow === 'close')
      return { accepted: false, discarded: [spec.kind], overflow: true };
    if (queue.bound.onOverflow === 'newest')
      return { accepted: false, discarded: [spec.kind], overflow: false };
    const discarded: FrameKind[] = [];
    while (queue.length > 0 && queue.isFullFor(payload.length)) {
      const oldest = queue.shift();
      if (oldest !== undefined) discarded.push(oldest.spec.kind);
    }
    queue.push({ spec, payload });
    return { accepted: true, discarded, overflow: false };
  }

  /** The next whole frames, of at least `atLeast` bytes if there are so many; undefined if empty. */
  next(atLeast: number): Buffer | undefined {
    const frames: Buffer[] = [];
    let bytes = 0;
    while (bytes < atLeast) {
      const frame = this.#nextFrame();
      if (frame === undefined) break;
      frames.push(frame);
      bytes += frame.length;
    }
    if (frames.length <= 1) return frames[0];
    return Buffer.concat(frames, bytes);
  }

  /** Prepares for a new connection: large messages restart from the beginning. */
  rewind(): void {
    for (const name of FRAME_CLASSES) this.#classes[name].rewind();
  }

  clear(): void {
    for (const name of FRAME_CLASSES) this.#classes[name].clear();
  }

  #nextFrame(): Buffer | undefined {
    for (const name of FRAME_CLASSES) {
      const queue = this.#classes[name];
      const { partiallySent } = queue;
      if (partiallySent !== undefined) {
        const frame = pieceFrame(partiallySent.spec, partiallySent.payload, partiallySent.sent);
        partiallySent.sent += PIECE_BYTES;
        if (partiallySent.sent >= partiallySent.payload.length) queue.partiallySent = undefined;
        return frame;
      }
      const first = queue.shift();
      if (first === undefined) continue;
      if (first.payload.length <= PIECE_BYTES) return wholeFrame(first.spec, first.payload);
      queue.partiallySent = { ...first, sent: 0 };
      return largeFrame(first.spec, first.payload);
    }
    return undefined;
  }
}
