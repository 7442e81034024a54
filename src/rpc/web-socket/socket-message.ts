import { Abortable } from '../../async/abortable.js';
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
export class SocketMessage extends Abortable implements BorrowedBody {
  /** Empty once the message is being answered. */
  body: Uint8Array;
  readonly remoteAddress: string;
  readonly subscriber: Subscriber;
  /** Set on first use, per message; see `RequestIds`. */
  requestId?: string | undefined;
  /** Set if the message is traced. */
  span?: RequestSpan | undefined;
  readonly #peer: SocketPeer;

  constructor(body: Uint8Array, peer: SocketPeer, subscriber: Subscriber) {
    super();
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
}
