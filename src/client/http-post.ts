import { ClientError } from './client-error.js';

/** A POST that brought an answer, whatever its status. */
export interface PostAnswer {
  readonly status: number;
  readonly body: string;
}

export interface PostRequest {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How long the whole exchange may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly fetch: typeof fetch;
}

/** Codes of failures before the request could have been sent. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** A {@link ClientError} `unreachable` for a request that the node cannot have seen. */
export class NeverSentError extends ClientError {
  constructor(message: string, cause: unknown) {
    super('unreachable', message, { cause });
  }
}

/**
 * Posts JSON and reads the answer as text.
 * @throws ClientError `unreachable` or `timeout`; the signal's reason where it ended the wait
 */
export async function postJson(request: PostRequest): Promise<PostAnswer> {
  const { signal } = request;
  signal?.throwIfAborted();
  const controller = new AbortController();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, request.timeoutMs);
  const onAbort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    // Browsers refuse a `fetch` that is called as a method.
    const { fetch } = request;
    const response = await fetch(request.url, {
      method: 'POST',
      headers: request.headers,
      body: request.body,
      signal: controller.signal,
    });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (timedOut) {
      throw new ClientError('timeout', `no answer from ${request.url} within ${request.timeoutMs} ms`, {
        cause: error,
      });
    }
    throw unreachable(request.url, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function unreachable(url: string, error: unknown): ClientError {
  const code = codeOf(error);
  const reason = code ?? deepestMessage(error);
  const message = `no node answers at ${url} (${reason})`;
  return code !== undefined && NEVER_SENT.includes(code)
    ? new NeverSentError(message, error)
    : new ClientError('unreachable', message, { cause: error });
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
