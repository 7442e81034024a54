/** `usage`: the command was called wrongly, exit code 2. `failure`: it was called rightly and did not work, exit code 1. */
export type CliErrorCode = 'usage' | 'failure';

/** What a command says before it ends unsuccessfully: one clear line, or a few. */
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
