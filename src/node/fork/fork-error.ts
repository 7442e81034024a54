/** Thrown when a chain cannot be forked, or its node cannot be asked. */
export class ForkError extends Error {
  override readonly name = 'ForkError';
}
