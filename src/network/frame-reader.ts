import {
  HEADER_BYTES,
  LARGE_NUMBER,
  LARGE_PAYLOAD_BYTES,
  PIECE_BYTES,
  PIECE_NUMBER,
} from './frame-format.js';
import { FRAME_NUMBERS, type FrameClass, type FrameSpec } from './frame-kinds.js';
import { PeerFault } from './mesh-error.js';

/** Receives the messages that {@link FrameReader} reads. */
export interface FrameSink {
  /**
   * Called when a message begins. No part of it has been buffered, and its length is within the kind's limit.
   * @returns false to skip the message
   * @throws PeerFault
   */
  begin(spec: FrameSpec, bytes: number): boolean;
  /** Called with a complete message; the payload is only valid during the call. @throws PeerFault */
  message(spec: FrameSpec, payload: Uint8Array): void;
}

interface Frame {
  readonly number: number;
  readonly length: number;
  /** The message's spec; undefined for parts of a large message. */
  readonly spec: FrameSpec | undefined;
  readonly wanted: boolean;
  /** Set if the frame arrives in more than one chunk. */
  buffer: Buffer | undefined;
  received: number;
}

const NOTHING = Buffer.alloc(0);

interface LargeMessage {
  readonly spec: FrameSpec;
  readonly bytes: number;
  readonly wanted: boolean;
  readonly pieces: Uint8Array[];
  received: number;
}

/**
 * Parses a peer's byte stream. Checks lengths before it buffers anything, and holds at most one frame and one large
 * message per class. Guarded by bench/mesh.bench.ts.
 */
export class FrameReader {
  readonly #sink: FrameSink;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerReceived = 0;
  #frame: Frame | undefined;
  readonly #large = new Map<FrameClass, LargeMessage>();
  #closed = false;

  constructor(sink: FrameSink) {
    this.#sink = sink;
  }

  /** Reads bytes, with any chunk boundaries. @throws PeerFault if they are invalid or the sink throws one */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.#closed) {
      const frame = this.#frame;
      at = frame === undefined ? this.#readHeader(chunk, at) : this.#readPayload(frame, chunk, at);
    }
  }

  /** Stops calling the sink and drops buffered data. */
  close(): void {
    this.#closed = true;
    this.#frame = undefined;
    this.#large.clear();
  }

  #readHeader(chunk: Buffer, at: number): number {
    if (this.#headerReceived === 0 && chunk.length - at >= HEADER_BYTES) {
      this.#start(chunk, at);
      return at + HEADER_BYTES;
    }
    const end = Math.min(chunk.length, at + HEADER_BYTES - this.#headerReceived);
    this.#header.set(chunk.subarray(at, end), this.#headerReceived);
    this.#headerReceived += end - at;
    if (this.#headerReceived === HEADER_BYTES) {
      this.#headerReceived = 0;
      this.#start(this.#header, 0);
    }
    return end;
  }

  #start(bytes: Buffer, at: number): void {
    const length = bytes.readUInt32LE(at);
    const frame = this.#begin(bytes.readUInt8(at + 4), length);
    if (length === 0) this.#finish(frame, frame.wanted ? NOTHING : undefined);
    else this.#frame = frame;
  }

  #begin(number: number, length: number): Frame {
    if (number === LARGE_NUMBER || number === PIECE_NUMBER) {
      const max = number === LARGE_NUMBER ? LARGE_PAYLOAD_BYTES : 1 + PIECE_BYTES;
      if (length > max) throw new PeerFault('too_large', `a part of ${length} bytes; the limit is ${max}`);
      return { number, length, spec: undefined, wanted: true, buffer: undefined, received: 0 };
    }
    const spec = specOf(number);
    if (length > Math.min(spec.maxBytes, PIECE_BYTES)) throw tooLarge(spec, length);
    const wanted = this.#sink.begin(spec, length);
    return { number, length, spec, wanted, buffer: undefined, received: 0 };
  }

  #readPayload(frame: Frame, chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + frame.length - frame.received);
    const part = chunk.subarray(at, end);
    const isWhole = part.length === frame.length;
    if (frame.wanted && !isWhole) {
      frame.buffer ??= Buffer.allocUnsafeSlow(frame.length);
      frame.buffer.set(part, frame.received);
    }
    frame.received += part.length;
    if (frame.received === frame.length) {
      this.#frame = undefined;
      this.#finish(frame, isWhole && frame.wanted ? part : frame.buffer);
    }
    return end;
  }

  #finish({ number, spec }: Frame, payload: Buffer | undefined): void {
    if (payload === undefined) return;
    if (spec !== undefined) this.#sink.message(spec, payload);
    else if (number === LARGE_NUMBER) this.#beginLarge(payload);
    else this.#addPiece(payload);
  }

  #beginLarge(payload: Buffer): void {
    if (payload.length !== LARGE_PAYLOAD_BYTES)
      throw new PeerFault('bad_frame', 'truncated announcement of a large message');
    const spec = specOf(payload.readUInt8(0));
    const bytes = payload.readUInt32LE(1);
    if (bytes > spec.maxBytes) throw tooLarge(spec, bytes);
    if (bytes <= PIECE_BYTES)
      throw new PeerFault('bad_frame', `${bytes} bytes are too few for a large message`);
    if (this.#large.has(spec.class)) {
      throw new PeerFault('bad_frame', `${spec.kind} begins before another message of its class has ended`);
    }
    const wanted = this.#sink.begin(spec, bytes);
    this.#large.set(spec.class, { spec, bytes, wanted, pieces: [], received: 0 });
  }

  #addPiece(payload: Buffer): void {
    const spec = specOf(payload[0] ?? 0);
    const message = this.#large.get(spec.class);
    if (message?.spec !== spec) throw new PeerFault('bad_frame', `unexpected piece of ${spec.kind}`);
    const bytes = payload.length - 1;
    const expected = Math.min(PIECE_BYTES, message.bytes - message.received);
    if (bytes !== expected) {
      throw new PeerFault('bad_frame', `expected a piece of ${expected} bytes, got one of ${bytes}`);
    }
    message.received += bytes;
    if (message.wanted) message.pieces.push(new Uint8Array(payload.subarray(1)));
    if (message.received < message.bytes) return;
    this.#large.delete(spec.class);
    if (message.wanted) this.#sink.message(spec, Buffer.concat(message.pieces));
  }
}

function specOf(number: number): FrameSpec {
  const spec = FRAME_NUMBERS.get(number);
  if (spec === undefined) throw new PeerFault('bad_frame', `unknown kind ${number}`);
  return spec;
}

function tooLarge(spec: FrameSpec, bytes: number): PeerFault {
  return new PeerFault('too_large', `${spec.kind} of ${bytes} bytes; the limit is ${spec.maxBytes}`);
}
