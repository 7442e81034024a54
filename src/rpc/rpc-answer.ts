import { type MaybeAsync, settle } from '../async/maybe-async.js';
import type { RpcError } from './errors.js';
import type { HttpResponse } from './http/http-server.js';

type Headers = HttpResponse['headers'];

const JSON_HEADERS: Headers = [['content-type', 'application/json']];

/** A result as JSON text, or an error. */
export type Outcome = string | RpcError;

export type CallAnswer = MaybeAsync<Outcome>;

export const EMPTY_ANSWER: HttpResponse = { status: 204, headers: [], body: '' };

/** @param id source text of the request's id @param result JSON text */
export function resultText(id: string, result: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
}

export function errorText(id: string, error: RpcError): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${error.toJsonText()}}`;
}

/** The answer to a single request. @param id source text of the request's id */
export function outcomeAnswer(outcome: Outcome, id: string): HttpResponse {
  if (typeof outcome !== 'string') return errorAnswer(id, outcome);
  return { status: 200, headers: JSON_HEADERS, body: resultText(id, outcome) };
}

/** Lets a notification run to its end: its outcome is counted and charged, but not answered. */
export function ignoreOutcome(answer: CallAnswer): void {
  settle(answer, () => undefined);
}

/** The answer to a single failed request, with the status and headers of its error kind. */
export function errorAnswer(id: string, error: RpcError): HttpResponse {
  return {
    status: error.httpStatus,
    headers: errorHeaders(error),
    body: errorText(id, error),
    isError: true,
  };
}

export function batchAnswer(answers: readonly string[], hasError: boolean): HttpResponse {
  return { status: 200, headers: JSON_HEADERS, body: `[${answers.join(',')}]`, isError: hasError };
}

/** The answer to a request that is not an RPC request: an RPC error object with the matching HTTP status. */
export function plainError(status: number, error: RpcError, headers: Headers = []): HttpResponse {
  return { status, headers: [...JSON_HEADERS, ...headers], body: errorText('null', error), isError: true };
}

/** An answer without the envelope of JSON-RPC. @param json JSON text */
export function plainResult(json: string, headers: Headers, status = 200): HttpResponse {
  return { status, headers: [...JSON_HEADERS, ...headers], body: json };
}

function errorHeaders(error: RpcError): Headers {
  const { httpHeaders } = error;
  return httpHeaders.length === 0 ? JSON_HEADERS : [...JSON_HEADERS, ...httpHeaders];
}
