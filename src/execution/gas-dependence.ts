/**
 * Notes whether an execution met anything whose answer goes by the transaction's gas limit, so that with another limit
 * that it stays within it could have come out otherwise. That is:
 *
 * - code that can ask for the gas that it has left;
 * - a call or deployment by a contract, which gets at most a part of what is left;
 * - a balance that a contract asks for, as the sender's is smaller by what is set aside for the gas;
 * - a balance that was not enough, for the same reason. One that was enough is so with a lower limit too.
 */
export class GasDependence {
  #isObserved = false;

  /** Whether it met anything of the kind. */
  get isObserved(): boolean {
    return this.#isObserved;
  }

  record(): void {
    this.#isObserved = true;
  }
}
