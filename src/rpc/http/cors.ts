import type { HttpRequest, HttpResponse } from './http-server.js';

/** The web pages that may call the node from a browser; none by default. */
export interface CorsOptions {
  /** Origins such as `https://app.example`, or `*` for all. */
  readonly origins: readonly string[];
  /** Whether pages served on this machine may, such as those of `http://localhost:5173`; absent if they never may. */
  readonly localPages?: (() => boolean) | undefined;
}

const LOCAL_ORIGIN = /^https?:\/\/(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/;

type Headers = HttpResponse['headers'];

/** How long a browser may cache a preflight response, in seconds. */
const PREFLIGHT_MAX_AGE = '600';
const VARY_ORIGIN: Headers = [['vary', 'Origin']];

/** Cross-origin resource sharing (Fetch standard, section "CORS protocol"), without credentials. */
export class Cors {
  readonly enabled: boolean;
  readonly #anyOrigin: boolean;
  readonly #origins: ReadonlySet<string>;
  readonly #localPages: (() => boolean) | undefined;

  constructor({ origins, localPages }: CorsOptions) {
    this.enabled = origins.length > 0 || localPages !== undefined;
    this.#localPages = localPages;
    this.#anyOrigin = origins.includes('*');
    this.#origins = new Set(origins);
  }

  allows(origin: string): boolean {
    if (this.#anyOrigin || this.#origins.has(origin)) return true;
    return this.#localPages?.() === true && LOCAL_ORIGIN.test(origin);
  }

  /** Adds the headers that let the requesting page read the response if its origin is allowed. */
  share(request: HttpRequest, response: HttpResponse): HttpResponse {
    // No cache keeps the answer to a POST for a page.
    if (request.method === 'POST' && request.header('origin') === '') return response;
    const allowed = this.#allowed(request);
    return { ...response, headers: [...response.headers, ...allowed] };
  }

  /** The answer to an OPTIONS request. @param methods methods of the path, for `Allow` */
  preflight(request: HttpRequest, methods: string): HttpResponse {
    const headers: (readonly [string, string])[] = [['allow', methods]];
    if (this.enabled) {
      headers.push(...this.#allowed(request));
      headers.push(['access-control-allow-methods', methods]);
      headers.push(['access-control-allow-headers', 'content-type, authorization']);
      headers.push(['access-control-max-age', PREFLIGHT_MAX_AGE]);
    }
    return { status: 204, headers, body: '' };
  }

  #allowed(request: HttpRequest): Headers {
    const origin = request.header('origin');
    const expose = ['access-control-expose-headers', 'etag, retry-after, www-authenticate'] as const;
    if (this.#anyOrigin) return [['access-control-allow-origin', '*'], expose];
    if (!this.allows(origin)) return VARY_ORIGIN;
    return [['access-control-allow-origin', origin], expose, ...VARY_ORIGIN];
  }
}
