import { RpcError } from '../errors.js';

/** An argument that its type allows and the method does not, in the words that the decoder uses for the others. */
export function invalidArgument(path: string, expected: string, got: string): RpcError<'invalid_params'> {
  return new RpcError('invalid_params', `${path}: expected ${expected}, got ${got}`, { path, expected, got });
}

/** More than the node is configured to give; `subject` is the limit's name. */
export function beyondLimit(subject: string, limit: number, given: number): RpcError<'limit_exceeded'> {
  const message = `${subject}: at most ${limit}, got ${given}`;
  return new RpcError('limit_exceeded', message, { subject, limit, given });
}
