/** `usage`: wrong usage, exit code 2. `failure`: the command was called correctly but failed, exit code 1. */
export type CliErrorCode = 'usage' | 'failure';

/** An unsuccessful end of a command, with a message of one or a few lines for the user. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: CliErrorCode;

  constructor(code: CliErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  get exitCode(): number {
    return this.code === 'usage' ? 2 : 1;
  }
}
