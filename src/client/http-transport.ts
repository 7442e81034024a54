import { BodyTooLongError, boundedText } from '../async/bounded-text.js';
import { ClientError } from './client-error.js';
import {
  NeverSentError,
  type Transport,
  type TransportAnswer,
  type TransportRequestOptions,
} from './transport.js';

export interface HttpTransportOptions {
  /** Bearer token, for methods that need one; sent with every request. */
  readonly token?: string | undefined;
  /** Maximum size of a response in bytes, decompressed; default 32 MiB, twice the default limit of a node. */
  readonly maxResponseBytes?: number | undefined;
  /** Replacement for the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export const DEFAULT_MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/**
 * Creates a transport that sends messages as HTTP POST requests with `fetch`, which keeps connections alive. It follows no
 * redirects, because only the named node may respond.
 * @param url such as `http://127.0.0.1:9545`, including the node's base path, if configured
 * @throws ClientError `bad_url` if it is not an http or https URL
 *
 * @example
 * const client = connect(httpTransport('http://127.0.0.1:9545'));
 * const { tip } = await client.status();
 */
export function httpTransport(url: string, options: HttpTransportOptions = {}): Transport {
  const endpoint = endpointOf(url);
  const { token, maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES, fetch: send = fetch } = options;
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const request = async (
    body: string,
    { timeoutMs, signal }: TransportRequestOptions,
  ): Promise<TransportAnswer> => {
    signal?.throwIfAborted();
    const controller = new AbortController();
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      controller.abort();
    }, timeoutMs);
    const onAbort = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const sent = { method: 'POST', headers, body, signal: controller.signal, redirect: 'error' } as const;
      const response = await send(endpoint, sent);
      return httpAnswer(response.status, await boundedText(response, maxResponseBytes));
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (timedOut) throw timedOutAfter(endpoint, timeoutMs, error);
      throw error instanceof BodyTooLongError
        ? tooLong(endpoint, maxResponseBytes)
        : unreachable(endpoint, error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  };
  return { endpoint, request };
}

const RPC_PATH = '/v2/rpc';

/**
 * The RPC endpoint of a URL, which may have a base path, a trailing slash, or already end in the endpoint's path.
 * @throws ClientError `bad_url` if it is not an http or https URL
 */
export function endpointOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    const reason = `expected a URL such as http://127.0.0.1:9545, got ${JSON.stringify(url)}`;
    throw new ClientError('bad_url', reason);
  }
  const base = url.replace(/\/+$/, '');
  return base.endsWith(RPC_PATH) ? base : base + RPC_PATH;
}

/** Error codes of failures before the request was sent. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Statuses that a proxy returns if it cannot reach the node. */
const GATEWAY_STATUSES = [502, 503, 504];

export function httpAnswer(status: number, text: string): TransportAnswer {
  return { text, label: `HTTP ${status}`, mayBeProxy: GATEWAY_STATUSES.includes(status) };
}

export function timedOutAfter(url: string, timeoutMs: number, cause?: unknown): ClientError {
  return new ClientError('timeout', `no answer from ${url} within ${timeoutMs} ms`, { cause });
}

export function tooLong(url: string, maxBytes: number): ClientError {
  return new ClientError('bad_answer', `the answer from ${url} is longer than ${maxBytes} bytes`);
}

/** Error for an unanswered message; a {@link NeverSentError} if the message cannot have reached the node. */
export function unreachable(url: string, cause: unknown): ClientError {
  const code = codeOf(cause);
  const message = `no node answers at ${url} (${code ?? deepestMessage(cause)})${foreignPageHint(url)}`;
  return code !== undefined && NEVER_SENT.includes(code)
    ? new NeverSentError(message, { cause })
    : new ClientError('unreachable', message, { cause });
}

/** Browsers do not tell a page why they withhold an answer. */
function foreignPageHint(url: string): string {
  const { location } = globalThis as { readonly location?: { readonly origin?: string } };
  const origin = location?.origin;
  if (origin === undefined || origin === new URL(url).origin) return '';
  return `; if it runs, it has to allow pages of ${origin} (CORS): heddle start --cors-origin ${origin}`;
}

/** The innermost error's message: `fetch` itself only says "fetch failed". */
function deepestMessage(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && depth < 4 ? deepestMessage(error.cause, depth + 1) : error.message;
}

/** The system error code, which `fetch` hides in a nested cause. */
function codeOf(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 4) return undefined;
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return codeOf(inner, depth + 1);
}
