import pLimit, { type LimitFunction } from 'p-limit';
import { ClientError } from './client-error.js';
import type { Transport, TransportAnswer, TransportRequestOptions } from './transport.js';

/** The way to the node that all callers of one client share: one count of ids, and one limit on requests under way. */
export class LimitedTransport {
  readonly #transport: Transport;
  readonly #limit: LimitFunction;
  #lastId = 0;
  #closed: Promise<void> | undefined;

  /** @param maxConcurrent requests under way at a time, at least 1; more wait their turn */
  constructor(transport: Transport, maxConcurrent: number) {
    this.#transport = transport;
    this.#limit = pLimit(maxConcurrent);
  }

  /** Where the transport leads, for messages. */
  get endpoint(): string {
    return this.#transport.endpoint;
  }

  /** An id for one call, which no other call of the client has. */
  nextId(): number {
    return ++this.#lastId;
  }

  /** Does work that makes one request, once there is room for it. */
  withLimit<T>(work: () => Promise<T>): Promise<T> {
    return this.#limit(work);
  }

  /**
   * Sends one message and brings the answer to it; to be called in turn.
   * @throws ClientError `closed` after {@link close}; what the transport throws
   */
  async request(message: string, options: TransportRequestOptions): Promise<TransportAnswer> {
    if (this.#closed !== undefined) throw new ClientError('closed', `${this.endpoint}: the client is closed`);
    return this.#transport.request(message, options);
  }

  /** Closes the transport, once however often it is called; nothing is requested from it afterwards. */
  close(): Promise<void> {
    this.#closed ??= this.#closeTransport();
    return this.#closed;
  }

  async #closeTransport(): Promise<void> {
    await this.#transport.close?.();
  }
}
