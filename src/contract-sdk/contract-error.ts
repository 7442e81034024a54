export type ContractErrorCode =
  /** The contract's folder does not hold what it should. */
  | 'bad_project'
  /** AssemblyScript is not installed. */
  | 'no_compiler'
  /** The compiler found errors; the message is its report. */
  | 'compile_failed'
  /** In the sandbox: there is no such contract, or the caller has not what it sends. */
  | 'call_refused'
  /** In the sandbox: a call did not end as the test needs it to. */
  | 'call_failed';

/** A contract could not be built, or not be called in the sandbox. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly code: ContractErrorCode;

  constructor(code: ContractErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
