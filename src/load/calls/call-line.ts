import { CodedError, errorMessage } from '../../base/errors.js';
import { memberTexts } from '../result-text.js';

export type CallsErrorCode =
  /** The result file is not empty. */
  | 'has_results'
  /** The file to resume from does not end with a result. */
  | 'no_results'
  | 'unwritable'
  | 'unreadable'
  /** No node answers, or the server is not a node. */
  | 'no_node';

export class CallsError extends CodedError<CallsErrorCode> {
  override readonly name = 'CallsError';
}

/** Read-only methods allowed in a file of calls. */
export const CALL_METHODS = [
  'view_call',
  'tx_build_simulate',
  'tx_simulate',
  'tx_simulate_access',
  'tx_simulate_trace',
  'tx_simulate_pipeline',
  'chain_traceTransaction',
  'chain_traceCall',
  'chain_simulateBundle',
] as const;

export interface CallLine {
  readonly method: string;
  /** JSON text of an object, as given: integers of any length stay exact. */
  readonly params: string;
  /** Caller's identifier, copied to the result unchanged. */
  readonly id?: unknown;
}

export interface BadLine {
  readonly problem: string;
  readonly id?: unknown;
}

/** Parses a line `{"method": …, "params": {…}, "id"?: …}`. */
export function readCallLine(text: string): CallLine | BadLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `expected JSON: ${errorMessage(error)}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'expected an object with method and params' };
  }
  const { method, params, id, ...rest } = value as Record<string, unknown>;
  const known = id === undefined ? {} : { id };
  if (typeof method !== 'string' || !(CALL_METHODS as readonly string[]).includes(method)) {
    const got = JSON.stringify(method) ?? 'nothing';
    return { problem: `method: expected one of ${CALL_METHODS.join(', ')}, got ${got}`, ...known };
  }
  if (typeof params !== 'object' || params === null || Array.isArray(params)) {
    return { problem: 'params: expected an object with the parameters by name', ...known };
  }
  const [surplus] = Object.keys(rest);
  if (surplus !== undefined) {
    return { problem: `${surplus}: expected method, params and id, nothing else`, ...known };
  }
  return { method, params: memberTexts(text).get('params') ?? '{}', ...known };
}
