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

/** A document that is constant while the node runs, compressed in advance. */
export class PublishedDocument {
  readonly #contentType: string;
  readonly #plain: Representation;
  readonly #gzipped: Representation;

  constructor(contentType: string, text: string) {
    this.#contentType = contentType;
    const plain = Buffer.from(text);
    this.#plain = representation(plain);
    this.#gzipped = representation(gzipSync(plain, { level: 9 }));
  }

  /** The answer to GET or HEAD (RFC 9110, sections 8.8.3, 12.5.3 and 13.1.2). */
  answer(request: HttpRequest): HttpResponse {
    const gzip = acceptsGzip(request.header('accept-encoding'));
    const { body, etag } = gzip ? this.#gzipped : this.#plain;
    const headers: (readonly [string, string])[] = [
      ['etag', etag],
      ['vary', 'Accept-Encoding'],
      ['cache-control', 'no-cache'],
    ];
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
