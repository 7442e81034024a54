/**
 * Thrown to end an execution that may use only a part of its transaction's gas limit, and would depend on the rest. Nothing
 * about the transaction's outcome follows from it.
 */
export class GasWithheld extends Error {
  override readonly name = 'GasWithheld';
  /** Gas of the permitted part that was not used. */
  readonly unused: bigint;

  constructor(unused: bigint) {
    super('the transaction needs gas that is withheld');
    this.unused = unused;
  }
}
