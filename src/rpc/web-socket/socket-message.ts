import type { BorrowedBody } from '../http/http-server.js';
import type { Subscriber } from '../subscriptions/subscriber.js';
import type { RequestSpan } from '../tracing/tracing.js';

/** The sender of a connection's messages, as its upgrade request describes it. */
export interface SocketPeer {
  /** Behind a trusted proxy the address of its client. */
  readonly remoteAddress: string;
  /** `Authorization` of the upgrade request. */
  readonly authorization: string;
}

/** One message of a WebSocket, which is answered like the body of a POST. */
export class SocketMessage implements BorrowedBody {
  /** Empty once the message is being answered. */
  body: Uint8Array;
  readonly remoteAddress: string;
  readonly subscriber: Subscriber;
  /** Set on first use, per message; see `RequestIds`. */
  requestId?: string | undefined;
  /** Set if the message is traced. */
  span?: RequestSpan | undefined;
  readonly #peer: SocketPeer;
  #controller: AbortController | undefined;
  #isOver = false;

  constructor(body: Uint8Array, peer: SocketPeer, subscriber: Subscriber) {
    this.body = body;
    this.remoteAddress = peer.remoteAddress;
    this.#peer = peer;
    this.subscriber = subscriber;
  }

  keepBody(): Uint8Array {
    // Not `slice`, which shares the memory of a Buffer.
    return new Uint8Array(this.body);
  }

  header(name: string): string {
    return name === 'authorization' ? this.#peer.authorization : '';
  }

  /** Aborted when the connection ends before the answer; created on first use. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isOver) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** True once the message has been answered or its connection has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  answered(): void {
    this.#isOver = true;
  }

  abandon(): void {
    this.#isOver = true;
    this.#controller?.abort();
  }
}
