import { BodyTooLongError, boundedText } from '../../async/bounded-text.js';
import { SourceError } from './source-error.js';
import type { SourceBounds } from './source-methods.js';

export interface SourceRequest extends SourceBounds {
  readonly method: string;
  /** JSON text. */
  readonly params: string;
  /** Full URL of the RPC endpoint. */
  readonly endpoint: string;
  /** Aborts the call, which rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/** Calls an untrusted source, with bounds on size and duration. @throws SourceError; the signal's reason */
export async function callSource(request: SourceRequest): Promise<unknown> {
  const { endpoint, method, maxBytes, signal } = request;
  signal.throwIfAborted();
  const deadline = AbortSignal.timeout(request.timeoutMs);
  let status: number;
  let text: string;
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${request.params}}`,
      // Only the named source may respond.
      redirect: 'error',
      signal: AbortSignal.any([signal, deadline]),
    });
    status = response.status;
    text = await boundedText(response, maxBytes);
  } catch (error) {
    if (error instanceof BodyTooLongError) {
      throw new SourceError('bad_answer', `${method}: the answer is ${error.message}`, { cause: error });
    }
    signal.throwIfAborted();
    if (deadline.aborted) {
      throw new SourceError('timeout', `${method}: no complete answer within ${request.timeoutMs} ms`, {
        cause: error,
      });
    }
    throw new SourceError('unreachable', `${method}: ${deepestMessage(error)}`, { cause: error });
  }
  return resultOf(method, status, text);
}

function resultOf(method: string, status: number, text: string): unknown {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (cause) {
    // A proxy answers for a node that it cannot reach.
    if ([502, 503, 504].includes(status)) {
      throw new SourceError('unreachable', `${method}: HTTP ${status}, no node behind it answers`, { cause });
    }
    throw notAnAnswer(method, status, text, cause);
  }
  if (!isObject(answer)) throw notAnAnswer(method, status, text);
  if ('result' in answer) return answer['result'];
  const { error } = answer;
  if (!isObject(error) || typeof error['message'] !== 'string') throw notAnAnswer(method, status, text);
  const data = isObject(error['data']) ? error['data'] : {};
  const { kind } = data;
  throw new SourceError('refused', error['message'], { data, ...(typeof kind === 'string' ? { kind } : {}) });
}

function notAnAnswer(method: string, status: number, text: string, cause?: unknown): SourceError {
  const start = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return new SourceError(
    'bad_answer',
    `${method}: expected a JSON-RPC answer, got HTTP ${status} with ${JSON.stringify(start)}`,
    { cause },
  );
}

/** The innermost error's message: `fetch` itself only says "fetch failed". */
function deepestMessage(error: unknown, depth = 0): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? (error.errors[0] as unknown) : error.cause;
  if (inner instanceof Error && depth < 4) return deepestMessage(inner, depth + 1);
  return error.message;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
