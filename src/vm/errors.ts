/** The code is not what its engine takes; the message says why, and where. */
export class CodeRefused extends Error {
  override readonly name = 'CodeRefused';

  /** @param rule the first rule that it breaks, by the engine's own name for it */
  constructor(
    readonly rule: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What can go wrong in the engine itself. None of it is a result of a call, and none of it may enter a block. */
export type EngineErrorCode =
  /** The thread's stack ended before the engine's own limit: it was started with too small a stack. */
  | 'host_stack_exhausted'
  /** The thread was started with a smaller stack than contracts are promised. */
  | 'thread_stack_too_small'
  /** The machine could not give memory that the call had a right to. */
  | 'host_memory_exhausted'
  /** V8 does not take a module that passed validation, or it trapped in a way unknown to us. */
  | 'unexpected_host_behaviour'
  /** Prepared code that is damaged or was prepared by another version. */
  | 'unusable_prepared_code'
  /** A call to an entry point that the program does not have. */
  | 'missing_entry_point'
  /** A frame with a field of the wrong length or out of range. */
  | 'invalid_frame';

/** Thrown where the engine, its host or its caller is at fault, never for what a contract does. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineError';
    this.code = code;
  }
}
