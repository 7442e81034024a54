import { CodedError } from '../base/errors.js';

/** Why a {@link ContractError} was thrown. */
export type ContractErrorCode =
  /** The contract's folder is incomplete or invalid. */
  | 'bad_project'
  /** AssemblyScript is not installed. */
  | 'no_compiler'
  /** The compiler found errors; the message is its report. */
  | 'compile_failed'
  /** A source map is not one, or belongs to other code. */
  | 'bad_source_map'
  /** A gas snapshot is malformed, or cannot be made of what the tests did. */
  | 'bad_snapshot'
  /** In the sandbox: the contract does not exist, or the caller's balance is too low. */
  | 'call_refused'
  /** In the sandbox: an account would have more than 2^128 − 1. */
  | 'excessive_balance'
  /** In the sandbox: a call did not end as the test expects. */
  | 'call_failed';

/** Thrown when a contract cannot be built, or cannot be called in the sandbox. */
export class ContractError extends CodedError<ContractErrorCode> {
  override readonly name = 'ContractError';
}
