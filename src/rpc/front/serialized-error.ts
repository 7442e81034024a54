import { errorMessage } from '../../base/errors.js';
import { ExecutionError, type ExecutionErrorCode } from '../../execution/execution-error.js';
import { CallError, type CallProblem } from '../../execution/views/call-error.js';
import { isStoreDamage, StoreError, type StoreErrorCode } from '../../storage/store-error.js';
import { RpcError, type RpcErrorDetails, type RpcErrorKind } from '../errors.js';
import { HttpServerError, type HttpServerErrorCode } from '../http/http-server-error.js';

/** An error in transit between threads: structured clone drops its class and extra fields. */
export type SerializedError =
  | {
      readonly of: 'rpc';
      readonly kind: RpcErrorKind;
      readonly message: string;
      readonly details: RpcErrorDetails[RpcErrorKind];
      readonly retryable: boolean;
    }
  | { readonly of: 'call'; readonly problem: CallProblem }
  | { readonly of: 'execution'; readonly code: ExecutionErrorCode; readonly message: string }
  | { readonly of: 'http'; readonly code: HttpServerErrorCode; readonly message: string }
  | { readonly of: 'store'; readonly code: StoreErrorCode; readonly message: string }
  | { readonly of: 'other'; readonly message: string; readonly stack: string | undefined };

export function serializeError(error: unknown): SerializedError {
  if (error instanceof RpcError) {
    const { kind, message, details, retryable } = error;
    return { of: 'rpc', kind, message, details, retryable };
  }
  if (error instanceof CallError) return { of: 'call', problem: error.problem };
  // Includes store damage that is only the cause of another error, since causes are not sent.
  if (isStoreDamage(error)) return { of: 'store', code: 'damaged', message: errorMessage(error) };
  if (error instanceof ExecutionError) return { of: 'execution', code: error.code, message: error.message };
  if (error instanceof HttpServerError) return { of: 'http', code: error.code, message: error.message };
  if (error instanceof StoreError) return { of: 'store', code: error.code, message: error.message };
  if (error instanceof Error) return { of: 'other', message: error.message, stack: error.stack };
  return { of: 'other', message: `thrown: ${String(error)}`, stack: undefined };
}

export function deserializeError(sent: SerializedError): Error {
  switch (sent.of) {
    case 'rpc':
      return new RpcError(sent.kind, sent.message, sent.details, { retryable: sent.retryable });
    case 'call':
      return new CallError(sent.problem);
    case 'execution':
      return new ExecutionError(sent.code, sent.message);
    case 'http':
      return new HttpServerError(sent.code, sent.message);
    case 'store':
      return new StoreError(sent.code, sent.message);
    case 'other': {
      const error = new Error(sent.message);
      if (sent.stack !== undefined) error.stack = sent.stack;
      return error;
    }
  }
}
