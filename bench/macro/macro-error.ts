import { CodedError } from '../../src/base/errors.js';

/**
 * A comparison that can't be made.
 *
 * - `program_unusable`: a program doesn't run or isn't the expected one.
 * - `no_such_work`: the options select no work.
 * - `wrong_answer`: a node answers a request of the comparison wrongly.
 */
export type MacroErrorCode = 'program_unusable' | 'no_such_work' | 'wrong_answer';

export class MacroError extends CodedError<MacroErrorCode> {
  override readonly name = 'MacroError';
}
