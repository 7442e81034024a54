import { ClientError } from './client-error.js';

/**
 * A way to a node: bytes and connections. What the bytes mean (JSON-RPC, batches) and what is tried again is the client's
 * part, so a transport sends each message once and says honestly how that failed. Any number of requests may be under way.
 *
 * `httpTransport` is the one that `connect` uses where it gets a URL. Another, for a WebSocket or for tests:
 *
 * @example
 * const http = httpTransport('http://127.0.0.1:9545');
 * const logged = {
 *   endpoint: http.endpoint,
 *   request: (message, options) => {
 *     console.log(message);
 *     return http.request(message, options);
 *   },
 * };
 * const { tip } = await connect(logged).status();
 */
export interface Transport {
  /** Where it leads, for messages, such as `http://127.0.0.1:9545/v2/rpc`. */
  readonly endpoint: string;
  /**
   * Sends one message and brings the answer to it.
   * @param message a JSON-RPC 2.0 request, or a batch of them. Where answers come in any order over one connection, the `id`
   *   of a request, or of any in the batch, tells which answer is this message's
   * @throws NeverSentError where the node cannot have seen the message
   * @throws ClientError `unreachable` where it may have, but no answer came; `timeout` after `timeoutMs`
   * @throws the signal's reason where that ended the wait
   */
  request(message: string, options: TransportRequestOptions): Promise<TransportAnswer>;
  /** Ends connections that are kept open. Called once, by `client.close()`; nothing is requested after it. */
  close?(): void | Promise<void>;
}

export interface TransportRequestOptions {
  /** How long to wait for the answer, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What came back. */
export interface TransportAnswer {
  readonly text: string;
  /** How it came, for messages about answers that are no JSON-RPC, such as `HTTP 404`. */
  readonly label?: string;
  /**
   * Whether something before the node may have written it because it found no node. Such an answer counts as `unreachable`
   * unless it is JSON-RPC.
   */
  readonly mayBeProxy?: boolean;
}

/** A {@link ClientError} `unreachable` for a message that the node cannot have seen: sending it again is always safe. */
export class NeverSentError extends ClientError {
  constructor(message: string, options: ErrorOptions = {}) {
    super('unreachable', message, options);
  }
}
