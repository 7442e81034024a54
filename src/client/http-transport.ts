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
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * Messages as HTTP POST requests, by `fetch`, which keeps connections by itself.
 * @param url such as `http://127.0.0.1:9545`, with the path that the node was given as base URL, if any
 * @throws ClientError `bad_url` where it is no http or https URL
 *
 * @example
 * const client = connect(httpTransport('http://127.0.0.1:9545'));
 * const { tip } = await client.status();
 */
export function httpTransport(url: string, options: HttpTransportOptions = {}): Transport {
  const endpoint = endpointOf(url);
  const { token, fetch: send = fetch } = options;
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return {
    endpoint,
    request: (body, { timeoutMs, signal }) => post({ url: endpoint, headers, body, timeoutMs, signal, send }),
  };
}

const RPC_PATH = '/v2/rpc';

/**
 * The RPC endpoint at a URL, which may have a base path, a slash at its end, or the endpoint's own path.
 * @throws ClientError `bad_url` where it is no http or https URL
 */
export function endpointOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new ClientError(
      'bad_url',
      `expected a URL such as http://127.0.0.1:9545, got ${JSON.stringify(url)}`,
    );
  }
  const base = url.replace(/\/+$/, '');
  return base.endsWith(RPC_PATH) ? base : base + RPC_PATH;
}

/** Codes of failures before the request could have been sent. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** A proxy that finds no node behind it answers for itself, with one of these. */
const GATEWAY_STATUSES = [502, 503, 504];

/** What came with an HTTP status. */
export function httpAnswer(status: number, text: string): TransportAnswer {
  return { text, label: `HTTP ${status}`, mayBeProxy: GATEWAY_STATUSES.includes(status) };
}

interface Post extends TransportRequestOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly send: typeof fetch;
}

async function post({ url, headers, body, timeoutMs, signal, send }: Post): Promise<TransportAnswer> {
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
    const response = await send(url, { method: 'POST', headers, body, signal: controller.signal });
    return httpAnswer(response.status, await response.text());
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (timedOut) {
      throw timedOutAfter(url, timeoutMs, error);
    }
    throw unreachable(url, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** @param cause what ended the wait, if anything but the time did */
export function timedOutAfter(url: string, timeoutMs: number, cause?: unknown): ClientError {
  return new ClientError('timeout', `no answer from ${url} within ${timeoutMs} ms`, { cause });
}

/** The error for a message without an answer; a {@link NeverSentError} where it cannot have arrived. */
export function unreachable(url: string, cause: unknown): ClientError {
  const code = codeOf(cause);
  const message = `no node answers at ${url} (${code ?? deepestMessage(cause)})`;
  return code !== undefined && NEVER_SENT.includes(code)
    ? new NeverSentError(message, { cause })
    : new ClientError('unreachable', message, { cause });
}

/** `fetch` itself says no more than "fetch failed". */
function deepestMessage(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && depth < 4 ? deepestMessage(error.cause, depth + 1) : error.message;
}

/** The system's code, which `fetch` hides in the cause, or in the causes of a cause. */
function codeOf(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 4) return undefined;
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return codeOf(inner, depth + 1);
}
