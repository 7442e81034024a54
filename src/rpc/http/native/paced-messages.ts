import type { UwsWebSocket } from './uws-binding.js';

/** Maximum length of a piece. Longer messages are sent in fragments (RFC 6455, section 5.4). */
const PIECE_BYTES = 32 * 1024;
/** Approximate memory of a queued message beyond its bytes. */
const MESSAGE_OVERHEAD = 160;

export type MessageSocket = Pick<
  UwsWebSocket<unknown>,
  'send' | 'sendFirstFragment' | 'sendFragment' | 'sendLastFragment' | 'getBufferedAmount'
>;

/**
 * Sends the messages of a WebSocket. The library gets a piece at a time, because it keeps its own buffer after the peer
 * has begun to close, until the peer reads it: that memory could neither be counted nor taken back.
 */
export class PacedMessages {
  readonly #socket: MessageSocket;
  /** Messages that are not sent completely; the first {@link #sent} bytes of the first one are. */
  #queue: Uint8Array[] = [];
  #first = 0;
  #sent = 0;
  #queuedBytes = 0;
  #isOver = false;

  constructor(socket: MessageSocket) {
    this.#socket = socket;
  }

  get unsentBytes(): number {
    return this.#isOver ? 0 : this.#queuedBytes + this.#socket.getBufferedAmount();
  }

  get heldBytes(): number {
    return this.unsentBytes + (this.#queue.length - this.#first) * MESSAGE_OVERHEAD;
  }

  /** @param message a string, or UTF-8 bytes that do not change any more */
  send(message: string | Uint8Array): void {
    if (this.#isOver) return;
    const isShort = message.length <= PIECE_BYTES;
    if (isShort && this.#queue.length === 0 && this.#socket.getBufferedAmount() === 0) {
      this.#socket.send(message, false);
      return;
    }
    const bytes = typeof message === 'string' ? Buffer.from(message) : message;
    this.#queue.push(bytes);
    this.#queuedBytes += bytes.length;
    this.flush();
  }

  /** Sends as much as the system takes. Called whenever it has taken what the library had buffered. */
  flush(): void {
    while (!this.#isOver && this.#first < this.#queue.length && this.#socket.getBufferedAmount() === 0) {
      this.#sendPiece(this.#queue[this.#first] ?? NO_BYTES);
    }
  }

  /** Drops everything unsent. Called when the WebSocket ends, after which the library's object must not be used. */
  end(): void {
    this.#isOver = true;
    this.#queue = [];
    this.#queuedBytes = 0;
  }

  #sendPiece(message: Uint8Array): void {
    const start = this.#sent;
    const piece = message.subarray(start, start + PIECE_BYTES);
    const isLast = start + piece.length === message.length;
    this.#queuedBytes -= piece.length;
    if (isLast) this.#shift();
    else this.#sent += piece.length;
    if (start > 0) {
      if (isLast) this.#socket.sendLastFragment(piece);
      else this.#socket.sendFragment(piece);
    } else if (isLast) this.#socket.send(piece, false);
    else this.#socket.sendFirstFragment(piece, false);
  }

  #shift(): void {
    this.#sent = 0;
    this.#first++;
    // Less often than it shifts, because it moves the whole rest.
    if (2 * this.#first < this.#queue.length) return;
    this.#queue = this.#queue.slice(this.#first);
    this.#first = 0;
  }
}

const NO_BYTES = new Uint8Array(0);
