import { CodedError } from '../base/errors.js';

/** Thrown for code that its engine does not accept; the message says why, and where. */
export class CodeRefused extends Error {
  override readonly name = 'CodeRefused';

  constructor(
    /** The first rule that the code breaks, named as its engine does. */
    readonly rule: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Failures of the engine itself. They are never results of a call, and must never enter a block. */
export type EngineErrorCode =
  /** The thread's stack overflowed before the engine's own limit: it was started with too small a stack. */
  | 'host_stack_exhausted'
  /** The thread was started with a smaller stack than contracts are promised. */
  | 'thread_stack_too_small'
  /** The machine could not provide memory that the call was entitled to. */
  | 'host_memory_exhausted'
  /** V8 rejected a module that passed validation, or trapped in a way unknown to the engine. */
  | 'unexpected_host_behaviour'
  /** Prepared code that is damaged or was prepared by another version. */
  | 'unusable_prepared_code'
  /** A call to an entry point that the program does not have. */
  | 'missing_entry_point'
  /** A frame with a field of the wrong length or out of range. */
  | 'invalid_frame';

/** Thrown when the engine, its host or its caller is at fault, never for the behavior of a contract. */
export class EngineError extends CodedError<EngineErrorCode> {
  override readonly name = 'EngineError';
}
