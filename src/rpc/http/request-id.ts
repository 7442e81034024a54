import { randomFillSync } from 'node:crypto';
import { type HttpResponse, isShared, type RequestHead } from './http-server.js';

/**
 * Maximum length of a request id from a client. Private keys, the token secret and tokens are longer, so the node
 * neither logs nor echoes one that is sent as an id by mistake.
 */
const MAX_REQUEST_ID = 63;
export const REQUEST_ID_HEADER = 'x-request-id';

const ID_BYTES = 8;
const POOL_BYTES = 512 * ID_BYTES;

/** Request ids: the client's if it is valid, else 16 random hex digits, drawn for many ids at once. */
export class RequestIds {
  readonly #pool = Buffer.alloc(POOL_BYTES);
  #at = POOL_BYTES;

  of(request: RequestHead): string {
    if (request.requestId === undefined) {
      const given = request.header(REQUEST_ID_HEADER);
      request.requestId = isValid(given) ? given : this.#next();
    }
    return request.requestId;
  }

  /** Adds the id to an answer that has an error, or whose client sent one: others have no use for it. */
  mark(request: RequestHead, response: HttpResponse): HttpResponse {
    if (response.isError !== true && request.header(REQUEST_ID_HEADER) === '') return response;
    if (isShared(response)) return response;
    return { ...response, headers: [...response.headers, [REQUEST_ID_HEADER, this.of(request)]] };
  }

  #next(): string {
    if (this.#at === POOL_BYTES) {
      randomFillSync(this.#pool);
      this.#at = 0;
    }
    const start = this.#at;
    this.#at += ID_BYTES;
    return this.#pool.toString('hex', start, this.#at);
  }
}

function isValid(text: string): boolean {
  return text.length <= MAX_REQUEST_ID && /^[A-Za-z0-9\-._~:+/=@]+$/.test(text);
}
