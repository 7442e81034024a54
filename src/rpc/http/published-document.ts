import { gzipSync } from 'node:zlib';
import etag from 'etag';
import fresh from 'fresh';
import Negotiator from 'negotiator';
import type { HttpRequest, HttpResponse } from './http-server.js';

/** One encoding of a document; each has its own strong ETag. */
interface Representation {
  readonly body: Uint8Array;
  readonly etag: string;
}

export interface DocumentOptions {
  readonly gzipped?: Uint8Array;
  /** Value of `Cache-Control`; default `no-cache`: caches keep the document and ask whether it has changed. */
  readonly cacheControl?: string;
  readonly headers?: HttpResponse['headers'];
}

/** A document that is constant while the node runs, compressed in advance. */
export class PublishedDocument {
  readonly #contentType: string;
  readonly #plain: Representation;
  readonly #gzipped: Representation;
  readonly #headers: HttpResponse['headers'];

  constructor(contentType: string, content: string | Uint8Array, options: DocumentOptions = {}) {
    const { gzipped, cacheControl = 'no-cache', headers = [] } = options;
    this.#contentType = contentType;
    const plain = Buffer.from(content);
    this.#plain = representation(plain);
    this.#gzipped = representation(Buffer.from(gzipped ?? gzipSync(plain, { level: 9 })));
    this.#headers = [['vary', 'Accept-Encoding'], ['cache-control', cacheControl], ...headers];
  }

  /** The answer to GET or HEAD (RFC 9110, sections 8.8.3, 12.5.3 and 13.1.2). */
  answer(request: HttpRequest): HttpResponse {
    const gzip = acceptsGzip(request.header('accept-encoding'));
    const { body, etag } = gzip ? this.#gzipped : this.#plain;
    const headers: (readonly [string, string])[] = [['etag', etag], ...this.#headers];
    if (fresh({ 'if-none-match': request.header('if-none-match') }, { etag })) {
      return { status: 304, headers, body: '' };
    }
    headers.push(['content-type', this.#contentType]);
    if (gzip) headers.push(['content-encoding', 'gzip']);
    return { status: 200, headers, body };
  }
}

function representation(body: Buffer): Representation {
  return { body, etag: etag(body) };
}

function acceptsGzip(acceptEncoding: string): boolean {
  // `x-gzip` is an alias of `gzip` (RFC 9110, section 8.4.1.3).
  const header = acceptEncoding.replace(/\bx-gzip\b/gi, 'gzip');
  return new Negotiator({ headers: { 'accept-encoding': header } }).encodings(['gzip']).length > 0;
}
