import { ClientError } from '../../client/client-error.js';
import { RpcCallError } from '../../client/rpc-call-error.js';
import type { RpcCall, RpcCaller } from '../../client/rpc-caller.js';
import type { ResultText } from '../result-text.js';
import type { BadLine, CallLine } from './call-line.js';
import { CallsError } from './call-line.js';

/** Timeout of one attempt in milliseconds, longer than any call timeout of a node. */
const TRY_MS = 60_000;

export type WithText = Pick<ResultText, 'text'>;

/** Makes calls and returns their results as text. */
export type TextCaller<Result extends WithText = WithText> = Pick<RpcCaller<Result>, 'call'>;

/** The error of a call, as it is written: a node's, or one without code if no node gave it. */
export interface CallFailure {
  readonly code?: number;
  readonly kind: string;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export type CallEnd<Result extends WithText = WithText> =
  | { readonly result: Result }
  | { readonly failure: CallFailure };

/** A node's refusal is an end like any other. @throws CallsError `no_node`, or the signal's reason */
export async function askCall<Result extends WithText>(
  caller: TextCaller<Result>,
  { method, params }: Pick<CallLine, 'method' | 'params'>,
  options: Pick<RpcCall, 'signal' | 'onRetry'>,
): Promise<CallEnd<Result>> {
  try {
    const how = { timeoutMs: TRY_MS, repeatable: true, unbatched: false };
    return { result: await caller.call({ method, params, ...how, ...options }) };
  } catch (error) {
    if (error instanceof RpcCallError) {
      const { code, kind, message, data } = error;
      return { failure: { code, kind, message, data } };
    }
    if (error instanceof ClientError && error.code === 'timeout') {
      return { failure: { kind: 'client_timeout', message: error.message } };
    }
    if (error instanceof ClientError) throw new CallsError('no_node', error.message, { cause: error });
    throw error;
  }
}

/** How a line that is no call ends. */
export function badLineEnd({ problem }: BadLine): { readonly failure: CallFailure } {
  return { failure: { kind: 'bad_line', message: problem } };
}

/** The members of `head`, then `result` or `error`. Parsing the node's text would take longer than the call. */
export function resultLine(head: Readonly<Record<string, unknown>>, end: CallEnd): string {
  const beginning = JSON.stringify(head).slice(0, -1);
  if ('result' in end) return `${beginning},"result":${end.result.text}}`;
  return `${beginning},"error":${JSON.stringify(end.failure)}}`;
}
