import { randomUUID } from 'node:crypto';
import { RpcError } from './errors.js';
import type { HttpResponse } from './http-server.js';
import { plainError } from './rpc-answer.js';

/** What an HTTP server answers to a body that is longer than it takes. */
export function bodyTooLarge(maxBodyBytes: number): HttpResponse {
  const message = `the request body is longer than ${maxBodyBytes} bytes`;
  return plainError(
    413,
    new RpcError('limit_exceeded', message, { subject: 'max_body_bytes', limit: maxBodyBytes }),
  );
}

/**
 * What an HTTP server answers when its handler failed: nothing but an id.
 * @param report told of the failure, under the same id
 */
export function handlerFailure(cause: unknown, report: (error: unknown) => void): HttpResponse {
  const errorId = randomUUID();
  report(new Error(`an HTTP request was answered with 500, id ${errorId}`, { cause }));
  return plainError(500, new RpcError('internal_error', 'internal error', { error_id: errorId }));
}

/** How much of a body that is too long is read and dropped, so that its sender gets to see the answer. */
export function drainBytes(maxBodyBytes: number): number {
  return Math.max(1024 * 1024, maxBodyBytes);
}

/** How often to look for connections that are too slow, given what they are allowed. */
export function sweepIntervalMs(requestTimeoutMs: number): number {
  return Math.min(1_000, Math.max(10, Math.floor(requestTimeoutMs / 4)));
}
