import { Agent, request } from 'node:http';

export interface LoopbackAnswer {
  readonly status: number;
  /** The first bytes of the body, up to the requested number. */
  readonly body: Buffer;
}

export interface PostOptions {
  /** Number of the answer's bytes to keep; the rest is read and discarded. Default: all. */
  readonly keepBytes?: number;
  /** Aborts the request and hangs up. */
  readonly signal?: AbortSignal;
  /** Default 30,000. */
  readonly timeoutMs?: number;
  /** A list is sent as several lines. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

const TIMEOUT_MS = 30_000;

/**
 * One kept-alive HTTP connection from a chosen loopback address, so that a node on this machine counts clients as
 * separate addresses. The first request opens it; it is reopened if the node has closed it.
 */
export class LoopbackConnection {
  readonly #agent: Agent;
  readonly #host: string;
  readonly #port: string;

  /** @param localAddress any of 127.0.0.0/8, which Linux accepts without configuration */
  constructor(url: string, localAddress: string) {
    const { hostname, port } = new URL(url);
    this.#host = hostname;
    this.#port = port;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress });
  }

  /** Sends a body to the RPC path. @throws Error if no whole answer came */
  post(body: string | Uint8Array, options: PostOptions = {}): Promise<LoopbackAnswer> {
    const headers = {
      'content-type': 'application/json',
      'content-length': typeof body === 'string' ? Buffer.byteLength(body) : body.length,
      ...options.headers,
    };
    return this.#exchange({ method: 'POST', path: '/v2/rpc', headers }, body, options);
  }

  /** @throws Error if no whole answer came */
  get(path: string, options: PostOptions = {}): Promise<LoopbackAnswer> {
    return this.#exchange({ method: 'GET', path }, undefined, options);
  }

  close(): void {
    this.#agent.destroy();
  }

  #exchange(
    what: {
      readonly method: string;
      readonly path: string;
      readonly headers?: Record<string, string | number | string[]>;
    },
    sent: string | Uint8Array | undefined,
    { keepBytes = Number.POSITIVE_INFINITY, signal, timeoutMs = TIMEOUT_MS }: PostOptions,
  ): Promise<LoopbackAnswer> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        { agent: this.#agent, host: this.#host, port: this.#port, ...what },
        (incoming) => {
          const chunks: Buffer[] = [];
          let kept = 0;
          incoming.on('data', (chunk: Buffer) => {
            if (kept >= keepBytes) return;
            chunks.push(chunk);
            kept += chunk.length;
          });
          incoming.on('error', reject);
          incoming.on('end', () =>
            resolve({ status: incoming.statusCode ?? 0, body: Buffer.concat(chunks) }),
          );
        },
      );
      const timer = setTimeout(
        () => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)),
        timeoutMs,
      );
      // Hangs up by a reset: with a thousand ports a second in TIME_WAIT, the search for a free one takes a whole
      // core.
      const hangUp = (): void => {
        outgoing.socket?.resetAndDestroy();
        outgoing.destroy(new Error('hung up'));
      };
      if (signal?.aborted === true) hangUp();
      signal?.addEventListener('abort', hangUp, { once: true });
      outgoing.on('error', reject);
      outgoing.on('close', () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', hangUp);
      });
      outgoing.end(sent);
    });
  }
}

/** The kind of the error at the beginning of an answer, or undefined if it is a result. */
export function refusalIn({ status, body }: LoopbackAnswer): string | undefined {
  const text = body.toString('latin1', 0, 4_096);
  const kind = /"kind":"(\w+)"/.exec(text)?.[1];
  if (kind !== undefined && text.includes('"error"')) return kind;
  return status === 200 || status === 204 ? undefined : `http_${status}`;
}
