import { CodedError } from '../base/errors.js';

/** `usage`: wrong usage, exit code 2. `failure`: the command was called correctly but failed, exit code 1. */
export type CliErrorCode = 'usage' | 'failure';

/** A command's failure, with a message of one or a few lines for the user. */
export class CliError extends CodedError<CliErrorCode> {
  override readonly name = 'CliError';

  get exitCode(): number {
    return this.code === 'usage' ? 2 : 1;
  }
}
