import { CodedError } from '../base/errors.js';

/** Why a task was not done. */
export type ExecutionErrorCode =
  /** The queue is full; retry a little later. */
  | 'overloaded'
  /** The worker died before the task was done, twice. */
  | 'worker_died'
  /** The task failed a short time ago and is not retried yet. */
  | 'put_off'
  | 'stopped'
  /** The caller's signal aborted it. */
  | 'aborted'
  /** The task itself failed: a bug, or bad data in the store. */
  | 'task_failed';

export class ExecutionError extends CodedError<ExecutionErrorCode> {
  override readonly name = 'ExecutionError';
}
