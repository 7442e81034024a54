import { randomUUID } from 'node:crypto';
import { CallerGoneError, WorkRefusedError } from '../async/sliced-work.js';
import { AnswerTooLongError } from '../base/answer-limit.js';
import { ChainError } from '../chain/chain-error.js';
import type { BoundedLog } from '../config/bounded-log.js';
import { ExecutionError } from '../execution/execution-error.js';
import { CallError, type CallProblem } from '../execution/views/call-error.js';
import { JsonDecodeError } from '../idl/codecs/codec-errors.js';
import { CursorError } from '../ledger/queries/cursor.js';
import {
  JournalError,
  PoolCursorError,
  reasonName,
  TransactionError,
  UNWRITABLE,
} from '../mempool/errors.js';
import { ProofError } from '../proofs/proof-error.js';
import { StateBaseError } from '../storage/fork-base/state-base.js';
import { StateUnavailableError } from '../storage/state.js';
import { isStoreDamage, REPAIR, StoreError } from '../storage/store-error.js';
import { ForwardError } from '../sync/follow/forwarder.js';
import { SnapshotError } from '../sync/snapshot-error.js';
import { QuotaError } from './access/quota-store.js';
import { RpcError } from './errors.js';

/** The error of cancelled calls; their clients rarely read it. Shared, because thousands may be cancelled at once. */
const CANCELLED = new RpcError('timeout', 'the call was cancelled before it was answered', {});

/** Retry delay suggested to a rejected caller, in milliseconds. */
export const RETRY_AFTER_OVERLOAD_MS = 1_000;

/** Shared, because an overloaded node creates thousands and stack traces are expensive. */
const OVERLOADED = new RpcError('overloaded', 'the node is overloaded; try again later', {
  retry_after_ms: RETRY_AFTER_OVERLOAD_MS,
});

/** Shared for the same reason. The address of the store is not for clients. */
const QUOTAS_AWAY = new RpcError(
  'not_ready',
  'the quota store of the node does not answer; try again later',
  {
    reasons: ['the quota store does not answer'],
  },
);

type ErrorClass<E extends Error> = abstract new (...args: never[]) => E;

/** Maps errors of one class to the error that a client sees; undefined for an internal error. */
type Row = (error: unknown) => RpcError | undefined;

function row<E extends Error>(errorClass: ErrorClass<E>, map: (error: E) => RpcError | undefined): Row {
  return (error) => (error instanceof errorClass ? map(error) : undefined);
}

/** Maps the errors that lower layers throw because of a client's request. All others are faults of the node. */
const TABLE: readonly Row[] = [
  row(
    JsonDecodeError,
    ({ message, path, expected, got }) => new RpcError('invalid_params', message, { path, expected, got }),
  ),
  row(TransactionError, ({ message, reason, details: given, retryable }) => {
    const details = { ...given, reason: reasonName(reason) };
    return new RpcError('transaction_rejected', message, details, { retryable });
  }),
  row(CursorError, badCursor),
  row(PoolCursorError, badCursor),
  row(StateUnavailableError, ({ message, oldest }) => new RpcError('state_unavailable', message, { oldest })),
  row(CallError, ({ message, problem }) => viewCallError(message, problem)),
  row(ExecutionError, executionError),
  row(CallerGoneError, () => CANCELLED),
  row(WorkRefusedError, () => overloaded()),
  row(AnswerTooLongError, ({ limit }) => answerTooLong(limit)),
  row(SnapshotError, ({ message }) => new RpcError('invalid_params', message, { path: 'params' })),
  row(ProofError, proofError),
  row(JournalError, ({ code }) => (code === 'unwritable' ? notReady(UNWRITABLE) : undefined)),
  row(StateBaseError, ({ message }) => notReady(message)),
  row(ForwardError, ({ message }) => notReady(message)),
  row(QuotaError, ({ code }) => (code === 'unavailable' ? quotasAway() : undefined)),
  row(StoreError, ({ code }) => (code === 'closed' ? stopping() : undefined)),
];

function notReady(message: string): RpcError {
  return new RpcError('not_ready', message, { reasons: [message] });
}

function badCursor({ message }: Error): RpcError {
  return new RpcError('invalid_params', `params.cursor: ${message}`, { path: 'params.cursor' });
}

function viewCallError(message: string, problem: CallProblem): RpcError | undefined {
  switch (problem.code) {
    case 'not_found':
      return new RpcError('not_found', message, problem.subject);
    case 'state_unavailable':
      return new RpcError(problem.code, message, { oldest: problem.oldest, newest: problem.newest });
    case 'invalid_params':
    case 'limit_exceeded': {
      const { code, ...details } = problem;
      const isAnswer = 'limit' in details && details.subject === 'answer_bytes';
      return isAnswer ? answerTooLong(details.limit) : new RpcError(code, message, details);
    }
    case 'transaction_rejected':
      return new RpcError('transaction_rejected', message, { reason: problem.reason });
    case 'overloaded':
      return overloaded();
    case 'not_ready':
      return notReady(message);
    case 'damaged_store':
      return undefined;
    case 'timeout':
      return new RpcError('timeout', message, { limit_ms: problem.limitMs });
  }
}

function executionError({ code }: ExecutionError): RpcError | undefined {
  if (code === 'overloaded') return overloaded();
  if (code === 'stopped') return stopping();
  return code === 'aborted' ? CANCELLED : undefined;
}

function proofError({ code, message, kept }: ProofError): RpcError | undefined {
  if (code === 'overloaded') return overloaded();
  return code === 'state_unavailable' ? new RpcError(code, message, { ...kept }) : undefined;
}

/** @param given length of the result, if it was encoded before it proved too long */
export function answerTooLong(limit: number, given?: number): RpcError<'limit_exceeded'> {
  const came = given === undefined ? 'this one would have more' : `this one has ${given}`;
  const message = `an answer may have at most ${limit} bytes; ${came}: ask for less at a time`;
  return new RpcError('limit_exceeded', message, {
    subject: 'answer_bytes',
    limit,
    ...(given === undefined ? {} : { given }),
  });
}

export function overloaded(): RpcError<'overloaded'> {
  return OVERLOADED;
}

/** The error for calls that cannot be charged, because a shared quota store is away. */
export function quotasAway(): RpcError<'not_ready'> {
  return QUOTAS_AWAY;
}

function stopping(): RpcError {
  return new RpcError('not_ready', 'the node is stopping', { reasons: ['stopping'] });
}

/**
 * The error that a client sees for anything thrown while answering its call. Errors unknown to the table become
 * internal_error with a random id; the log has the details under the same id, unless the log is throttled. Damage to
 * the node's files has the reason `damaged_store`.
 * @param method the method whose handler threw, for the log
 * @param request source of the request id in the log; absent if the error belongs to no request
 */
export function toRpcError(
  error: unknown,
  method: string,
  log: BoundedLog,
  request?: { readonly requestId: string },
): RpcError {
  if (error instanceof RpcError) return error;
  const isDamaged = tellsOfDamage(error);
  for (const map of isDamaged ? [] : TABLE) {
    const known = map(error);
    if (known !== undefined) return known;
  }
  const errorId = randomUUID();
  const what = isDamaged ? 'damaged store' : 'internal error';
  const isLogged = log.error(
    {
      err: error,
      error_id: errorId,
      ...(request === undefined ? {} : { request_id: request.requestId }),
      method,
    },
    `${what} ${errorId} while answering ${method}`,
  );
  const where = `the node's log ${isLogged ? `has it under ${errorId}` : 'has others from the same second'}`;
  if (!isDamaged) return new RpcError('internal_error', `internal error; ${where}`, { error_id: errorId });
  return new RpcError('internal_error', `the node's store is damaged; ${where}. ${REPAIR}`, {
    error_id: errorId,
    reason: 'damaged_store',
  });
}

function tellsOfDamage(error: unknown): boolean {
  if (error instanceof CallError) return error.problem.code === 'damaged_store';
  if (error instanceof ProofError || error instanceof ChainError) return error.code === 'damaged';
  return isStoreDamage(error);
}
