import { CodedError } from '../../src/base/errors.js';

/** `usage`: the command line is wrong, exit code 2. */
export class BenchError extends CodedError<'usage'> {
  override readonly name = 'BenchError';
}
