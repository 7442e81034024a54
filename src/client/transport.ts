import { ClientError } from './client-error.js';

/**
 * A connection to a node that transfers raw messages. The client handles JSON-RPC, batches and retries, so a
 * transport sends each message once and reports precisely how the sending failed. Any number of requests may be
 * in flight.
 *
 * `connect` uses `httpTransport` for URLs. A custom one, for WebSockets or tests:
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
  /** Endpoint for messages, such as `http://127.0.0.1:9545/v2/rpc`. */
  readonly endpoint: string;
  /**
   * Sends one message and returns the response.
   * @param message a JSON-RPC 2.0 request or a batch. If responses arrive out of order over one connection, match them
   *   by the `id` of the request, or of any in the batch.
   * @throws NeverSentError if the node cannot have seen the message
   * @throws ClientError `unreachable` if it may have, but no response came; `timeout` after `timeoutMs`
   * @throws the signal's reason after an abort
   */
  request(message: string, options: TransportRequestOptions): Promise<TransportAnswer>;
  /** Closes idle connections. Called once, by `client.close()`; no request follows. */
  close?(): void | Promise<void>;
}

export interface TransportRequestOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface TransportAnswer {
  readonly text: string;
  /** Description of the response for error messages if it is not JSON-RPC, such as `HTTP 404`. */
  readonly label?: string;
  /**
   * True if a proxy may have written the response because it could not reach the node. Such a response counts as
   * `unreachable` unless it is JSON-RPC.
   */
  readonly mayBeProxy?: boolean;
}

/**
 * A {@link ClientError} `unreachable` for a message that the node cannot have seen; sending it again is always safe.
 */
export class NeverSentError extends ClientError {
  constructor(message: string, options: ErrorOptions = {}) {
    super('unreachable', message, options);
  }
}
