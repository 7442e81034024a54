import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { HttpRequest, HttpResponse } from './http-server.js';

/** A document that does not change while the node runs, with its strong ETag and its gzip form made beforehand. */
export class PublishedDocument {
  readonly #contentType: string;
  readonly #plain: Uint8Array;
  readonly #gzipped: Uint8Array;
  readonly #tag: string;

  constructor(contentType: string, text: string) {
    this.#contentType = contentType;
    this.#plain = Buffer.from(text);
    this.#gzipped = gzipSync(this.#plain, { level: 9 });
    this.#tag = createHash('sha256').update(this.#plain).digest('hex').slice(0, 32);
  }

  /** The answer to GET or HEAD (RFC 9110, sections 8.8.3, 12.5.3 and 13.1.2). */
  answer(request: HttpRequest): HttpResponse {
    const gzip = acceptsGzip(request.header('accept-encoding'));
    // Two encodings of one document are two representations, so each has a strong tag of its own.
    const etag = gzip ? `"${this.#tag}-gzip"` : `"${this.#tag}"`;
    const headers: (readonly [string, string])[] = [
      ['etag', etag],
      ['vary', 'Accept-Encoding'],
      ['cache-control', 'no-cache'],
    ];
    if (matches(request.header('if-none-match'), etag)) return { status: 304, headers, body: '' };
    headers.push(['content-type', this.#contentType]);
    if (!gzip) return { status: 200, headers, body: this.#plain };
    headers.push(['content-encoding', 'gzip']);
    return { status: 200, headers, body: this.#gzipped };
  }
}

function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}

/** Whether gzip is named, or `*` stands for it, with a weight above zero. */
function acceptsGzip(acceptEncoding: string): boolean {
  let wildcard = false;
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const wanted = !parameters.some((parameter) => /^q\s*=\s*0(\.0{0,3})?$/.test(parameter));
    if (coding === 'gzip' || coding === 'x-gzip') return wanted;
    if (coding === '*') wildcard = wanted;
  }
  return wildcard;
}
