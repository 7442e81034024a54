import { ClientError } from './client-error.js';
import { RpcCallError } from './rpc-call-error.js';
import type { TransportAnswer } from './transport.js';

/** An outgoing call; `params` is JSON text. */
export interface WireCall {
  readonly id: number;
  readonly method: string;
  readonly params: string;
}

/** Outcome of a call: the undecoded result or an error. */
export type WireOutcome<Result = unknown> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: RpcCallError | ClientError };

export function encodeCall(call: WireCall): string {
  return `{"jsonrpc":"2.0","id":${call.id},"method":${JSON.stringify(call.method)},"params":${call.params}}`;
}

export function encodeBatch(calls: readonly WireCall[]): string {
  return `[${calls.map(encodeCall).join(',')}]`;
}

/**
 * Decodes the response to one call, or to a batch in the order of its calls. An error object for the whole request,
 * without a call id, applies to each call.
 * @throws ClientError `bad_answer` if the text is not a JSON-RPC response
 */
export function decodeAnswers(calls: readonly WireCall[], answer: TransportAnswer): WireOutcome[] {
  const answers = parseAnswers(answer);
  const byId = new Map(answers.map((answer) => [answer['id'], answer]));
  const toAll = answers.length === 1 ? answers.find((answer) => answer['id'] === null) : undefined;
  return calls.map((call) => {
    const answer = byId.get(call.id) ?? toAll;
    if (answer === undefined) return badOutcome(call, 'missing from the answer');
    if ('error' in answer) return { ok: false, error: readError(call.method, answer['error']) };
    if (!('result' in answer)) return badOutcome(call, 'neither a result nor an error');
    return { ok: true, result: answer['result'] };
  });
}

export function badOutcome({ method }: { readonly method: string }, reason: string): WireOutcome<never> {
  return { ok: false, error: new ClientError('bad_answer', `${method}: ${reason}`) };
}

function parseAnswers(answer: TransportAnswer): Record<string, unknown>[] {
  let value: unknown;
  try {
    value = JSON.parse(answer.text);
  } catch (cause) {
    throw notJsonRpc(answer, cause);
  }
  const answers = Array.isArray(value) ? value : [value];
  if (!answers.every((one) => isObject(one) && ('result' in one || 'error' in one))) {
    throw notJsonRpc(answer);
  }
  return answers;
}

function readError(method: string, error: unknown): RpcCallError | ClientError {
  const code = isObject(error) ? error['code'] : undefined;
  const message = isObject(error) ? error['message'] : undefined;
  if (!isObject(error) || typeof code !== 'number' || typeof message !== 'string') {
    return new ClientError('bad_answer', `${method}: an error object without code or message`);
  }
  const data = isObject(error['data']) ? error['data'] : {};
  return new RpcCallError(method, { code, message, data });
}

function notJsonRpc({ text, label }: TransportAnswer, cause?: unknown): ClientError {
  const start = JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
  const got = label === undefined ? start : `${label} with ${start}`;
  return new ClientError('bad_answer', `expected a JSON-RPC answer, got ${got}`, { cause });
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
