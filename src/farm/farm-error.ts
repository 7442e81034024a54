import { CodedError } from '../base/errors.js';

type FarmErrorCode =
  /** An option or an input file is wrong. */
  | 'bad_input'
  /** There is no run of this name. */
  | 'no_run'
  /** The run's name is taken. */
  | 'run_exists'
  /** The run is not in a state for the operation. */
  | 'wrong_state'
  /** Redis does not answer, or refuses. */
  | 'redis'
  /** Redis holds data that no farm of this version has written. */
  | 'damaged'
  /** The node does not answer, refuses, or lacks the state. */
  | 'node';

export class FarmError extends CodedError<FarmErrorCode> {
  override readonly name = 'FarmError';
}
