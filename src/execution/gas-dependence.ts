/**
 * Records whether an execution depends on the transaction's gas limit, so that another sufficient limit could have led
 * to a different result. The sources of dependence are:
 *
 * - code that can read its remaining gas;
 * - a call or deployment by a contract, which gets at most a part of the remaining gas;
 * - a balance that a contract reads, as the sender's excludes the amount reserved for gas;
 * - a balance that was too small, for the same reason. One that sufficed does so with a lower limit too.
 */
export class GasDependence {
  #isObserved = false;

  get isObserved(): boolean {
    return this.#isObserved;
  }

  record(): void {
    this.#isObserved = true;
  }
}

/** Ends an execution that may use a part of its gas limit, and would depend on the rest. */
export class GasWithheld extends Error {
  override readonly name = 'GasWithheld';

  /** @param unused gas of the permitted part that was not used */
  constructor(readonly unused: bigint) {
    super('the transaction needs gas that is withheld');
  }
}
