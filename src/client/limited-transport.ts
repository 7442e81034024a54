import pLimit, { type LimitFunction } from 'p-limit';
import { ClientError } from './client-error.js';
import type { Transport, TransportAnswer, TransportRequestOptions } from './transport.js';

/** Connection shared by all callers of a client: one sequence of ids and one limit on requests in flight. */
export class LimitedTransport {
  readonly #transport: Transport;
  readonly #limit: LimitFunction;
  #lastId = 0;
  #closed: Promise<void> | undefined;

  /** @param maxConcurrent maximum requests in flight, at least 1; further ones are queued */
  constructor(transport: Transport, maxConcurrent: number) {
    this.#transport = transport;
    this.#limit = pLimit(maxConcurrent);
  }

  /** Endpoint of the transport, for messages. */
  get endpoint(): string {
    return this.#transport.endpoint;
  }

  /** An id that is unique among the client's calls. */
  nextId(): number {
    return ++this.#lastId;
  }

  /** Runs work that makes one request, within the limit. */
  withLimit<T>(work: () => Promise<T>): Promise<T> {
    return this.#limit(work);
  }

  /** Sends a message; only inside {@link withLimit}. @throws ClientError `closed` after {@link close} */
  async request(message: string, options: TransportRequestOptions): Promise<TransportAnswer> {
    if (this.#closed !== undefined) throw new ClientError('closed', `${this.endpoint}: the client is closed`);
    return this.#transport.request(message, options);
  }

  /** Closes the transport once; later requests fail. Repeated calls have no effect. */
  close(): Promise<void> {
    this.#closed ??= this.#closeTransport();
    return this.#closed;
  }

  async #closeTransport(): Promise<void> {
    await this.#transport.close?.();
  }
}
