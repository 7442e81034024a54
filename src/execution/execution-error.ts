/** Why a task was not done. */
export type ExecutionErrorCode =
  /** Too much waits already; the same task may be given again a little later. */
  | 'overloaded'
  /** The worker ended before the task did, twice. */
  | 'worker_died'
  /** It failed a short while ago, and is not tried again yet. */
  | 'put_off'
  /** The pool is being stopped. */
  | 'stopped'
  /** The caller's signal ended the wait. */
  | 'aborted'
  /** The task itself failed: a fault of the program, or of what it reads. */
  | 'task_failed';

export class ExecutionError extends Error {
  override readonly name = 'ExecutionError';

  constructor(
    readonly code: ExecutionErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
