import type { ResultListener } from '../async/tick-batch.js';

/** A transaction or bundle whose signatures are being verified. */
interface Arrival {
  /** Called in turn once the check has ended: admits or rejects the arrival. Never throws. */
  settle: (() => void) | undefined;
}

/**
 * Keeps arrivals in order: signature checks run concurrently and end in any order, but transactions enter the pool in
 * order of arrival. Neither the pool's decisions nor the width of a nonce gap then depends on the number of workers.
 */
export class ArrivalOrder {
  /** In order of arrival; those before the first unsettled one have been answered. */
  readonly #checking: Arrival[] = [];
  #firstUnsettled = 0;

  /**
   * Adds an arrival.
   * @param enter called with the check's result, once all earlier arrivals are settled
   * @param fail called instead with the check's error, and with an error that `enter` throws; must not throw
   * @returns takes the result or the error of the check, once
   */
  add<Checked>(enter: (checked: Checked) => void, fail: (error: unknown) => void): ResultListener<Checked> {
    const arrival: Arrival = { settle: undefined };
    this.#checking.push(arrival);
    const decide = (settle: () => void) => {
      arrival.settle = settle;
      this.#settleFirst();
    };
    return {
      resolve: (checked) =>
        decide(() => {
          // A rejected arrival must not block those after it.
          try {
            enter(checked);
          } catch (error) {
            fail(error);
          }
        }),
      reject: (error) => decide(() => fail(error)),
    };
  }

  #settleFirst(): void {
    const checking = this.#checking;
    for (;;) {
      const first = checking[this.#firstUnsettled];
      if (first?.settle === undefined) break;
      this.#firstUnsettled += 1;
      first.settle();
    }
    // In bulk: removing a single one from the front of thousands costs as much as the rest of its admission.
    if (this.#firstUnsettled * 2 < checking.length) return;
    checking.splice(0, this.#firstUnsettled);
    this.#firstUnsettled = 0;
  }
}
