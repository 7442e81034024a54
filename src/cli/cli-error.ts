/** A command's failure, with a message of one or a few lines for the user. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly exitCode: number = 1;
}

/** The failure of a command that has printed what failed: nothing more is printed. */
export class ReportedFailure extends CliError {
  constructor() {
    super('the command has printed what failed');
  }
}

/** The failure of a command that was called wrongly. */
export class UsageError extends CliError {
  override readonly exitCode: number = 2;
}
