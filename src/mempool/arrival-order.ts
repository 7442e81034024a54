/** A transaction or a bundle whose signatures are being checked. */
interface Arrival {
  /** Offers it to the pool and answers, or refuses it; undefined until the check ends. Never throws. */
  settle: (() => void) | undefined;
}

/**
 * Signature checks run side by side and end in any order; what they let pass enters the pool in the order of arrival, so that
 * neither the pool's decisions nor the width of a nonce gap depends on the number of workers.
 */
export class ArrivalOrder {
  /** In order of arrival; those before the first unsettled one have been answered. */
  readonly #checking: Arrival[] = [];
  #firstUnsettled = 0;

  /**
   * Adds an arrival.
   * @param enter called with the check's result, once all earlier arrivals are settled
   * @returns what `enter` returns; rejects with its error, or with the check's
   */
  add<Checked, Admitted>(check: Promise<Checked>, enter: (checked: Checked) => Admitted): Promise<Admitted> {
    return new Promise((resolve, reject) => {
      const arrival: Arrival = { settle: undefined };
      this.#checking.push(arrival);
      const decide = (settle: () => void) => {
        arrival.settle = settle;
        this.#settleFirst();
      };
      check.then(
        (checked) =>
          decide(() => {
            // An arrival that the pool cannot take must not keep out those behind it.
            try {
              resolve(enter(checked));
            } catch (error) {
              reject(error);
            }
          }),
        (error: unknown) => decide(() => reject(error)),
      );
    });
  }

  /** Settles the first arrivals as far as they are checked. */
  #settleFirst(): void {
    const checking = this.#checking;
    for (;;) {
      const first = checking[this.#firstUnsettled];
      if (first?.settle === undefined) break;
      this.#firstUnsettled += 1;
      first.settle();
    }
    // Removed by halves: removing each from the front of thousands costs as much as the rest of its admission.
    if (this.#firstUnsettled * 2 < checking.length) return;
    checking.splice(0, this.#firstUnsettled);
    this.#firstUnsettled = 0;
  }
}
