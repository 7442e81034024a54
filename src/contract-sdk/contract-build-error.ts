export type ContractBuildErrorCode =
  /** The contract's folder does not hold what it should. */
  | 'bad_project'
  /** AssemblyScript is not installed. */
  | 'no_compiler'
  /** The compiler found errors; the message is its report. */
  | 'compile_failed';

/** A contract could not be built. */
export class ContractBuildError extends Error {
  override readonly name = 'ContractBuildError';
  readonly code: ContractBuildErrorCode;

  constructor(code: ContractBuildErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
